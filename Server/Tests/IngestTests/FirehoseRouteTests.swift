import Catalog
import FootfallJournal
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Firehose's clients` {
  private func fixture(bytesPerSecond: Int = 0) throws -> StreamFixture {
    let fixture = try StreamFixture()
    try fixture.catalog.createStream(
      "archive",
      kind: .firehose,
      project: fixture.project,
      bytesPerSecond: bytesPerSecond
    )
    return fixture
  }

  private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

  @Test("AWS-F1 each of three records has an id of its own")
  func put() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let body = StreamFixture.batch([[1], [2], [3]])
    let answer = await fixture.call("PutRecordBatch", body, .firehose)
    #expect(answer.status == 200)
    #expect(answer.number("FailedPutCount") == 0)
    #expect(answer.object["Encrypted"] as? Bool == false)
    let ids = answer.list("RequestResponses").compactMap { $0["RecordId"] as? String }
    #expect(Set(ids).count == 3)
    let single = await fixture.call(
      "PutRecord",
      #"{"DeliveryStreamName":"archive","Record":{"Data":"YQ=="}}"#,
      .firehose
    )
    #expect(single.status == 200 && !ids.contains(single.text("RecordId")))
    #expect(single.object["Encrypted"] as? Bool == false)
  }

  @Test(
    "AWS-F2 500 records, each of up to 1,024,000 bytes",
    arguments: [(500, 1, 200), (501, 1, 400), (1, 1_024_000, 200), (1, 1_024_001, 400)]
  )
  func limits(records: Int, bytes: Int, status: Int) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let body = StreamFixture.batch(
      [[UInt8]](repeating: Self.bytes(bytes), count: records)
    )
    #expect(await fixture.call("PutRecordBatch", body, .firehose).status == status)
  }

  @Test("AWS-F3 a request has up to 4 MB of records")
  func total() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let body = StreamFixture.batch(
      [[UInt8]](repeating: Self.bytes(900_000), count: 5)
    )
    let answer = await fixture.call("PutRecordBatch", body, .firehose)
    #expect(answer.status == 400 && answer.error == "InvalidArgumentException")
    #expect(try fixture.logged().isEmpty)
  }

  @Test("AWS-F4 a record that fails leaves the others stored once")
  func partial() async throws {
    let fixture = try fixture(bytesPerSecond: 100)
    defer { fixture.close() }
    let body = StreamFixture.batch([Array("one".utf8), Self.bytes(200), Array("three".utf8)])
    let answer = await fixture.call("PutRecordBatch", body, .firehose)
    #expect(answer.status == 200 && answer.number("FailedPutCount") == 1)
    let results = answer.list("RequestResponses")
    #expect(
      results.map { $0["ErrorCode"] as? String } == [nil, "ServiceUnavailableException", nil]
    )
    #expect(try fixture.content("archive") == "onethree")
    #expect(try fixture.logged().count == 2)
  }

  @Test func `one record that is over the limit fails its request with 503, which clients retry`()
    async throws
  {
    let fixture = try fixture(bytesPerSecond: 1)
    defer { fixture.close() }
    let body = #"{"DeliveryStreamName":"archive","Record":{"Data":"YQ=="}}"#
    #expect(await fixture.call("PutRecord", body, .firehose).status == 200)
    let answer = await fixture.call("PutRecord", body, .firehose)
    #expect(answer.status == 503 && answer.error == "ServiceUnavailableException")
    #expect(answer.message == "Slow down.")
  }

  @Test("AWS-S19 AWS-C18 a key may put where its rights say, and do nothing else")
  func rights() async throws {
    let fixture = try StreamFixture.limited(to: "firehose:PutRecordBatch", .firehose)
    defer { fixture.close() }
    let taken = StreamFixture.batch([[1]], stream: "mystream")
    #expect(await fixture.call("PutRecordBatch", taken, .firehose).status == 200)
    for (operation, body) in [
      ("PutRecord", #"{"DeliveryStreamName":"mystream","Record":{"Data":"YQ=="}}"#),
      ("PutRecordBatch", StreamFixture.batch([[1]], stream: "other")),
    ] {
      let answer = await fixture.call(operation, body, .firehose)
      #expect(answer.status == 400 && answer.error == "AccessDeniedException", "\(operation)")
    }
  }

  @Test func `delivery streams are listed, and one that is not there is named`() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    try fixture.catalog.createStream("clicks", kind: .kinesis, project: fixture.project)
    try fixture.catalog.createStream("backup", kind: .firehose, project: fixture.project)
    let listed = await fixture.call("ListDeliveryStreams", "{}", .firehose)
    #expect(listed.object["DeliveryStreamNames"] as? [String] == ["archive", "backup"])
    #expect(listed.object["HasMoreDeliveryStreams"] as? Bool == false)
    let unknown = StreamFixture.batch([[1]], stream: "zz")
    let answer = await fixture.call("PutRecordBatch", unknown, .firehose)
    #expect(answer.message == "Firehose zz under account 123456789012 not found.")
  }
}

extension StreamFixture {
  /// The bytes of a delivery stream's records, one after the other.
  func content(_ name: String) throws -> String {
    let stream = try #require(catalog.stream(name, kind: .firehose, project: project))
    let extract = StreamExtract(stream: stream.id)
    var content: [UInt8] = []
    try readLog { bytes in try extract.records(of: bytes) { content += $0 } }
    return String(decoding: content, as: UTF8.self)
  }
}
