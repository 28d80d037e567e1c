import Catalog
import EventRecord
import FootfallSystem
import Foundation
import HTTPServing
import Testing
import Wire

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Kinesis's clients` {
  private func fixture(
    shards: Int = 1,
    recordsPerSecond: Int = 0,
    bytesPerSecond: Int = 0
  ) throws -> StreamFixture {
    let fixture = try StreamFixture()
    try fixture.catalog.createStream(
      "clicks",
      kind: .kinesis,
      project: fixture.project,
      shards: shards,
      recordsPerSecond: recordsPerSecond,
      bytesPerSecond: bytesPerSecond
    )
    return fixture
  }

  @Test("AWS-K1 two records have two results in order, each with shard and sequence number")
  func put() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let answer = await fixture.call(
      "PutRecords",
      StreamFixture.records([("hello", "user-1"), ("world", "user-2")])
    )
    #expect(answer.status == 200)
    #expect(answer.response.header("Content-Type") == "application/x-amz-json-1.1")
    #expect(answer.response.header("x-amzn-ErrorType") == nil)
    #expect(answer.number("FailedRecordCount") == 0)
    let results = answer.list("Records")
    #expect(
      results.map { $0["ShardId"] as? String } == ["shardId-000000000000", "shardId-000000000000"]
    )
    let numbers = results.compactMap { $0["SequenceNumber"] as? String }
    #expect(numbers.count == 2 && numbers[0] < numbers[1])
    let read = await fixture.read()
    #expect(read.map(StreamFixture.text) == ["hello", "world"])
    #expect(read.map { $0["SequenceNumber"] as? String } == numbers)
    #expect(read.map { $0["PartitionKey"] as? String } == ["user-1", "user-2"])
    #expect(read.first?["ApproximateArrivalTimestamp"] as? Double == 1_793_611_815)
  }

  @Test("AWS-K2 500 records are taken, 501 are not", arguments: [(500, 200), (501, 400)])
  func count(records: Int, status: Int) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let answer = await fixture.call(
      "PutRecords",
      StreamFixture.records((0..<records).map { ("r\($0)", "k\($0)") })
    )
    #expect(answer.status == status)
    guard status == 400 else { return #expect(answer.list("Records").count == 500) }
    #expect(answer.error == "ValidationException")
    #expect(
      answer.message
        == "1 validation error detected: Value at 'records' failed to satisfy constraint: Member must "
        + "have length less than or equal to 500"
    )
    #expect(await fixture.read().isEmpty)
  }

  @Test("AWS-K3 a shard that takes no more fails its record alone")
  func throttled() async throws {
    let fixture = try fixture(shards: 2, recordsPerSecond: 1)
    defer { fixture.close() }
    let body = StreamFixture.records([("a", "user-1"), ("b", "user-1"), ("c", "user-2")])
    let answer = await fixture.call("PutRecords", body)
    #expect(answer.status == 200 && answer.number("FailedRecordCount") == 1)
    let codes = answer.list("Records").map { $0["ErrorCode"] as? String }
    #expect(codes == [nil, "ProvisionedThroughputExceededException", nil])
    #expect(answer.list("Records")[1]["SequenceNumber"] == nil)
    #expect(await fixture.read(shard: 1).map(StreamFixture.text) == ["a"])
    #expect(await fixture.read(shard: 0).map(StreamFixture.text) == ["c"])
    fixture.clock.withLock { $0 += 1_000 }
    #expect(await fixture.call("PutRecords", body).number("FailedRecordCount") == 1)
  }

  @Test("AWS-K12 one record that is over the limit fails its request by a name clients retry")
  func throttledAlone() async throws {
    let fixture = try fixture(bytesPerSecond: 10)
    defer { fixture.close() }
    let body = #"{"StreamName":"clicks","Data":"aGVsbG8=","PartitionKey":"a"}"#
    #expect(await fixture.call("PutRecord", body).status == 200)
    let answer = await fixture.call("PutRecord", body)
    #expect(answer.status == 400 && answer.error == "ProvisionedThroughputExceededException")
    #expect(
      answer.message.hasPrefix("Rate exceeded for shard shardId-000000000000 in stream clicks")
    )
    #expect(await fixture.read().count == 1)
  }

  @Test("AWS-K4 a stream that is not there is named")
  func unknownStream() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let answer = await fixture.call("PutRecords", StreamFixture.records([("a", "k")], stream: "zz"))
    #expect(answer.status == 400 && answer.error == "ResourceNotFoundException")
    #expect(answer.message == "Stream zz under account 123456789012 not found.")
  }

  @Test(
    "AWS-K5 keys are spread by their MD5",
    arguments: [
      (2, "user-1", 1), (2, "user-2", 0), (4, "user-1", 3), (4, "user-2", 0), (1, "user-1", 0),
    ]
  )
  func shards(count: Int, key: String, shard: Int) async throws {
    let fixture = try fixture(shards: count)
    defer { fixture.close() }
    let answer = await fixture.call("PutRecords", StreamFixture.records([("a", key)]))
    let id = answer.list("Records").first?["ShardId"] as? String
    #expect(id == "shardId-00000000000\(shard)")
  }

  @Test(
    "AWS-K6 a hash key overrides the partition key's",
    arguments: [
      ("0", "shardId-000000000000"),
      ("340282366920938463463374607431768211455", "shardId-000000000001"),
      ("170141183460469231731687303715884105727", "shardId-000000000000"),
      ("170141183460469231731687303715884105728", "shardId-000000000001"),
      ("340282366920938463463374607431768211456", nil), ("x", nil), ("007", nil), ("", nil),
    ]
  )
  func hashKey(hash: String, shard: String?) async throws {
    let fixture = try fixture(shards: 2)
    defer { fixture.close() }
    let answer = await fixture.call(
      "PutRecord",
      #"{"StreamName":"clicks","Data":"YQ==","PartitionKey":"k","ExplicitHashKey":"\#(hash)"}"#
    )
    #expect(answer.status == (shard == nil ? 400 : 200))
    if let shard {
      #expect(answer.text("ShardId") == shard)
    } else {
      #expect(answer.error == "InvalidArgumentException")
    }
  }

  @Test(
    "AWS-K7 a partition key has up to 256 characters",
    arguments: [("k", 256, 200), ("k", 257, 400), ("é", 256, 200), ("日", 257, 400), ("k", 0, 400)]
  )
  func partitionKey(letter: String, count: Int, status: Int) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let key = String(repeating: letter, count: count)
    let answer = await fixture.call("PutRecords", StreamFixture.records([("a", key)]))
    #expect(answer.status == status)
  }

  @Test(
    "AWS-K8 what was put is read back to the byte",
    arguments: [0, 1, 2, 3, 1_048_576, 10 * 1_048_576 - 1]
  )
  func bytes(count: Int) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    let body =
      #"{"StreamName":"clicks","PartitionKey":"k","Data":"\#(data.base64EncodedString())"}"#
    #expect(await fixture.call("PutRecord", body).status == 200)
    let read = await fixture.read()
    #expect(read.count == 1)
    #expect(Data(base64Encoded: read.first?["Data"] as? String ?? "") == data)
  }

  @Test("AWS-K9 a compressed request of the iOS SDK is taken as it was signed")
  func compressed() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let hex =
      "1f8b0800000000000203ab560a2e294a4dccf54bcc4d55b2524acec94cce2e56d2510a4a4dce2f4a2956b28aae567249"
      + "2c4904ca25ba871527b95bd8026503128b4a324b32f3f3bc532b8132a5c5a945ba864ab5b1b5007c6ae1b84f000000"
    let digits = Array(hex.utf8).map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    let body = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let answer = StreamAnswer(
      await TestClient(fixture.router).post(
        "/",
        headers: [
          Header("Host", "127.0.0.1:8700"), Header("Content-Encoding", "gzip"),
          Header("Content-Type", "application/x-amz-json-1.1"),
          Header("User-Agent", "aws-sdk-iOS/2.38.1 iOS/17.5 en_US"),
          Header("X-Amz-Date", "20261102T093015Z"),
          Header("X-Amz-Target", "Kinesis_20131202.PutRecords"),
          Header(
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261102/us-east-1/kinesis/aws4_request, "
              + "SignedHeaders=content-encoding;content-type;host;user-agent;x-amz-date;x-amz-target, "
              + "Signature=f8067d508265984fffeb7b615dbe1c7a3bdd514d4851b2b344cfd41221d0baa4"
          ),
        ],
        body: body
      )
    )
    #expect(answer.status == 200)
    #expect(await fixture.read().map(StreamFixture.text) == ["hello"])
  }

  @Test(
    "AWS-K10 a stream is named by name or resource name",
    arguments: [
      (#""StreamARN":"arn:aws:kinesis:eu-central-1:123456789012:stream/clicks""#, nil),
      (#""StreamName":"clicks","StreamARN":"arn:aws:kinesis:us-east-1:1:stream/clicks""#, nil),
      (
        #""StreamName":"other","StreamARN":"arn:aws:kinesis:us-east-1:1:stream/clicks""#,
        "InvalidArgumentException"
      ),
      (#""X":1"#, "InvalidArgumentException"), (#""StreamName":"a/b""#, "ValidationException"),
    ]
  )
  func names(member: String, error: String?) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let answer = await fixture.call(
      "PutRecord",
      "{\(member),\"Data\":\"YQ==\",\"PartitionKey\":\"k\"}"
    )
    #expect(answer.status == (error == nil ? 200 : 400))
    #expect(answer.error == error)
  }

  @Test(
    "AWS-K11 an operation is named to the letter",
    arguments: [
      "Kinesis_20131202.putrecords", "Kinesis_20131202.PutRecordBatch", "Kinesis_20131202",
      "kinesis_20131202.PutRecords", "DynamoDB_20120810.PutItem", ".",
    ]
  )
  func operation(target: String) async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    let answer = await fixture.call(
      "",
      StreamFixture.records([("a", "k")]),
      target: target
    )
    #expect(answer.status == 400 && answer.error == "UnknownOperationException")
  }

  @Test func `a whole request is refused by name`() async throws {
    let fixture = try fixture()
    defer { fixture.close() }
    for (body, error) in [
      ("{", "SerializationException"), ("[]", "SerializationException"),
      (#"{"StreamName":"clicks","Records":[]}"#, "ValidationException"),
      (#"{"StreamName":"clicks","Records":[{"PartitionKey":"k"}]}"#, "ValidationException"),
      (
        #"{"StreamName":"clicks","Records":[{"Data":"!","PartitionKey":"k"}]}"#,
        "SerializationException"
      ),
      (
        #"{"StreamName":"clicks","Records":[{"Data":"YQ=","PartitionKey":"k"}]}"#,
        "SerializationException"
      ),
      (#"{"StreamName":"clicks","Records":[{"Data":"YQ=="}]}"#, "InvalidArgumentException"),
    ] {
      let answer = await fixture.call("PutRecords", body)
      #expect(answer.status == 400)
      #expect(answer.error == error, "\(body)")
    }
    #expect(await fixture.read().isEmpty)
    var other = fixture
    other.key = "AKIDUNKNOWN"
    let answer = await other.call("PutRecords", StreamFixture.records([("a", "k")]))
    #expect(answer.status == 400 && answer.error == "UnrecognizedClientException")
  }
}
