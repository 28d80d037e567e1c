/// The identity of an event, made when `track` is called and never changed.
///
/// A UUID of version 7 (RFC 9562): 48 bits of milliseconds since 1970, then a counter, then random
/// bits. As text it is lower-case, since collectors compare ids in lower case.
public struct EventID: Sendable, Hashable, CustomStringConvertible {
  /// The first 8 bytes: time, version, counter.
  package let high: UInt64
  /// The last 8 bytes: variant and random bits.
  package let low: UInt64

  /// An id as it was stored.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An id from its parts: milliseconds (48 bits used), counter (12 bits) and random (62 bits).
  package init(milliseconds: UInt64, counter: UInt64, random: UInt64) {
    high = milliseconds << 16 | 0x7000 | counter & 0x0fff
    low = 0x8000_0000_0000_0000 | random & 0x3fff_ffff_ffff_ffff
  }

  /// The text form, such as `0197a1b2-c3d4-7000-8123-456789abcdef`.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return Self.textLength
    }
  }

  /// The length of the text form, in bytes.
  package static let textLength = 36

  /// Writes the text form, 36 bytes of ASCII, at `target`.
  ///
  /// By hand: `UUID().uuidString` takes longer than everything else on the caller's thread.
  package func write(to target: UnsafeMutablePointer<UInt8>) {
    Self.writeHex(high >> 32, digits: 8, at: target)
    Self.writeHex(high >> 16, digits: 4, at: target + 9)
    Self.writeHex(high, digits: 4, at: target + 14)
    Self.writeHex(low >> 48, digits: 4, at: target + 19)
    Self.writeHex(low, digits: 12, at: target + 24)
    for position in [8, 13, 18, 23] { target[position] = UInt8(ascii: "-") }
  }

  @inline(__always)
  private static func writeHex(
    _ value: UInt64,
    digits: Int,
    at target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<digits {
      let nibble = UInt8(truncatingIfNeeded: value >> (4 * UInt64(digits - 1 - index))) & 0xf
      target[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }
  }
}
