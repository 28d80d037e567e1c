internal import CCrypto

/// SHA-256 and HMAC, by libcrypto.
enum Digest {
  /// The library's SHA-256, looked up once: by name that takes longer than to hash a short text.
  ///
  /// Safety: never changed once it is there, and never given back.
  private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  private static let digestBytes = Int(SHA256_DIGEST_LENGTH)
  /// What SHA-256 works on at once; an HMAC's key is brought to this length.
  private static let blockBytes = 64

  /// SHA-256 of some bytes.
  static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: digestBytes) { digest, count in
      let isMade = EVP_Digest(
        bytes.baseAddress,
        bytes.count,
        digest.baseAddress,
        nil,
        algorithm,
        nil
      )
      // Fails only without memory, or in a library without SHA-256.
      precondition(isMade == 1, "libcrypto made no SHA-256")
      count = digestBytes
    }
  }

  /// HMAC-SHA-256 of a text (RFC 2104).
  static func hmac(key: [UInt8], _ text: [UInt8]) -> [UInt8] {
    let key = key.count > blockBytes ? key.withUnsafeBytes(sha256) : key
    return padded(key, 0x5c, padded(key, 0x36, text))
  }

  /// The same of a short text.
  static func hmac(key: [UInt8], _ text: String) -> [UInt8] { hmac(key: key, Array(text.utf8)) }

  /// SHA-256 of the key, mixed with a byte and filled up to a block, and a text behind it.
  private static func padded(_ key: [UInt8], _ mask: UInt8, _ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blockBytes + text.count)
    for byte in key { bytes.append(byte ^ mask) }
    for _ in key.count..<blockBytes { bytes.append(mask) }
    bytes += text
    return bytes.withUnsafeBytes(sha256)
  }

  /// Compares in a time that does not depend on where they differ.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// Bytes as hexadecimal digits.
enum Hex {
  private static let digits: StaticString = "0123456789abcdef"

  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (place, byte) in bytes.enumerated() {
        text[2 * place] = digits.utf8Start[Int(byte >> 4)]
        text[2 * place + 1] = digits.utf8Start[Int(byte & 15)]
      }
      return 2 * bytes.count
    }
  }

  /// The bytes; nil for anything but pairs of digits.
  static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for byte in text {
      guard let digit = value(of: byte) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
