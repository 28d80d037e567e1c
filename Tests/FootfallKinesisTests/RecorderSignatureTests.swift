import FootfallAWS
import FootfallKinesis
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Recorders: signatures` {
  private let world = RecorderWorld(
    clock: ManualClock(Date(timeIntervalSince1970: 1_793_611_815))
  )

  private func authorization() -> String? {
    world.transport.requests.first?.headers.first { $0.name == "Authorization" }?.value
  }

  @Test
  func `AWS-S1: what a recorder sends to Kinesis is the vector's request, with its signature`()
    async throws
  {
    let recorder = world.kinesis()
    for (data, key) in [("hello", "user-1"), ("world", "user-2")] {
      _ = await recorder.saveRecord(Data(data.utf8), streamName: "clicks", partitionKey: key)
        .ended()
    }
    await recorder.submit()
    let request = try #require(world.transport.requests.first)
    #expect(request.url == "https://kinesis.us-east-1.amazonaws.com/" && request.body.count == 123)
    #expect(
      authorization()
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261102/us-east-1/kinesis/aws4_request, "
        + "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
        + "Signature=26fa81870b213ed73b9652bd8e46e31d47d92e4a9799780b7e5ac47f015d906c"
    )
  }

  @Test
  func `AWS-S2: what a recorder sends to Firehose is the vector's request, with its signature`()
    async throws
  {
    let recorder = world.firehose()
    await recorder.save(["hello", "world"], in: "archive")
    await recorder.submit()
    #expect(world.transport.requests.first?.body.count == 84)
    #expect(
      authorization()
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261102/us-east-1/firehose/aws4_request, "
        + "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
        + "Signature=e8a2991cad84e479736765ad7bc7b81b4fc18013976a024f10606a93cb5f1c2e"
    )
  }

  @Test func `one setting points a recorder at another server`() async {
    let endpoint = AWSEndpoint(
      region: .EUCentral1,
      service: .Kinesis,
      url: URL(string: "http://127.0.0.1:4001") ?? URL(fileURLWithPath: "/")
    )
    let recorder = world.kinesis(
      AWSServiceConfiguration(
        region: .EUCentral1,
        endpoint: endpoint,
        credentialsProvider: RecorderWorld.credentials
      )
    )
    await recorder.save(["a"])
    await recorder.submit()
    #expect(world.transport.requests.first?.url == "http://127.0.0.1:4001/")
    #expect(authorization()?.contains("/eu-central-1/kinesis/") == true)
  }
}
