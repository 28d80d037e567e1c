/// Ids that sort by time: 48 bits of milliseconds and 80 random bits as 26 characters.
///
/// Crockford's base 32 in upper case, as `https://github.com/ulid/spec` has it.
package enum ULID {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let length = 26

  /// A new id of a time in milliseconds since 1970; a time before that counts as 1970.
  package static func make(
    milliseconds: Int64,
    using random: inout some RandomNumberGenerator
  ) -> String {
    let time = UInt64(max(0, milliseconds)) & 0xffff_ffff_ffff
    var text = digits(of: time, count: 10)
    // 80 bits: twice 40, which are 8 digits each.
    text += digits(of: random.next(), count: 8)
    text += digits(of: random.next(), count: 8)
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of 128 bits, such as those of an event's id, whose first 48 are its time.
  package static func text(high: UInt64, low: UInt64) -> String {
    // 26 digits are 130 bits: two of zero before the 128.
    let middle = (high & 1) << 4 | low >> 60
    let text =
      digits(of: high >> 1, count: 13) + digits(of: middle, count: 1)
      + digits(of: low & 0x0fff_ffff_ffff_ffff, count: 12)
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text is 26 characters of the alphabet and fits 128 bits.
  package static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == length, bytes[0] <= UInt8(ascii: "7") else { return false }
    return bytes.allSatisfy { alphabet.contains($0) }
  }

  /// The time in an id, in milliseconds since 1970; nil if it is none.
  package static func milliseconds(of text: String) -> Int64? {
    guard isValid(text) else { return nil }
    return text.utf8.prefix(10).reduce(into: Int64(0)) { time, byte in
      time = time << 5 | Int64(alphabet.firstIndex(of: byte) ?? 0)
    }
  }

  private static func digits(of value: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { alphabet[Int(truncatingIfNeeded: value >> (5 * UInt64($0))) & 31] }
  }
}
