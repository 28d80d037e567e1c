import CCrypto
import CCurl
public import Catalog

/// Tells other programs by POST, signed, and never one in somebody's own network unless that is allowed.
///
/// Blocks; any thread.
public struct WebhookSender: Sendable {
  /// How long one attempt may take, in milliseconds; ten seconds.
  public static let timeoutMs = 10_000

  /// Whether addresses of this machine and of private networks are told, too.
  ///
  /// Otherwise whoever may make an alert could have the server ask what only the server can reach.
  public let allowsPrivate: Bool
  private let find: @Sendable (String) -> [InternetAddress]

  /// A sender that asks the system where hosts are.
  public init(allowsPrivate: Bool) {
    self.init(allowsPrivate: allowsPrivate, find: InternetAddress.find)
  }

  init(allowsPrivate: Bool, find: @escaping @Sendable (String) -> [InternetAddress]) {
    self.allowsPrivate = allowsPrivate
    self.find = find
  }

  /// Why a webhook did not take what it was told.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for people, without the address.
    public let description: String
  }

  /// Sends JSON, signed; returns when a status of 200 to 299 came.
  ///
  /// - Parameters:
  ///   - json: the body.
  ///   - address: where to.
  ///   - secret: what it is signed with.
  ///   - atMs: now, in milliseconds since 1970; part of what is signed, against replays.
  /// - Throws: `Problem`.
  public func send(
    _ json: String,
    to address: WebhookAddress,
    secret: String,
    atMs: Int64
  ) throws(Problem) {
    let target = try target(of: address)
    let seconds = atMs / 1_000
    let signature = Self.signature(of: json, secret: secret, seconds: seconds)
    let headers = [
      "Content-Type: application/json", "Footfall-Signature: t=\(seconds),v1=\(signature)",
      // A server that waits to be asked for the body would cost a second.
      "Expect:",
    ]
    let body = Array(json.utf8)
    var answer = ff_curl_answer()
    // An IPv6 address is no name that anything else could be found for, and libcurl takes none as one.
    let isNumber = address.host.contains(":")
    let pin = isNumber ? nil : "\(address.host):\(address.port):\(target.text)"
    Self.withCStrings(headers) { headers in
      ff_curl_post(
        address.text,
        pin,
        headers,
        headers.count,
        body,
        body.count,
        Self.timeoutMs,
        &answer
      )
    }
    guard !(200...299).contains(answer.status) else { return }
    guard answer.status == 0 else {
      throw Problem(description: "it answered with status \(answer.status)")
    }
    let text = withUnsafeBytes(of: answer.error) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    throw Problem(description: text.isEmpty ? "no answer came" : text)
  }

  /// Why nothing will ever be sent there, as a sentence for whoever decides about it.
  ///
  /// A host that is not found now may be found later. Asks the system where the host is: blocks.
  ///
  /// - Parameter address: where to, as it was typed; what is no address is no matter of this.
  /// - Returns: The sentence; nil where something may be sent.
  public func refusal(of address: String) -> String? {
    guard !allowsPrivate, let address = WebhookAddress(address),
      find(address.host).contains(where: \.isPrivate)
    else { return nil }
    return
      "“\(address.host)” is this machine or in a private network, where this server sends nothing. Name an address that everybody can reach, or ask whoever runs the server to start it with --allow-private-webhooks."
  }

  /// The one address that is asked; all that a host has must be allowed, so that which comes first makes no
  /// difference.
  private func target(of address: WebhookAddress) throws(Problem) -> InternetAddress {
    let found = find(address.host)
    guard let first = found.first else {
      throw Problem(description: "the host “\(address.host)” was not found")
    }
    guard allowsPrivate || !found.contains(where: \.isPrivate) else {
      throw Problem(
        description:
          "the host “\(address.host)” is in a private network, which is refused unless the server runs with --allow-private-webhooks"
      )
    }
    return first
  }

  /// HMAC-SHA256 of the time, a point and the body, in hexadecimal digits.
  static func signature(of body: String, secret: String, seconds: Int64) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = UInt32(digest.count)
    let (key, text) = (Array(secret.utf8), Array("\(seconds).\(body)".utf8))
    _ = HMAC(EVP_sha256(), key, Int32(key.count), text, text.count, &digest, &length)
    return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  private static func withCStrings(
    _ texts: [String],
    _ body: ([UnsafePointer<CChar>?]) -> Void
  ) {
    func next(_ rest: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>?]) {
      guard let first = rest.first else { return body(pointers) }
      first.withCString { next(rest.dropFirst(), pointers + [$0]) }
    }
    next(texts[...], [])
  }
}
