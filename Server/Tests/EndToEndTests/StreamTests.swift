import Catalog
import EventStore
import Foundation
import ServerApp
import SigV4
import Testing

/// Records of AWS clients, from the request to what people and programs see of them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `Streams of a server` {
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
}
