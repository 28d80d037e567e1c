import CSodium
import Foundation

/// The key that secrets in the catalogue are encrypted under, in a file of its own.
///
/// Whoever has a copy of the catalogue, as in a backup, has no secret without this file.
struct MasterKey: Sendable {
  private let bytes: [UInt8]

  /// Reads the file.
  ///
  /// - Returns: nil when there is none.
  /// - Throws: `masterKey` when it cannot be read, or holds no key.
  static func existing(at path: String) throws(CatalogError) -> MasterKey? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let text = FileManager.default.contents(atPath: path) else {
      throw .masterKey(path: path, reason: "it cannot be read")
    }
    let digits = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    let code = sodium_hex2bin(&bytes, bytes.count, digits, digits.utf8.count, nil, &count, nil)
    guard code == 0, count == size, digits.utf8.count == 2 * size else {
      throw .masterKey(path: path, reason: "it does not hold \(2 * size) hexadecimal digits")
    }
    chmod(path, 0o600)
    return MasterKey(bytes: bytes)
  }

  /// Reads the file, or makes it, for its owner alone, with a new key.
  static func made(at path: String) throws(CatalogError) -> MasterKey {
    if let key = try existing(at: path) { return key }
    var bytes = [UInt8](repeating: 0, count: size)
    randombytes_buf(&bytes, size)
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    // Complete under another name first: of two processes at once one wins, and both use its key.
    let draft = path + "." + Secrets.token(length: 8)
    defer { unlink(draft) }
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_EXCL, 0o600)
    guard file >= 0 else { throw .masterKey(path: path, reason: String(cString: strerror(errno))) }
    let written = write(file, digits + "\n", 2 * size + 1) == 2 * size + 1 && fsync(file) == 0
    let problem = errno
    close(file)
    guard written else { throw .masterKey(path: path, reason: String(cString: strerror(problem))) }
    guard link(draft, path) == 0 || errno == EEXIST else {
      throw .masterKey(path: path, reason: String(cString: strerror(errno)))
    }
    guard let key = try existing(at: path) else {
      throw .masterKey(path: path, reason: "it was taken away as it was made")
    }
    return key
  }

  private static let size = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// Encrypts a secret; it can be opened under the same owner only.
  func seal(_ secret: String, of owner: String) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Self.nonceSize)
    randombytes_buf(&nonce, nonce.count)
    let (secret, owner) = (Array(secret.utf8), Array(owner.utf8))
    var sealed = [UInt8](repeating: 0, count: secret.count + Self.tagSize)
    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed,
      nil,
      secret,
      UInt64(secret.count),
      owner,
      UInt64(owner.count),
      nil,
      nonce,
      bytes
    )
    return nonce + sealed
  }

  /// The secret; nil when it was sealed with another key, for another owner, or was changed.
  func unseal(_ sealed: [UInt8], of owner: String) -> String? {
    guard sealed.count >= Self.nonceSize + Self.tagSize else { return nil }
    let owner = Array(owner.utf8)
    let body = Array(sealed[Self.nonceSize...])
    var secret = [UInt8](repeating: 0, count: body.count - Self.tagSize)
    let code = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &secret,
      nil,
      nil,
      body,
      UInt64(body.count),
      owner,
      UInt64(owner.count),
      Array(sealed[..<Self.nonceSize]),
      bytes
    )
    return code == 0 ? String(decoding: secret, as: UTF8.self) : nil
  }
}
