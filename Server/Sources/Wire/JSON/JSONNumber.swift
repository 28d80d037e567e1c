/// A number as it stands in checked JSON text.
struct JSONNumber {
  var start: UnsafePointer<UInt8>
  var count = 0
  /// True without fraction and exponent.
  var isInteger = true
  var hasExponent = false
  var isNegative: Bool
  /// The digits before point and exponent, modulo 2^64; exact up to 19 digits.
  var magnitude: UInt64
  /// How many digits stand before point and exponent.
  var digitCount: Int

  init(start: UnsafePointer<UInt8>, isNegative: Bool, magnitude: UInt64, digitCount: Int) {
    self.start = start
    self.isNegative = isNegative
    self.magnitude = magnitude
    self.digitCount = digitCount
  }

  /// The number's text.
  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// True when every store reads the text as the same number: an integer of at most 18 digits, or
  /// a decimal far from overflow.
  @inline(__always)
  var isOrdinary: Bool {
    digitCount <= 18 && !hasExponent
  }

  /// The value, when it is an integer of 64 bits with sign.
  @inline(__always)
  var integer: Int64? {
    guard isInteger else { return nil }
    guard isOrdinary else { return longInteger }
    let whole = Int64(truncatingIfNeeded: magnitude)
    return isNegative ? 0 &- whole : whole
  }

  @inline(never)
  private var longInteger: Int64? {
    Int64(String(decoding: raw, as: UTF8.self))
  }

  /// The value as a double; nil when it is too large for one.
  var double: Double? {
    guard let value = Double(String(decoding: raw, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// How the number is kept.
  enum Form {
    /// As it was written.
    case asWritten
    /// As this text: the double nearest to an integer outside 64 bits.
    case rewritten(String)
    /// Not at all.
    case outOfRange
  }

  /// How the number is kept so that every store reads the same.
  ///
  /// Integers from -2^63 to 2^64 - 1 and decimals within the range of a double stay as written. Other
  /// integers become the nearest double. What is beyond a double's range is refused.
  var form: Form {
    guard !isOrdinary else { return .asWritten }
    if isInteger {
      let text = String(decoding: raw, as: UTF8.self)
      if Int64(text) != nil || UInt64(text) != nil { return .asWritten }
    }
    guard let double else { return .outOfRange }
    return isInteger ? .rewritten(double.description) : .asWritten
  }
}
