import Catalog
import EventStore
import Foundation
import ServerApp
import SigV4
import Testing

/// Records of AWS clients, from the request to what people and programs see of them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `Streams of a server` {
  private func put(
    _ server: TestServer,
    _ target: String,
    _ body: String,
    key: CreatedKey,
    service: String
  ) throws -> (status: Int, body: String) {
    let signer = RequestSigner(
      accessKeyID: key.key.value ?? "",
      secret: key.plaintext,
      service: service
    )
    let fields = signer.signed(
      ["host": "127.0.0.1", "content-type": "application/x-amz-json-1.1", "x-amz-target": target],
      body: Array(body.utf8),
      atMs: Int64(Date().timeIntervalSince1970 * 1_000)
    )
    var headers = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    headers["host"] = nil
    return try server.post("/", body, headers: headers)
  }

  @Test("AWS-F6 what is put into a delivery stream is delivered to a file, with nothing added")
  func file() throws {
    let server = try TestServer()
    defer {
      do {
        try FileManager.default.removeItem(atPath: server.folder)
      } catch {
        Issue.record("the test's folder could not be removed: \(error)")
      }
    }
    let key = try server.server.catalog.createAWSKey(project: server.project)
    let stream = try server.server.catalog.createStream(
      "archive",
      kind: .firehose,
      project: server.project
    )
    for data in ["YQ==", "Yg=="] {
      let answer = try put(
        server,
        "Firehose_20150804.PutRecordBatch",
        #"{"DeliveryStreamName":"archive","Records":[{"Data":"\#(data)"}]}"#,
        key: key,
        service: "firehose"
      )
      #expect(answer.status == 200)
      #expect(answer.body.contains(#""FailedPutCount":0"#))
    }
    let folder = DataFolder(path: server.folder + "/data")
    // The log is the server's as long as it runs.
    #expect(throws: StartError.self) { _ = try StreamFile.write(stream, of: folder) { _ in } }
    server.stop(keepingFolder: true)
    var content: [UInt8] = []
    #expect(try StreamFile.write(stream, of: folder) { content += $0 } == 2)
    #expect(String(decoding: content, as: UTF8.self) == "ab")
  }

  @Test func `an event in a stream is an event of the project`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let key = try server.server.catalog.createAWSKey(project: server.project)
    try server.server.catalog.createStream("clicks", kind: .kinesis, project: server.project)
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let event = #"{"event_type":"opened","user_id":"u","time":\#(now),"props":{"n":1}}"#
    let records = [event, "no event"].map {
      #"{"Data":"\#(Data($0.utf8).base64EncodedString())","PartitionKey":"k"}"#
    }
    let answer = try put(
      server,
      "Kinesis_20131202.PutRecords",
      #"{"StreamName":"clicks","Records":[\#(records.joined(separator: ","))]}"#,
      key: key,
      service: "kinesis"
    )
    #expect(answer.status == 200)
    let stored = try server.events(2)
    #expect(stored.map(\.name) == ["opened", "$stream_record"])
    #expect(stored.first?.userID == "u" && stored.first?.properties == #"{"n":1}"#)
    #expect(stored.first?.client == #"{"library":"kinesis","stream":"clicks"}"#)
  }

  private func logHolds(_ text: String, _ server: TestServer) throws -> Bool {
    let log = server.folder + "/data/log"
    return try FileManager.default.contentsOfDirectory(atPath: log).contains { name in
      try Data(contentsOf: URL(fileURLWithPath: log + "/" + name)).range(of: Data(text.utf8)) != nil
    }
  }

  /// The bytes of a stream's records, as its readers get them.
  private func read(_ server: TestServer, key: CreatedKey) throws -> [String] {
    func call(_ operation: String, _ body: String) throws -> NSDictionary {
      let answer = try put(
        server,
        "Kinesis_20131202." + operation,
        body,
        key: key,
        service: "kinesis"
      )
      #expect(answer.status == 200, "\(answer.body)")
      let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
      return try #require(object as? NSDictionary)
    }
    var next =
      try call(
        "GetShardIterator",
        #"{"StreamName":"clicks","ShardId":"shardId-000000000000","ShardIteratorType":"TRIM_HORIZON"}"#
      )["ShardIterator"] as? String
    var found: [String] = []
    for _ in 0..<100 {
      let answer = try call("GetRecords", #"{"ShardIterator":"\#(next ?? "")"}"#)
      let records = answer["Records"] as? [NSDictionary] ?? []
      found += records.map {
        String(decoding: Data(base64Encoded: $0["Data"] as? String ?? "") ?? Data(), as: UTF8.self)
      }
      next = answer["NextShardIterator"] as? String
      if records.isEmpty, answer["MillisBehindLatest"] as? Int == 0 { return found }
    }
    Issue.record("reading does not end")
    return found
  }

  @Test func `a person who is erased goes from streams too, and does not come back late`() throws {
    var server = try TestServer()
    defer { server.stop() }
    let key = try server.server.catalog.createAWSKey(project: server.project)
    let stream = try server.server.catalog.createStream(
      "clicks",
      kind: .kinesis,
      project: server.project
    )
    let early = Int64(Date().timeIntervalSince1970 * 1_000) - 60_000
    func send(_ ids: [String], of user: String) throws -> [String] {
      let texts = ids.map {
        #"{"name":"K","id":"\#($0)","user_id":"\#(user)","ts":\#(early)}"#
      }
      let records = texts.map {
        #"{"Data":"\#(Data($0.utf8).base64EncodedString())","PartitionKey":"k"}"#
      }
      let body = #"{"StreamName":"clicks","Records":[\#(records.joined(separator: ","))]}"#
      let target = "Kinesis_20131202.PutRecords"
      #expect(try put(server, target, body, key: key, service: "kinesis").status == 200)
      return texts
    }
    let others = try send(["1"], of: "mary")
    let gone = try send(["2", "3"], of: "john-42")
    #expect(try server.events(3).count == 3)
    #expect(try read(server, key: key) == others + gone)
    var conditions = EventConditions()
    conditions.user = "john-42"
    _ = try server.server.erasing.erase(conditions, of: server.project, by: .server)
    #expect(try read(server, key: key) == others)
    #expect(try !logHolds("john-42", server))
    // What happened before, put again after: taken, and handed to nobody.
    _ = try send(["2", "9"], of: "john-42")
    let later = try send(["4"], of: "mary")
    #expect(try read(server, key: key) == others + later)
    server.stop(keepingFolder: true)
    let folder = DataFolder(path: server.folder + "/data")
    var exported: [String] = []
    let count = try StreamFile.write(stream, of: folder) {
      exported.append(String(decoding: $0, as: UTF8.self))
    }
    #expect(count == 2 && exported == others + later)
    server = try TestServer(folder: server.folder)
    #expect(try server.events(2).map(\.userID) == ["mary", "mary"])
    #expect(try read(server, key: key) == others + later)
    _ = try server.server.erasing.sweep()
    #expect(try !logHolds("john-42", server))
  }
}
