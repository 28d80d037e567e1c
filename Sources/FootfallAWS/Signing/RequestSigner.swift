import FootfallCore
package import FootfallPlatform

/// What a request is signed with.
package struct Credentials: Sendable, Hashable {
  /// The key's id, which is sent.
  package var accessKeyID: String
  /// The key itself, which is not.
  package var secretKey: String
  /// The token of a session, if the key is one of a session.
  package var sessionToken: String?

  /// Credentials from their parts.
  package init(accessKeyID: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }
}

/// Signs requests by Amazon's signature, version 4.
///
/// Source: `aws.md` section 1.10.
package struct RequestSigner: Sendable, Hashable {
  /// The region in the signature's scope.
  package var region: String
  /// The service in the signature's scope: `mobiletargeting` for Pinpoint.
  package var service: String

  /// A signer for a service of a region.
  package init(region: String, service: String) {
    self.region = region
    self.service = service
  }

  private static let algorithm = "AWS4-HMAC-SHA256"
  private static let terminator = "aws4_request"

  /// The request with a date and a signature of all its headers.
  package func sign(
    _ request: UploadRequest,
    with credentials: Credentials,
    atMilliseconds now: Int64
  ) -> UploadRequest {
    let date = Self.date(now)
    let target = Target(request.url)
    var signed = request
    signed.headers.append(("X-Amz-Date", date))
    if let token = credentials.sessionToken {
      signed.headers.append(("X-Amz-Security-Token", token))
    }
    let fields = (signed.headers + [("Host", target.host)])
      .map { (name: $0.name.lowercased(), value: Self.trimmed($0.value)) }
      .sorted { $0.name < $1.name }
    let names = fields.map(\.name).joined(separator: ";")
    let canonical = [
      request.method.rawValue, Self.encoded(target.path, keepingSlashes: true), target.query,
      fields.map { "\($0.name):\($0.value)\n" }.joined(), names,
      Self.hex(SHA256.hash(request.body)),
    ].joined(separator: "\n")
    let scope = "\(date.prefix(8))/\(region)/\(service)/\(Self.terminator)"
    let toSign = [Self.algorithm, date, scope, Self.hex(SHA256.hash(canonical.utf8))]
      .joined(separator: "\n")
    let key = signingKey(credentials.secretKey, day: String(date.prefix(8)))
    let signature = Self.hex(SHA256.hmac(key: key, Array(toSign.utf8)))
    let authorization =
      "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(names), Signature=\(signature)"
    signed.headers.append(("Authorization", authorization))
    return signed
  }

  func signingKey(_ secret: String, day: String) -> [UInt8] {
    [day, region, service, Self.terminator].reduce(Array("AWS4\(secret)".utf8)) { key, part in
      SHA256.hmac(key: key, Array(part.utf8))
    }
  }

  /// The parts of an address that are signed, as they are sent.
  private struct Target {
    var host = ""
    var path = "/"
    var query = ""

    init(_ url: String) {
      // What stands before the host: `http://` or `https://`.
      let scheme = ["https://", "http://"].first { url.hasPrefix($0) } ?? ""
      let rest = url.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      host = String(rest[..<end])
      let target = rest[end...].prefix { $0 != "#" }
      let mark = target.firstIndex(of: "?") ?? target.endIndex
      if mark > target.startIndex { path = String(target[..<mark]) }
      query = target[mark...].dropFirst().split(separator: "&").sorted().joined(separator: "&")
    }
  }

  /// Percent-encoded; a path that is sent so is encoded once more to be signed.
  package static func encoded(_ path: String, keepingSlashes: Bool) -> String {
    path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/") where keepingSlashes: text += "/"
      default: text += "%" + hex([byte]).uppercased()
      }
    }
  }

  private static func trimmed(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.reduce(into: "") { text, byte in
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
  }

  /// `20261102T093015Z`.
  private static func date(_ milliseconds: Int64) -> String {
    let digits = Timestamp.rfc3339(milliseconds: milliseconds).filter(\.isNumber)
    return digits.prefix(8) + "T" + digits.dropFirst(8).prefix(6) + "Z"
  }
}
