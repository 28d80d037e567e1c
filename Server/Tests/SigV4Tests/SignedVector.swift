import Testing
import Wire

@testable import SigV4

/// A request whose signature was computed elsewhere.
struct SignedVector: Sendable, CustomTestStringConvertible {
  static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  /// 2 November 2026, 09:30:15 UTC, when all of them were signed.
  static let signedAtMs: Int64 = 1_793_611_815_000

  var name: String
  var service: AWSService
  var method = "POST"
  var path = "/"
  var query = ""
  var headers: [String: String]
  var body: [UInt8]

  var testDescription: String { name }

  /// Checks it as a server would.
  func check(
    secret: String = Self.secret,
    publicHost: String? = nil,
    nowMs: Int64 = Self.signedAtMs,
    as service: AWSService? = nil
  ) throws(SignatureProblem) {
    try withRequest { (request) throws(SignatureProblem) in
      let signature = try SignatureV4(of: request, for: service ?? self.service)
      try signature.check(request, secret: secret, publicHost: publicHost, nowMs: nowMs)
    }
  }

  /// Signs it anew over those header fields.
  mutating func sign(
    _ names: [String],
    region: String = "us-east-1",
    pathIsEncodedOnce: Bool = false
  ) {
    let scope = ["20261102", region, service.rawValue, "aws4_request"]
    let canonical = withRequest { request in
      request.canonical(
        signing: request.headerLines(names),
        host: headers["host"] ?? "",
        path: path[...].utf8,
        bodyHash: Hex.text(Digest.sha256(request.body))
      )
    }
    let whole = String(decoding: canonical, as: UTF8.self)
    var text = pathIsEncodedOnce ? whole.replacing("%25", with: "%") : whole
    let hash = text.withUTF8 { Hex.text(Digest.sha256(UnsafeRawBufferPointer($0))) }
    let key = scope.reduce(Array(("AWS4" + Self.secret).utf8)) { Digest.hmac(key: $0, $1) }
    let signature = Digest.hmac(
      key: key,
      "AWS4-HMAC-SHA256\n20261102T093015Z\n\(scope.joined(separator: "/"))\n\(hash)"
    )
    authorize(
      scope: scope.joined(separator: "/"),
      names.joined(separator: ";"),
      Hex.text(signature)
    )
  }

  mutating func authorize(scope: String, _ signed: String, _ signature: String) {
    headers["authorization"] =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\(scope), SignedHeaders=\(signed), "
      + "Signature=\(signature)"
  }

  func withRequest<R, E: Error>(_ body: (SignedRequest) throws(E) -> R) throws(E) -> R {
    var path = Array(path.utf8)
    var query = Array(query.utf8)
    var bytes = self.body
    let result = path.withUnsafeMutableBytes { path in
      query.withUnsafeMutableBytes { query in
        bytes.withUnsafeMutableBytes { bytes in
          Result { () throws(E) in
            try body(
              SignedRequest(
                method: method,
                path: UnsafeRawBufferPointer(path),
                query: UnsafeRawBufferPointer(query),
                body: UnsafeRawBufferPointer(bytes),
                headers: { name in headers[name].map { [$0] } ?? [] }
              )
            )
          }
        }
      }
    }
    return try result.get()
  }
}

extension SignedVector {
  /// The vectors V1 to V6.
  static let all = [kinesis, firehose, pinpoint, doubleEncoded, token, iOS]

  private static let app = "0123456789abcdef0123456789abcdef"

  private init(
    _ name: String,
    _ service: AWSService,
    _ headers: [String: String],
    body: String = "",
    signed: String,
    _ signature: String
  ) {
    self.name = name
    self.service = service
    self.headers = headers
    self.headers["x-amz-date"] = "20261102T093015Z"
    self.body = Array(body.utf8)
    authorize(scope: "20261102/us-east-1/\(service.rawValue)/aws4_request", signed, signature)
  }

