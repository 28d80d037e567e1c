/// Bytes of JSON under construction, in memory that is kept from event to event.
///
/// Not an array, because appending to one checks uniqueness and capacity for every few bytes, and
/// not `JSONEncoder`, which takes more than twenty times as long. Belongs to one thread.
package struct JSONBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes written.
  package private(set) var count = 0

  /// An empty buffer; it grows as needed.
  package init(capacity: Int = 4_096) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Forgets what was written after the first `count` bytes, keeping the memory.
  package mutating func truncate(to count: Int = 0) {
    self.count = min(count, self.count)
  }

  /// What was written, valid during the call.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A copy of what was written.
  package var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Writes one byte.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(for: 1) }
    base[count] = byte
    count &+= 1
  }

  /// Writes a piece of JSON as it stands.
  @inline(__always)
  package mutating func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    if capacity &- count < length { grow(for: length) }
    (base + count).update(from: literal.utf8Start, count: length)
    count &+= length
  }

  /// Writes the text form of an id, without quotes.
  package mutating func append(_ id: EventID) {
    if capacity - count < EventID.textLength { grow(for: EventID.textLength) }
    id.write(to: base + count)
    count += EventID.textLength
  }

  /// Writes a whole number.
  package mutating func append(_ value: Int64) {
    if capacity - count < 20 { grow(for: 20) }
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound, digits < 19 {
      digits += 1
      bound *= 10
    }
    let start = count
    var position = start + digits
    count = position
    // Two digits for each division, which is what takes the time.
    let pairs = Self.digitPairs.utf8Start
    while rest >= 10 {
      let quotient = rest / 100
      let pair = Int(truncatingIfNeeded: rest &- quotient &* 100) &* 2
      position &-= 2
      base[position] = pairs[pair]
      base[position &+ 1] = pairs[pair &+ 1]
      rest = quotient
    }
    if position > start { base[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
  }

  /// `00` to `99`.
  private static let digitPairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Writes a finite number in the shortest form that reads back as the same value.
  package mutating func append(_ value: Double) {
    var text = value.description
    text.withUTF8 { utf8 in
      if capacity - count < utf8.count { grow(for: utf8.count) }
      guard let start = utf8.baseAddress else { return }
      (base + count).update(from: start, count: utf8.count)
      count += utf8.count
    }
  }

  /// Writes text as a JSON string with its quotes, at most `limit` bytes of its UTF-8.
  ///
  /// Returns whether the text was cut, which happens between characters (Unicode scalars).
  @discardableResult
  package mutating func append(quoted text: String, limit: Int = .max) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else {
        append("\"\"")
        return false
      }
      var length = utf8.count
      let isCut = length > limit
      if isCut {
        length = limit
        while length > 0, start[length] & 0xc0 == 0x80 { length -= 1 }
      }
      appendEscaped(start, length)
      return isCut
    }
  }

  /// Copies eight or four bytes at a time while none of them needs an escape.
  private mutating func appendEscaped(_ source: UnsafePointer<UInt8>, _ length: Int) {
    // Worst case: every byte becomes \u00xx. The memory is kept, so it is grown once.
    let worst = length &* 6 &+ 2
    if capacity &- count < worst { grow(for: worst) }
    var target = base + count
    target.pointee = UInt8(ascii: "\"")
    target += 1
    var position = 0
    while position < length {
      if position &+ 8 <= length {
        let word = UnsafeRawPointer(source + position).loadUnaligned(as: UInt64.self)
        if Self.needsNoEscape(word) {
          UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
          target += 8
          position &+= 8
          continue
        }
      }
      if position &+ 4 <= length {
        let word = UnsafeRawPointer(source + position).loadUnaligned(as: UInt32.self)
        // The upper half is filled with a letter, which needs no escape.
        if Self.needsNoEscape(0x6161_6161_0000_0000 | UInt64(word)) {
          UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt32.self)
          target += 4
          position &+= 4
          continue
        }
      }
      let end = min(position &+ 4, length)
      while position < end {
        target = Self.write(source[position], to: target)
        position &+= 1
      }
    }
    target.pointee = UInt8(ascii: "\"")
    count = target - base + 1
  }

  /// Whether eight bytes hold no control character, quote or backslash.
  @inline(__always)
  private static func needsNoEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let control = (word &- ones &* 0x20) & ~word
    let quote = word ^ ones &* 0x22
    let backslash = word ^ ones &* 0x5c
    let found = control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return found & high == 0
  }

  @inline(__always)
  private static func write(
    _ byte: UInt8,
    to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if byte >= 0x20, byte != 0x22, byte != 0x5c {
      target.pointee = byte
      return target + 1
    }
    target.pointee = UInt8(ascii: "\\")
    switch byte {
    case 0x22, 0x5c: target[1] = byte
    case 0x08: target[1] = UInt8(ascii: "b")
    case 0x09: target[1] = UInt8(ascii: "t")
    case 0x0a: target[1] = UInt8(ascii: "n")
    case 0x0c: target[1] = UInt8(ascii: "f")
    case 0x0d: target[1] = UInt8(ascii: "r")
    default:
      target[1] = UInt8(ascii: "u")
      target[2] = UInt8(ascii: "0")
      target[3] = UInt8(ascii: "0")
      target[4] = UInt8(ascii: "0") + byte >> 4
      let nibble = byte & 0xf
      target[5] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
      return target + 6
    }
    return target + 2
  }

  private mutating func grow(for extra: Int) {
    capacity = max(capacity * 2, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
