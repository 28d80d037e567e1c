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
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    // `UInt64` would also take a sign.
    guard value.hexadecimal == text.lowercased() else { return nil }
    self = value
  }
}
