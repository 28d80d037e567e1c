public import Wire

/// Checks a request that is signed with AWS Signature Version 4.
///
/// A value without clock, store or random source. Two steps, between which the caller looks up the
/// secret of `accessKeyID`:
///
/// ```swift
/// let signature = try SignatureV4(of: request, for: .kinesis)
/// guard let secret = secret(signature.accessKeyID) else { throw SignatureProblem.unknownKey }
/// let key = signature.signingKey(secret)
/// try signature.check(request, key: key, publicHost: "stats.example.com", nowMs: now)
/// ```
///
/// The body that was signed is the one that was sent: check before inflating or parsing it.
public struct SignatureV4 {
  /// How far the request's date may be from the server's clock, in milliseconds, either way.
  ///
  /// Source: Signature Version 4, "Elements of an AWS API request signature".
  public static let toleranceMs: Int64 = 15 * 60_000

  /// Who says to have signed.
  public let accessKeyID: String
  /// When the client signed, by its clock, in milliseconds since 1970.
  public let signedAtMs: Int64

  /// The region it was signed for.
  public var region: String { authorization.scope[1] }

  /// Day, region, service and `aws4_request`.
  var scope: [String] { authorization.scope }

  private let authorization: Authorization
  private let date: String

  /// Takes a request's signature apart.
  ///
  /// The region may be any: clients choose it.
  ///
  /// - Throws: `missing`, `incomplete`, or `invalid` for a scope that is not this service's or not the
  ///   request's day.
  public init(of request: SignedRequest, for service: AWSService) throws(SignatureProblem) {
    guard let header = request.headers("authorization").first else { throw .missing }
    authorization = try Authorization(header)
    guard let date = request.headers("x-amz-date").first, let time = Self.milliseconds(date) else {
      throw .incomplete("The header X-Amz-Date must be a time written 20261102T093015Z.")
    }
    for name in ["host", "x-amz-date"] where !authorization.signedHeaders.contains(name) {
      throw .invalid("The header \(name) must be among the SignedHeaders.")
    }
    guard authorization.scope[3] == "aws4_request" else {
      throw .invalid("The credential's scope must end in aws4_request.")
    }
    guard authorization.scope[0] == date.prefix(8) else {
      throw .invalid("The date in the credential's scope is not that of X-Amz-Date.")
    }
    guard authorization.scope[2] == service.rawValue else {
      throw .invalid("The credential must be scoped to the service \(service.rawValue).")
    }
    self.date = date
    accessKeyID = authorization.accessKeyID
    signedAtMs = time
  }

  /// The key that a secret signs with on that day, in that region and for that service.
  public func signingKey(_ secret: String) -> SigningKey {
    SigningKey(secret: secret, scope: authorization.scope)
  }

  /// Checks the date and the signature, with a secret.
  ///
  /// - Throws: As with a key.
  public func check(
    _ request: SignedRequest,
    secret: String,
    publicHost: String?,
    nowMs: Int64
  ) throws(SignatureProblem) {
    try check(request, key: signingKey(secret), publicHost: publicHost, nowMs: nowMs)
  }

  /// Checks the date and the signature.
  ///
  /// Clients differ in the host they sign: it is tried as it was sent, without its port, and as the
  /// server's public one; a slash at the path's end counts or does not.
  ///
  /// - Throws: `invalid`; for a date out of bounds its text starts with `Signature expired`.
  public func check(
    _ request: SignedRequest,
    key: SigningKey,
    publicHost: String?,
    nowMs: Int64
  ) throws(SignatureProblem) {
    guard abs(nowMs - signedAtMs) <= Self.toleranceMs else {
      throw .invalid(
        "Signature expired: \(date) is more than 15 minutes from the server's time, "
          + "\(UTCTime(nowMs).compact)."
      )
    }
    let bodyHash = Hex.text(Digest.sha256(request.body))
    let lines = request.headerLines(authorization.signedHeaders)
    let scope = authorization.scope.joined(separator: "/")
    let start = Authorization.algorithm + "\n" + date + "\n" + scope + "\n"
    let paths = Self.paths(request.path)
    for host in Self.hosts(request.headers("host").first ?? "", publicHost) {
      for path in paths {
        let canonical = request.canonical(
          signing: lines,
          host: host,
          path: path.utf8,
          bodyHash: bodyHash
        )
        let text = start + Hex.text(canonical.withUnsafeBytes { Digest.sha256($0) })
        if Digest.areEqual(Digest.hmac(key: key.bytes, text), authorization.signature) { return }
      }
    }
    throw .invalid(
      "The signature is not that of this request: check the secret access key and what was signed."
    )
  }

  /// The spellings of the host that clients sign, the likeliest first.
  static func hosts(_ sent: String, _ publicHost: String?) -> [String] {
    var hosts: [String] = []
    for host in [sent, publicHost].compactMap(\.self) {
      for spelling in [host, withoutPort(host)] where !hosts.contains(spelling) {
        hosts.append(spelling)
      }
    }
    return hosts
  }

  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
      host.utf8[host.utf8.index(after: colon)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return host }
    return String(host[..<colon])
  }

  /// The path as it was sent, and without a slash at its end.
  private static func paths(_ sent: UnsafeRawBufferPointer) -> [Substring] {
    let path = String(decoding: sent, as: UTF8.self)[...]
    if path.isEmpty { return ["/"] }
    let hasSlash = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
    return hasSlash ? [path, path.dropLast()] : [path]
  }

  /// Reads `yyyyMMdd'T'HHmmss'Z'`.
  private static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    var extended: [UInt8] = []
    extended.reserveCapacity(20)
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 { extended.append(UInt8(ascii: "-")) }
      if place == 11 || place == 13 { extended.append(UInt8(ascii: ":")) }
      extended.append(byte)
    }
    return extended.withUnsafeBytes { Timestamp.read($0) }
  }
}
