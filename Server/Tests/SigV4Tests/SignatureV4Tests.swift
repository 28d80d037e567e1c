import Testing
import Wire

@testable import SigV4

@Suite struct `Signatures of AWS clients` {
  @Test(
    "AWS-S7 requests signed elsewhere are verified up to 900 s from the server's clock",
    arguments: SignedVector.all,
    [-900_000, 0, 900_000] as [Int64]
  )
  func vectors(vector: SignedVector, skewMs: Int64) throws {
    #expect(!vector.body.isEmpty || vector.method == "GET")
    try vector.check(nowMs: SignedVector.signedAtMs + skewMs)
  }

  @Test(arguments: SignedVector.all, [-901_000, 901_000] as [Int64])
  func `a clock further off is told so`(vector: SignedVector, skewMs: Int64) {
    let problem = #expect(throws: SignatureProblem.self) {
      try vector.check(nowMs: SignedVector.signedAtMs + skewMs)
    }
    guard case .invalid(let text) = problem else {
      Issue.record("it is \(String(describing: problem))")
      return
    }
    #expect(text.hasPrefix("Signature expired"))
    #expect(text.contains(skewMs < 0 ? "20261102T091514Z" : "20261102T094516Z"))
  }

  @Test(arguments: SignedVector.all)
  func `whatever differs of what was signed is noticed`(vector: SignedVector) throws {
    var changes: [(inout SignedVector) -> Void] = [
      { $0.method = $0.method == "GET" ? "POST" : "GET" },
      { $0.path += "x" },
      { $0.query = "a=b" },
      { $0.body += [0x20] },
      { $0.headers["host"] = "example.com" },
    ]
    if !vector.body.isEmpty { changes.append { $0.body[0] ^= 1 } }
    let signed = vector.headers.keys.filter {
      !["authorization", "host", "x-amz-date"].contains($0)
    }
    for name in signed { changes.append { $0.headers[name]? += "x" } }
    for change in changes {
      var changed = vector
      change(&changed)
      #expect(throws: SignatureProblem.self) { try changed.check() }
    }
    #expect(throws: SignatureProblem.self) { try vector.check(secret: "another") }
  }

  @Test("AWS-S12 any header fields may be signed beside the two that must be")
  func documentationSample() throws {
    var request = SignedVector.pinpoint
    request.headers["accept"] = "application/json"
    request.headers["content-length"] = String(request.body.count)
    request.sign(["accept", "content-length", "content-type", "host", "x-amz-date"])
    try request.check()
    request.headers["accept"] = "*/*"
    #expect(throws: SignatureProblem.self) { try request.check() }
  }

  @Test("AWS-S13 a host that is not signed, or another day in the scope, is rejected")
  func requiredHeaders() throws {
    var request = SignedVector.kinesis
    request.sign(["host", "x-amz-date"])
    try request.check()
    request.sign(["content-type", "x-amz-date"])
    #expect(throws: SignatureProblem.invalid("The header host must be among the SignedHeaders.")) {
      try request.check()
    }
    request.sign(["host"])
    #expect(throws: SignatureProblem.self) { try request.check() }
    request.sign(["host", "x-amz-date"])
    let authorization = try #require(request.headers["authorization"])
    request.headers["authorization"] = authorization.replacing("/20261102/", with: "/20261101/")
    #expect(throws: SignatureProblem.self) { try request.check() }
  }

  @Test("AWS-S14 a path that was encoded only once before signing is rejected")
  func pathEncoding() throws {
    var request = SignedVector.doubleEncoded
    request.sign(["host", "x-amz-date"])
    try request.check()
    request.sign(["host", "x-amz-date"], pathIsEncodedOnce: true)
    #expect(throws: SignatureProblem.self) { try request.check() }
  }

  @Test func `a slash at the end of the path may be signed or not`() throws {
    var request = SignedVector.pinpoint
    request.path += "/"
    try request.check()
    request.sign(["host", "x-amz-date"])
    try request.check()
  }

  @Test func `the public host may be the one that was signed`() throws {
    var request = SignedVector.kinesis
    request.headers["host"] = "stats.example.com:8443"
    request.sign(["host", "x-amz-date"])
    request.headers["host"] = "127.0.0.1:4001"
    #expect(throws: SignatureProblem.self) { try request.check() }
    try request.check(publicHost: "stats.example.com:8443")
    #expect(SignatureV4.hosts("a:1", "b") == ["a:1", "a", "b"])
    #expect(SignatureV4.hosts("[::1]:80", nil) == ["[::1]:80", "[::1]"])
    #expect(SignatureV4.hosts("a", "a") == ["a"])
  }

  @Test func `a query's pairs are signed in order, whatever their order in the address`() throws {
    var request = SignedVector.doubleEncoded
    request.query = "a=%20&b=1&b=2&c="
    request.sign(["host", "x-amz-date"])
    request.query = "c&b=2&a=%20&b=1"
    try request.check()
    request.query = "b=2&a=%20&b=1"
    #expect(throws: SignatureProblem.self) { try request.check() }
  }

  @Test func `blanks in and around a value do not count`() throws {
    var request = SignedVector.kinesis
    request.headers["user-agent"] = "a b"
    request.sign(["host", "user-agent", "x-amz-date"])
    request.headers["user-agent"] = "  a   b "
    try request.check()
  }

  @Test func `any region will do, and no other service`() throws {
    var request = SignedVector.pinpoint
    request.sign(["host", "x-amz-date"], region: "mars-north-1")
    try request.check()
    #expect(throws: SignatureProblem.self) { try request.check(as: .kinesis) }
  }

  @Test(arguments: [
    "Bearer ff_pub_x", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request",
    "AWS4-HMAC-SHA256 Credential=a/b/c/aws4_request, SignedHeaders=host, Signature=00",
    "AWS4-HMAC-SHA256 Credential=a//c/d/aws4_request, SignedHeaders=host, Signature=00",
    "AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request, SignedHeaders=host, Signature=zz",
    "AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request, SignedHeaders=, Signature=00", "=,=,,",
  ])
  func `a header that is none is called incomplete`(header: String) {
    var request = SignedVector.kinesis
    request.headers["authorization"] = header
    let problem = #expect(throws: SignatureProblem.self) { try request.check() }
    guard case .incomplete = problem else {
      Issue.record("it is \(String(describing: problem))")
      return
    }
  }

  @Test(arguments: ["", "20261102", "2026-11-02T09:30:15Z", "20261302T093015Z", "20261102T0930159"])
  func `a date that is none is called incomplete`(date: String) {
    var request = SignedVector.kinesis
    request.headers["x-amz-date"] = date
    #expect(
      throws: SignatureProblem.incomplete(
        "The header X-Amz-Date must be a time written 20261102T093015Z."
      )
    ) { try request.check() }
  }

  @Test(arguments: [",", ",   ", " ,\t"])
  func `blanks may stand around the commas, or not`(comma: String) throws {
    var request = SignedVector.kinesis
    let authorization = try #require(request.headers["authorization"])
    request.headers["authorization"] = authorization.replacing(", ", with: comma)
    try request.check()
  }

  @Test(arguments: [
    (SignatureProblem.missing, "MissingAuthenticationTokenException"),
    (.incomplete("x"), "IncompleteSignatureException"),
    (.unknownKey, "UnrecognizedClientException"), (.invalid("x"), "InvalidSignatureException"),
  ])
  func `each problem has its name, and each service its status`(
    problem: SignatureProblem,
    code: String
  ) {
    for (service, status) in [(AWSService.pinpoint, 403), (.kinesis, 400), (.firehose, 400)] {
      let refusal = problem.refusal(by: service)
      #expect(refusal.code == code)
      #expect(refusal.status == status)
      #expect(!refusal.message.isEmpty)
    }
  }
}

@Suite struct `Refusals of AWS clients` {
  @Test func `Pinpoint's body has the message and the request's id`() {
    let refusal = AWSRefusal(400, "BadRequestException", "No \"x\"")
    #expect(
      String(decoding: AWSService.pinpoint.body(of: refusal, requestID: "r"), as: UTF8.self)
        == #"{"Message":"No \"x\"","RequestID":"r"}"#
    )
    for service in [AWSService.kinesis, .firehose] {
      #expect(
        String(decoding: service.body(of: refusal, requestID: "r"), as: UTF8.self)
          == #"{"__type":"BadRequestException","message":"No \"x\""}"#
      )
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
      (1_793_611_815_123, "2026-11-02T09:30:15.123Z", "Mon, 02 Nov 2026 09:30:15 GMT"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
      (-1, "1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    ] as [(Int64, String, String)]
  )
  func `moments are written as protocols want them`(ms: Int64, extended: String, http: String) {
    #expect(UTCTime(ms).extended == extended)
    #expect(UTCTime(ms).http == http)
  }
}
