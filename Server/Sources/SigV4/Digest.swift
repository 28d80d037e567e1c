internal import CCrypto

/// SHA-256 and HMAC, by libcrypto.
enum Digest {
  /// SHA-256 of some bytes.
  static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &digest)
    return digest
  }

  /// HMAC-SHA-256 of a text (RFC 2104).
  static func hmac(key: [UInt8], _ text: String) -> [UInt8] {
    var text = text
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    text.withUTF8 { bytes in
      _ = HMAC(EVP_sha256(), key, Int32(key.count), bytes.baseAddress, bytes.count, &digest, nil)
    }
    return digest
  }

  /// Compares in a time that does not depend on where they differ.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// Bytes as hexadecimal digits.
enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes; nil for anything but pairs of digits.
  static func bytes(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
      guard character.isASCII, let digit = character.hexDigitValue.map(UInt8.init) else {
        return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }
}
