import CCrypto
import CSodium

/// Random tokens, their digests and password hashes.
enum Secrets {
  /// Letters and digits only, so that a double click selects a whole key.
  static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
  )

  /// Capitals and digits, of which AWS makes its access key ids.
  static let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// A random number as that many hexadecimal digits.
  static func hexadecimal(digits: Int) -> String {
    token(length: digits, of: Array("0123456789abcdef".utf8))
  }

  /// A random token of letters and digits; 32 of them hold 190 bits.
  static func token(length: Int, of alphabet: [UInt8] = alphabet) -> String {
    let letters = (0..<length).map { _ in
      alphabet[Int(randombytes_uniform(UInt32(alphabet.count)))]
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// SHA-256 of a token's UTF-8: enough for 190 random bits; passwords get `passwordHash`.
  static func digest(_ token: String) -> [UInt8] {
    var text = token
    var digest = [UInt8](repeating: 0, count: 32)
    text.withUTF8 { bytes in _ = SHA256(bytes.baseAddress, bytes.count, &digest) }
    return digest
  }

  /// argon2id with libsodium's interactive limits (64 MiB, about 0.1 s), as text with salt and limits inside.
  static func passwordHash(_ password: String) throws(CatalogError) -> String {
    var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let code = crypto_pwhash_str_alg(
      &hash,
      password,
      UInt64(password.utf8.count),
      UInt64(crypto_pwhash_opslimit_interactive()),
      crypto_pwhash_memlimit_interactive(),
      crypto_pwhash_alg_argon2id13()
    )
    guard code == 0 else { throw .passwordHashing }
    return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the password is the one behind the hash; takes as long as making a hash.
  static func verify(_ password: String, against hash: String) -> Bool {
    crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
  }
}
