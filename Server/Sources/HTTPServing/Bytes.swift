#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether these bytes are exactly those of `text`.
  func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    guard let baseAddress else { return true }
    return memcmp(baseAddress, text.utf8Start, count) == 0
  }

  /// Whether these bytes are those of `text` when the case of ASCII letters does not count.
  func isEqualIgnoringCase(to text: UnsafeRawBufferPointer) -> Bool {
    guard count == text.count else { return false }
    for index in 0..<count where self[index].asciiLowercased != text[index].asciiLowercased {
      return false
    }
    return true
  }
}

extension UInt8 {
  /// An ASCII capital as its small letter, any other byte as it is.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit; nil for any other byte.
  var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Bytes in memory of their own that is kept when they are cleared, so that a pooled request does
/// not allocate.
///
/// The owner calls `deallocate` in its `deinit`. Pointers handed out hold until the next append.
struct ByteBuffer {
  private var base: UnsafeMutableRawPointer?
  /// Bytes that can be held without allocating.
  private(set) var capacity = 0
  /// Bytes held.
  private(set) var count = 0

  /// The bytes held.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Adds bytes at the end; the capacity doubles, but not beyond `limit` unless it has to.
  mutating func append(_ source: UnsafeRawBufferPointer, limit: Int = .max) {
    guard let start = source.baseAddress, source.count > 0 else { return }
    reserve(count + source.count, limit: limit)
    base?.advanced(by: count).copyMemory(from: start, byteCount: source.count)
    count += source.count
  }

  /// Makes room for `needed` bytes in all.
  mutating func reserve(_ needed: Int, limit: Int = .max) {
    guard needed > capacity else { return }
    let grown = max(needed, min(limit, max(capacity * 2, 512)))
    // A failed allocation of this size leaves nothing sensible to do.
    base = realloc(base, grown)
    precondition(base != nil, "out of memory for \(grown) bytes of a request")
    capacity = grown
  }

  /// Forgets the bytes and keeps the memory.
  mutating func clear() { count = 0 }

  /// Gives the memory back.
  mutating func deallocate() {
    free(base)
    base = nil
    count = 0
    capacity = 0
  }
}
