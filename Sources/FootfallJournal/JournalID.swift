/// The random 128-bit name of one journal; it stays the same for as long as its folder lives.
public struct JournalID: Sendable, Hashable, CustomStringConvertible {
  /// The upper half.
  public let high: UInt64
  /// The lower half.
  public let low: UInt64

  /// An id of two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads an id from the 32 hexadecimal digits that `description` gives; nil if it is not one.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 32, let high = UInt64(hexadecimal: text.prefix(16)),
      let low = UInt64(hexadecimal: text.suffix(16))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The id as 32 hexadecimal digits.
  public var description: String { high.hexadecimal + low.hexadecimal }
}

extension UInt64 {
  /// Sixteen lower-case hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Reads exactly sixteen hexadecimal digits.
  init?(hexadecimal text: some StringProtocol) {
    guard text.utf8.count == 16 else { return nil }
    self = 0
    for digit in text.utf8 {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt64(digit & 0xf)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        self = self << 4 | UInt64(digit & 0xf + 9)
      default: return nil
      }
    }
  }
}
