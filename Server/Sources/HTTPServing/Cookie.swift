/// A cookie to be set by an answer.
public struct Cookie: Sendable, Hashable {
  /// Which requests from other sites carry it.
  public enum SameSite: String, Sendable {
    /// None at all.
    case strict = "Strict"
    /// Only when a link is followed.
    case lax = "Lax"
  }

  /// The name, ASCII letters, digits, `_` and `-`.
  public var name: String
  /// The value, printable ASCII without `;`, `,`, spaces and quotes.
  public var value: String
  /// The path it is sent to; `/` by default.
  public var path = "/"
  /// Seconds until it is dropped; nil ends it with the browser, 0 removes it.
  public var maxAgeSeconds: Int?
  /// Hidden from scripts; the default.
  public var isHTTPOnly = true
  /// Only sent over TLS; off by default since the server itself speaks plain HTTP.
  public var isSecure = false
  /// Which requests from other sites carry it; none by default.
  public var sameSite = SameSite.strict

  /// Makes a cookie that ends with the browser.
  public init(name: String, value: String, maxAgeSeconds: Int? = nil) {
    self.name = name
    self.value = value
    self.maxAgeSeconds = maxAgeSeconds
  }

  /// The value of the `Set-Cookie` field.
  var field: String {
    var text = "\(name)=\(value); Path=\(path); SameSite=\(sameSite.rawValue)"
    if let maxAgeSeconds { text += "; Max-Age=\(maxAgeSeconds)" }
    if isHTTPOnly { text += "; HttpOnly" }
    if isSecure { text += "; Secure" }
    return text
  }
}

extension Response {
  /// Adds a `Set-Cookie` field.
  public mutating func setCookie(_ cookie: Cookie) {
    headers.append(Header("Set-Cookie", cookie.field))
  }
}
