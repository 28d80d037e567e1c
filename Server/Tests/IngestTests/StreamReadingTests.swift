import Catalog
import EventRecord
import FootfallJournal
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Reading streams` {
  private func fixture(shards: Int = 1) throws -> StreamFixture {
    let fixture = try StreamFixture()
    try fixture.catalog.createStream(
      "clicks",
      kind: .kinesis,
      project: fixture.project,
      shards: shards
    )
    return fixture
  }

  private func put(_ fixture: StreamFixture, _ texts: [String]) async -> [String] {
    let answer = await fixture.call(
      "PutRecords",
      StreamFixture.records(texts.map { ($0, "user-1") })
    )
    return answer.list("Records").compactMap { $0["SequenceNumber"] as? String }
  }

  @Test func `reading begins where it is asked to`() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let first = await put(fixture, ["a", "b", "c"])
    fixture.clock.withLock { $0 += 10_000 }
    let second = await put(fixture, ["d", "e"])
    try #require(first.count == 3 && second.count == 2)
    func read(_ type: String, _ more: String = "", limit: Int = 10_000) async -> [String] {
      await fixture.read(from: #""ShardIteratorType":"\#(type)"\#(more)"#, limit: limit)
        .map(StreamFixture.text)
    }
    #expect(await read("TRIM_HORIZON") == ["a", "b", "c", "d", "e"])
    for limit in 1...5 {
      #expect(await read("TRIM_HORIZON", limit: limit) == ["a", "b", "c", "d", "e"])
    }
    #expect(await read("LATEST").isEmpty)
    #expect(await read("AT_TIMESTAMP", ",\"Timestamp\":1793611820.5") == ["d", "e"])
    for (number, rest) in zip(first + second, ["abcde", "bcde", "cde", "de", "e"]) {
      let member = ",\"StartingSequenceNumber\":\"\(number)\""
      #expect(await read("AT_SEQUENCE_NUMBER", member).joined() == rest)
      #expect(await read("AFTER_SEQUENCE_NUMBER", member).joined() == rest.dropFirst())
    }
  }

  @Test func `an iterator goes on with what comes later`() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    _ = await put(fixture, ["before"])
    let asked = await fixture.call(
      "GetShardIterator",
      #"{"StreamName":"clicks","ShardId":"shardId-000000000000","ShardIteratorType":"LATEST"}"#
    )
    let empty = await fixture.call(
      "GetRecords",
      #"{"ShardIterator":"\#(asked.text("ShardIterator"))"}"#
    )
    #expect(empty.list("Records").isEmpty && empty.number("MillisBehindLatest") == 0)
    _ = await put(fixture, ["after"])
    let next = await fixture.call(
      "GetRecords",
      #"{"ShardIterator":"\#(empty.text("NextShardIterator"))"}"#
    )
    #expect(next.list("Records").map(StreamFixture.text) == ["after"])
    fixture.clock.withLock { $0 += 300_001 }
    let late = await fixture.call(
      "GetRecords",
      #"{"ShardIterator":"\#(next.text("NextShardIterator"))"}"#
    )
    #expect(late.status == 400 && late.error == "ExpiredIteratorException")
    let wrong = await fixture.call("GetRecords", #"{"ShardIterator":"AAAA"}"#)
    #expect(wrong.error == "InvalidArgumentException")
  }

  @Test(arguments: [false, true])
  func `numbers rise and records stay over a restart`(cuttingPower: Bool) async throws {
    var fixture = try fixture()
    defer { fixture.close() }
    var numbers: [String] = []
    for round in 0..<4 {
      numbers += await put(fixture, ["\(round)-a", "\(round)-b"])
      if round % 2 == 1 { try fixture.restart(cuttingPower: cuttingPower) }
    }
    #expect(numbers.count == 8 && numbers == numbers.sorted() && Set(numbers).count == 8)
    let read = await fixture.read()
    #expect(read.map { $0["SequenceNumber"] as? String } == numbers)
    #expect(read.map(StreamFixture.text) == (0..<4).flatMap { ["\($0)-a", "\($0)-b"] })
  }

  @Test func `each shard is read by itself, and streams of one name one after the other`()
    async throws
  {
    let fixture = try fixture(shards: 2)
    defer { fixture.close() }
    _ = await fixture.call(
      "PutRecords",
      StreamFixture.records([("one", "user-1"), ("two", "user-2")])
    )
    #expect(await fixture.read(shard: 0).map(StreamFixture.text) == ["two"])
    #expect(await fixture.read(shard: 1).map(StreamFixture.text) == ["one"])
    #expect(await fixture.call("DeleteStream", #"{"StreamName":"clicks"}"#).status == 200)
    let gone = await fixture.call("DescribeStream", #"{"StreamName":"clicks"}"#)
    #expect(gone.error == "ResourceNotFoundException")
    let made = await fixture.call("CreateStream", #"{"StreamName":"clicks","ShardCount":2}"#)
    #expect(made.status == 200 && made.response.body.isEmpty)
    #expect(await fixture.read(shard: 0).isEmpty)
    let again = await fixture.call("CreateStream", #"{"StreamName":"clicks"}"#)
    #expect(again.error == "ResourceInUseException")
    let wrong = await fixture.call("CreateStream", #"{"StreamName":"x","ShardCount":0}"#)
    #expect(wrong.error == "ValidationException")
  }

  @Test(arguments: ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"])
  func `a number of another shard or stream is no place to read from`(type: String) async throws {
    let fixture = try fixture(shards: 2)
    defer { fixture.close() }
    try fixture.catalog.createStream("other", kind: .kinesis, project: fixture.project)
    _ = await fixture.call("PutRecords", StreamFixture.records([("before", "user-1")]))
    let put = await fixture.call(
      "PutRecords",
      StreamFixture.records([("one", "user-1"), ("two", "user-2")])
    )
    let numbers = put.list("Records").compactMap { $0["SequenceNumber"] as? String }
    func ask(_ stream: String, _ shard: Int, _ number: String) async -> StreamAnswer {
      await fixture.call(
        "GetShardIterator",
        #"{"StreamName":"\#(stream)","ShardId":"shardId-00000000000\#(shard)","#
          + #""ShardIteratorType":"\#(type)","StartingSequenceNumber":"\#(number)"}"#
      )
    }
    try #require(numbers.count == 2)
    // The first is in shard 1, the second in shard 0.
    for (place, number) in numbers.enumerated() {
      #expect(await ask("clicks", 1 - place, number).status == 200)
      for foreign in [await ask("clicks", place, number), await ask("other", 0, number)] {
        #expect(foreign.status == 400 && foreign.error == "InvalidArgumentException")
      }
    }
  }

  @Test func `a stream is described with its shards' ranges`() async throws {
    let fixture = try fixture(shards: 3)
    defer { fixture.close() }
    let answer = await fixture.call("DescribeStream", #"{"StreamName":"clicks"}"#)
    let stream = answer.object["StreamDescription"] as? NSDictionary
    #expect(stream?["StreamStatus"] as? String == "ACTIVE")
    #expect(
      stream?["StreamARN"] as? String == "arn:aws:kinesis:us-east-1:123456789012:stream/clicks"
    )
    let ranges = (stream?["Shards"] as? [NSDictionary] ?? []).compactMap {
      ($0["HashKeyRange"] as? [String: String])?.values.sorted {
        UInt128($0) ?? 0 < UInt128($1) ?? 0
      }
    }
    #expect(
      ranges == [
        ["0", "113427455640312821154458202477256070484"],
        ["113427455640312821154458202477256070485", "226854911280625642308916404954512140969"],
        ["226854911280625642308916404954512140970", "340282366920938463463374607431768211455"],
      ]
    )
    let summary = await fixture.call("DescribeStreamSummary", #"{"StreamName":"clicks"}"#)
    let counted = summary.object["StreamDescriptionSummary"] as? NSDictionary
    #expect(counted?["OpenShardCount"] as? Int == 3)
    let shards = await fixture.call("ListShards", #"{"StreamName":"clicks"}"#)
    #expect(shards.list("Shards").count == 3 && shards.object["NextToken"] == nil)
    let some = await fixture.call("ListShards", #"{"StreamName":"clicks","MaxResults":2}"#)
    let token = try #require(some.object["NextToken"] as? String)
    // AWS takes no name beside the token.
    let rest = await fixture.call("ListShards", #"{"NextToken":"\#(token)","MaxResults":2}"#)
    #expect(some.list("Shards") + rest.list("Shards") == shards.list("Shards"))
    #expect(rest.object["NextToken"] == nil)
    for name in ["b", "a", "c"] {
      try fixture.catalog.createStream(name, kind: .kinesis, project: fixture.project)
    }
    let listed = await fixture.call("ListStreams", #"{"Limit":2,"ExclusiveStartStreamName":"a"}"#)
    #expect(listed.object["StreamNames"] as? [String] == ["b", "c"])
    #expect(listed.object["HasMoreStreams"] as? Bool == true)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `every stream is listed page by page, whichever way a client goes on`(
    limit: Int
  ) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    for kind in [RecordStream.Kind.kinesis, .firehose] {
      for name in ["b", "a", "d", "c"] {
        try fixture.catalog.createStream(name, kind: kind, project: fixture.project)
      }
    }
    // As boto3's paginator goes on, as others do by the last name, and as Firehose's clients do.
    for (operation, service, names, more, next) in [
      ("ListStreams", .kinesis, "StreamNames", "HasMoreStreams", "NextToken"),
      ("ListStreams", .kinesis, "StreamNames", "HasMoreStreams", "ExclusiveStartStreamName"),
      (
        "ListDeliveryStreams", .firehose, "DeliveryStreamNames", "HasMoreDeliveryStreams",
        "ExclusiveStartDeliveryStreamName"
      ),
    ] as [(String, AWSService, String, String, String)] {
      var found: [String] = []
      var start: String? = ""
      for _ in 0..<10 {
        guard let place = start else { break }
        let from = place.isEmpty ? "" : #","\#(next)":"\#(place)""#
        let page = await fixture.call(operation, #"{"Limit":\#(limit)\#(from)}"#, service)
        let listed = page.object[names] as? [String] ?? []
        #expect(listed.count <= limit && page.status == 200)
        found += listed
        let token = page.object["NextToken"] as? String
        let isMore = page.object[more] as? Bool == true
        if service == .kinesis { #expect((token != nil) == isMore) }
        start = isMore ? (next == "NextToken" ? token : listed.last) : nil
      }
      let all = service == .kinesis ? ["a", "b", "c", "clicks", "d"] : ["a", "b", "c", "d"]
      #expect(start == nil && found == all)
    }
  }

  @Test func `more records or names than may be asked for at once are refused by name`()
    async throws
  {
    let fixture = try fixture()
    defer { fixture.close() }
    _ = await put(fixture, ["a"])
    let asked = await fixture.call(
      "GetShardIterator",
      #"{"StreamName":"clicks","ShardId":"shardId-000000000000","ShardIteratorType":"TRIM_HORIZON"}"#
    )
    let iterator = #""ShardIterator":"\#(asked.text("ShardIterator"))""#
    for (operation, body, limit, error) in [
      ("GetRecords", iterator, 10_000, nil),
      ("GetRecords", iterator, 10_001, "InvalidArgumentException"),
      ("GetRecords", iterator, 0, "ValidationException"),
      ("ListStreams", #""X":1"#, 10_001, "ValidationException"),
      ("DescribeStream", #""StreamName":"clicks""#, 0, "ValidationException"),
    ] as [(String, String, Int, String?)] {
      let answer = await fixture.call(operation, #"{\#(body),"Limit":\#(limit)}"#)
      let told: Comment = "\(operation) of \(limit)"
      #expect(answer.status == (error == nil ? 200 : 400), told)
      #expect(answer.error == error, told)
      if error != nil { #expect(answer.message.contains("1 to 10000"), told) }
    }
  }

  @Test func `a record that is an event becomes one, any other is kept all the same`() async throws
  {
    let fixture = try fixture()
    defer { fixture.close() }
    let texts = [
      #"{"name":"Song Played","id":"e1","ts":1793611800000,"user_id":"u","props":{"n":1},"x":2}"#,
      #"{"event_type":"opened","time":1793611801000,"device_id":"d","event_properties":{"a":"b"}}"#,
      "plain \"text\"", #"{"name":7}"#, #"{"other":1}"#, #"{"name":"cut""#, "\u{0}\u{1}",
      #"{"eventName":"closed","eventId":"e2","deviceId":"d","userId":"u","sessionId":"s"}"#,
    ]
    let body = texts.map {
      #"{"Data":"\#(Data($0.utf8).base64EncodedString())","PartitionKey":"k"}"#
    }
    let answer = await fixture.call(
      "PutRecords",
      #"{"StreamName":"clicks","Records":[\#(body.joined(separator: ","))]}"#
    )
    #expect(answer.status == 200)
    #expect(await fixture.read().map(StreamFixture.text) == texts)
    let events = try fixture.logged()
    #expect(
      events.map(\.name) == ["Song Played", "opened"]
        + [String](repeating: "$stream_record", count: 5) + ["closed"]
    )
    #expect(events[7].id == "e2" && events[7].deviceID == "d" && events[7].userID == "u")
    #expect(events[7].sessionID == "s" && events[7].context.isEmpty)
    #expect(events[0].id == "e1" && events[0].userID == "u" && events[0].properties == #"{"n":1}"#)
    #expect(events[0].context == #"{"x":2}"# && events[0].timestampMs == 1_793_611_800_000)
    #expect(events[0].key == .native(project: fixture.project, id: "e1"))
    #expect(events[1].deviceID == "d" && events[1].properties == #"{"a":"b"}"#)
    #expect(events[2].properties == #"{"bytes":12,"partition_key":"k","text":"plain \"text\""}"#)
    #expect(events[6].properties == #"{"bytes":2,"partition_key":"k","data":"AAE="}"#)
    // Sent again the event counts once; the stream has it twice, as it was put.
    _ = await fixture.call("PutRecords", StreamFixture.records([(texts[0], "k")]))
    #expect(await fixture.read().count == 9)
  }

  private static func event(_ id: String, of user: String) -> String {
    #"{"name":"opened","id":"\#(id)","user_id":"\#(user)"}"#
  }

  /// Reads a shard from everywhere: some records with their numbers, and one more.
  private func expect(
    _ left: [(text: String, number: String)],
    then last: String,
    behind gone: String,
    in fixture: StreamFixture
  ) async {
    let found = await fixture.read()
    #expect(found.map(StreamFixture.text) == left.map(\.text) + [last])
    let numbers = found.prefix(left.count).compactMap { $0["SequenceNumber"] as? String }
    #expect(numbers == left.map(\.number))
    #expect(await fixture.read(limit: 1).count == left.count + 1)
    // The number of what is gone is a place still.
    for type in ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] {
      let place = #""ShardIteratorType":"\#(type)","StartingSequenceNumber":"\#(gone)""#
      #expect(await fixture.read(from: place).count == left.count + 1)
    }
  }

  @Test func `what was erased is not read any more, and the others keep their numbers`()
    async throws
  {
    var fixture = try fixture()
    defer { fixture.close() }
    // The fourth and the last are events twice in the request: the stream has them twice, the log too,
    // and the loader gives back to the quota what the store had already.
    let texts = [
      Self.event("1", of: "john"), Self.event("2", of: "mary"), "no event",
      Self.event("2", of: "mary"), Self.event("3", of: "john"), Self.event("3", of: "john"),
    ]
    let numbers = await put(fixture, texts)
    try #require(numbers.count == 6)
    #expect(fixture.usage.takePending().reduce(0) { $0 + $1.events } == 6)
    _ = await put(fixture, [Self.event("4", of: "john"), Self.event("5", of: "mary")])
    let left = [1, 2, 3].map { (texts[$0], numbers[$0]) }
    // In the log until it is swept, for instance because it came late.
    fixture.erased.withLock { $0 = ["john"] }
    await expect(left, then: Self.event("5", of: "mary"), behind: numbers[0], in: fixture)
    fixture.erased.withLock { $0 = [] }
    #expect(await fixture.read().count == 8)
    // Taken out of the log.
    let changed = try fixture.log.rewrite { record in
      RecordEraser.erase(record) { event, _ in event.record.userID == "john" }
    }
    #expect(changed == 2)
    await expect(left, then: Self.event("5", of: "mary"), behind: numbers[0], in: fixture)
    try fixture.restart()
    await expect(left, then: Self.event("5", of: "mary"), behind: numbers[0], in: fixture)
    #expect(try fixture.logged().allSatisfy { $0.userID != "john" })
  }

  @Test("AWS-S18 AWS-C17 a key may put where its rights say, and do nothing else")
  func rights() async throws {
    let fixture = try StreamFixture.limited(to: "kinesis:PutRecords", .kinesis)
    defer { fixture.close() }
    let records = [(data: "a", key: "k")]
    let taken = await fixture.call("PutRecords", StreamFixture.records(records, stream: "mystream"))
    #expect(taken.status == 200)
    for (operation, body) in [
      ("PutRecord", #"{"StreamName":"mystream","Data":"YQ==","PartitionKey":"k"}"#),
      ("PutRecords", StreamFixture.records(records, stream: "other")), ("ListStreams", "{}"),
    ] {
      let answer = await fixture.call(operation, body)
      #expect(answer.status == 400 && answer.error == "AccessDeniedException", "\(operation)")
    }
  }

  @Test func `a stream of another project is not there`() async throws {
    var fixture = try fixture()
    defer { fixture.close() }
    let other = try fixture.catalog.createProject(name: "Other")
    _ = try fixture.catalog.adoptAWSKey(
      project: other.id,
      id: "AKIDOTHER",
      secret: StreamFixture.secret
    )
    let asked = await fixture.call(
      "GetShardIterator",
      #"{"StreamName":"clicks","ShardId":"shardId-000000000000","ShardIteratorType":"LATEST"}"#
    )
    fixture.key = "AKIDOTHER"
    let put = await fixture.call("PutRecords", StreamFixture.records([("a", "k")]))
    #expect(put.error == "ResourceNotFoundException")
    let read = await fixture.call(
      "GetRecords",
      #"{"ShardIterator":"\#(asked.text("ShardIterator"))"}"#
    )
    #expect(read.error == "ResourceNotFoundException")
  }
}

extension StreamFixture {
  /// Every event in the log that is counted.
  func logged() throws -> [EventRecord] {
    var events: [EventRecord] = []
    try readLog { events += try RecordReader.events(of: Array($0)) }
    return events
  }
}
