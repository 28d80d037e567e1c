import FootfallPlatform
import Testing

@testable import FootfallAWS

@Suite struct `Signatures of version 4` {
  private let credentials = Credentials(
    accessKeyID: "AKIDEXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  )
  /// 2 November 2026, 09:30:15 UTC.
  private let now: Int64 = 1_793_611_815_000

  private func authorization(
    _ request: UploadRequest,
    service: String,
    token: String? = nil
  ) -> String {
    var credentials = credentials
    credentials.sessionToken = token
    let signed = RequestSigner(region: "us-east-1", service: service)
      .sign(request, with: credentials, atMilliseconds: now)
    return signed.headers.last { $0.name == "Authorization" }?.value ?? ""
  }

  private let clicks = UploadRequest(
    url: "https://kinesis.us-east-1.amazonaws.com/",
    headers: [
      ("Content-Type", "application/x-amz-json-1.1"),
      ("X-Amz-Target", "Kinesis_20131202.PutRecords"),
    ],
    body: Array(
      #"{"StreamName":"clicks","Records":[{"Data":"aGVsbG8=","PartitionKey":"user-1"},{"Data":"d29ybGQ=","PartitionKey":"user-2"}]}"#
        .utf8
    )
  )

  @Test func `hashes are those of the standard`() {
    #expect(
      RequestSigner.hex(SHA256.hash("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    #expect(
      RequestSigner.hex(SHA256.hash("".utf8))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    let long = String(repeating: "a", count: 1_000_000)
    #expect(
      RequestSigner.hex(SHA256.hash(long.utf8))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
    // RFC 4231, case 2.
    #expect(
      RequestSigner.hex(
        SHA256.hmac(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
      )
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
  }

  @Test func `AWS-S1: V1, Kinesis PutRecords`() {
    #expect(
      authorization(clicks, service: "kinesis")
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261102/us-east-1/kinesis/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=26fa81870b213ed73b9652bd8e46e31d47d92e4a9799780b7e5ac47f015d906c"
    )
    let key = RequestSigner(region: "us-east-1", service: "kinesis")
      .signingKey(credentials.secretKey, day: "20261102")
    #expect(
      RequestSigner.hex(key) == "6565df975fcbe232b54e8505e7ce21afadb5fc6cfe2b3f49b454eb706f79d370"
    )
  }

  @Test func `AWS-S2: V2, Firehose PutRecordBatch`() {
    let request = UploadRequest(
      url: "https://firehose.us-east-1.amazonaws.com/",
      headers: [
        ("Content-Type", "application/x-amz-json-1.1"),
        ("X-Amz-Target", "Firehose_20150804.PutRecordBatch"),
      ],
      body: Array(
        #"{"DeliveryStreamName":"archive","Records":[{"Data":"aGVsbG8="},{"Data":"d29ybGQ="}]}"#
          .utf8
      )
    )
    #expect(
      authorization(request, service: "firehose")
        .hasSuffix("Signature=e8a2991cad84e479736765ad7bc7b81b4fc18013976a024f10606a93cb5f1c2e")
    )
  }

  @Test func `AWS-S3: V3, Pinpoint PutEvents`() {
    let request = UploadRequest(
      url:
        "https://pinpoint.us-east-1.amazonaws.com/v1/apps/0123456789abcdef0123456789abcdef/events",
      headers: [("Content-Type", "application/json")],
      body: Array(
        #"{"BatchItem":{"ep-1":{"Endpoint":{"ChannelType":"APNS"},"Events":{"ev-1":{"EventType":"_session.start","Timestamp":"2026-11-02T09:30:00.000Z","Session":{"Id":"89abcdef-0000ep-1-20261102-093000000","StartTimestamp":"2026-11-02T09:30:00.000Z"}}}}}}"#
          .utf8
      )
    )
    #expect(
      authorization(request, service: "mobiletargeting")
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261102/us-east-1/mobiletargeting/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=0ae5a1264321315d79a78822f4bbc73060b0d60b9270129b51d7537d42b1d04e"
    )
  }

  @Test func `AWS-S4: V4, a path is encoded once more`() {
    let request = UploadRequest(
      method: .get,
      url:
        "https://pinpoint.us-east-1.amazonaws.com/v1/apps/0123456789abcdef0123456789abcdef/users/a%2Bb%40example.com"
    )
    #expect(
      authorization(request, service: "mobiletargeting")
        .hasSuffix("Signature=e4c47634eb655728a5f51e8184185b96f6cad60f945f12d66c45c959095f2a48")
    )
  }

  @Test func `AWS-S5: V5, a port, and a token of a session`() {
    var request = clicks
    request.url = "http://127.0.0.1:8700/"
    #expect(
      authorization(request, service: "kinesis", token: "EXAMPLESESSIONTOKEN//example==")
        .hasSuffix(
          "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=9c9a4d981cb009460a5d48b1f49d105b4edeb779207d4341f69db98f8146fd9d"
        )
    )
  }

  @Test func `AWS-S6: V6, a compressed body, every header signed, and a host without its port`() {
    let hex =
      "1f8b0800000000000203ab560a2e294a4dccf54bcc4d55b2524acec94cce2e56d2510a4a4dce2f4a2956b28aae567249"
      + "2c4904ca25ba871527b95bd8026503128b4a324b32f3f3bc532b8132a5c5a945ba864ab5b1b5007c6ae1b84f000000"
    let digits = hex.compactMap(\.hexDigitValue)
    let body = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
    #expect(body.count == 95)
    // The port is not signed, so the request is signed by the address without it.
    let request = UploadRequest(
      url: "http://127.0.0.1/",
      headers: [
        ("Content-Encoding", "gzip"), ("Content-Type", "application/x-amz-json-1.1"),
        ("User-Agent", "aws-sdk-iOS/2.38.1 iOS/17.5 en_US"),
        ("X-Amz-Target", "Kinesis_20131202.PutRecords"),
      ],
      body: body
    )
    #expect(
      authorization(request, service: "kinesis")
        .hasSuffix(
          "SignedHeaders=content-encoding;content-type;host;user-agent;x-amz-date;x-amz-target, Signature=f8067d508265984fffeb7b615dbe1c7a3bdd514d4851b2b344cfd41221d0baa4"
        )
    )
  }
}