  static let kinesis = SignedVector(
    "V1",
    .kinesis,
    [
      "host": "kinesis.us-east-1.amazonaws.com", "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "Kinesis_20131202.PutRecords",
    ],
    body:
      #"{"StreamName":"clicks","Records":[{"Data":"aGVsbG8=","PartitionKey":"user-1"},{"Data":"d29ybGQ=","PartitionKey":"user-2"}]}"#,
    signed: "content-type;host;x-amz-date;x-amz-target",
    "26fa81870b213ed73b9652bd8e46e31d47d92e4a9799780b7e5ac47f015d906c"
  )

  static let firehose = SignedVector(
    "V2",
    .firehose,
    [
      "host": "firehose.us-east-1.amazonaws.com", "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "Firehose_20150804.PutRecordBatch",
    ],
    body: #"{"DeliveryStreamName":"archive","Records":[{"Data":"aGVsbG8="},{"Data":"d29ybGQ="}]}"#,
    signed: "content-type;host;x-amz-date;x-amz-target",
    "e8a2991cad84e479736765ad7bc7b81b4fc18013976a024f10606a93cb5f1c2e"
  )

  static let pinpoint: SignedVector = {
    var vector = SignedVector(
      "V3",
      .pinpoint,
      ["host": "pinpoint.us-east-1.amazonaws.com", "content-type": "application/json"],
      body:
        #"{"BatchItem":{"ep-1":{"Endpoint":{"ChannelType":"APNS"},"Events":{"ev-1":{"EventType":"_session.start","Timestamp":"2026-11-02T09:30:00.000Z","Session":{"Id":"89abcdef-0000ep-1-20261102-093000000","StartTimestamp":"2026-11-02T09:30:00.000Z"}}}}}}"#,
      signed: "content-type;host;x-amz-date",
      "0ae5a1264321315d79a78822f4bbc73060b0d60b9270129b51d7537d42b1d04e"
    )
    vector.path = "/v1/apps/\(app)/events"
    return vector
  }()

  static let doubleEncoded: SignedVector = {
    var vector = SignedVector(
      "V4",
      .pinpoint,
      ["host": "pinpoint.us-east-1.amazonaws.com"],
      signed: "host;x-amz-date",
      "e4c47634eb655728a5f51e8184185b96f6cad60f945f12d66c45c959095f2a48"
    )
    vector.method = "GET"
    vector.path = "/v1/apps/\(app)/users/a%2Bb%40example.com"
    return vector
  }()

  static let token: SignedVector = {
    var headers = kinesis.headers
    headers["host"] = "127.0.0.1:8700"
    headers["x-amz-security-token"] = "EXAMPLESESSIONTOKEN//example=="
    return SignedVector(
      "V5",
      .kinesis,
      headers,
      body: String(decoding: kinesis.body, as: UTF8.self),
      signed: "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
      "9c9a4d981cb009460a5d48b1f49d105b4edeb779207d4341f69db98f8146fd9d"
    )
  }()

  static let iOS: SignedVector = {
    var headers = kinesis.headers
    headers["host"] = "127.0.0.1:8700"
    headers["content-encoding"] = "gzip"
    headers["user-agent"] = "aws-sdk-iOS/2.38.1 iOS/17.5 en_US"
    var vector = SignedVector(
      "V6",
      .kinesis,
      headers,
      signed: "content-encoding;content-type;host;user-agent;x-amz-date;x-amz-target",
      "f8067d508265984fffeb7b615dbe1c7a3bdd514d4851b2b344cfd41221d0baa4"
    )
    vector.body =
      Hex.bytes(
        """
        1f8b0800000000000203ab560a2e294a4dccf54bcc4d55b2524acec94cce2e56d2510a4a4dce2f4a2956b28aae\
        5672492c4904ca25ba871527b95bd8026503128b4a324b32f3f3bc532b8132a5c5a945ba864ab5b1b5007c6ae1\
        b84f000000
        """.utf8
      ) ?? []
    return vector
  }()
}
