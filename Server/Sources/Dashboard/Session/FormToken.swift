import CCrypto

/// The token that shows a form came from a page of ours.
///
/// HMAC-SHA256 under the secret of the visitor's own cookie: another site can make a browser send
/// the cookie, but cannot read it and so cannot make the token. Nothing has to be stored.
enum FormToken {
  /// The token for the holder of a cookie.
  static func make(for cookie: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = UInt32(digest.count)
    let key = Array(cookie.utf8)
    let purpose = Array("footfall form".utf8)
    _ = HMAC(
      EVP_sha256(),
      key,
      Int32(key.count),
      purpose,
      purpose.count,
      &digest,
      &length
    )
    return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// Whether a form's token is the one for that cookie; takes as long wherever they differ.
  static func isValid(_ token: String, for cookie: String) -> Bool {
    let expected = Array(make(for: cookie).utf8)
    let presented = Array(token.utf8)
    return presented.count == expected.count
      && CRYPTO_memcmp(presented, expected, expected.count) == 0
  }

  /// A random secret for the cookie of a visitor who is not signed in yet.
  static func newCookie() -> String? {
    var bytes = [UInt8](repeating: 0, count: 24)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return nil }
    return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
