/// Growable bytes with one owner, for building records without an array's checks per append.
///
/// The memory is kept by `removeAll`, so a sink that is reused stops allocating.
package struct ByteSink: ~Copyable {
  /// Where the bytes are; changes when the sink grows.
  @usableFromInline package internal(set) var base: UnsafeMutablePointer<UInt8>
  /// How many bytes have been written.
  @usableFromInline package internal(set) var count = 0
  @usableFromInline internal var capacity: Int

  /// An empty sink with room for `capacity` bytes.
  package init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// What has been written; valid until the next change.
  @inlinable @inline(__always)
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Forgets the content, keeps the memory.
  @inlinable @inline(__always)
  package mutating func removeAll() {
    count = 0
  }

  /// Forgets everything from `newCount` on.
  @inlinable @inline(__always)
  package mutating func truncate(to newCount: Int) {
    count = min(count, newCount)
  }

  /// Forgets the content, and gives memory above `limit` bytes back.
  package mutating func removeAll(keepingAtMost limit: Int) {
    count = 0
    guard capacity > limit else { return }
    base.deallocate()
    capacity = limit
    base = .allocate(capacity: limit)
  }

  /// Makes room for `extra` more bytes.
  @inlinable @inline(__always)
  package mutating func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    grow(by: extra)
  }

  /// Adds one byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Adds `length` bytes from `start`, which must not lie in this sink.
  package mutating func append(_ start: UnsafePointer<UInt8>, count length: Int) {
    reserve(length)
    UnsafeMutableRawPointer(base + count).copyFew(from: start, byteCount: length)
    count += length
  }

  /// Adds a copy of `bytes`, which must not lie in this sink.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  /// Adds the text of a literal.
  package mutating func append(_ text: StaticString) {
    append(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Adds an integer's bytes, lowest first.
  @inlinable
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    let size = value.bitWidth / 8
    reserve(size)
    UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: type(of: value))
    count += size
  }

  /// Adds `length` bytes, all of which `fill` must write from the place it is given; `spare` bytes behind
  /// them it may write over as well.
  @inlinable @inline(__always)
  package mutating func appendRoom(
    _ length: Int,
    spare: Int = 0,
    _ fill: (UnsafeMutableRawPointer) -> Void
  ) {
    reserve(length + spare)
    fill(UnsafeMutableRawPointer(base + count))
    count += length
  }

  /// Adds an integer as decimal text.
  package mutating func append(decimal value: Int64) {
    reserve(20)
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    rest = value.magnitude
    var place = count + digits
    repeat {
      place -= 1
      base[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while place > count
    count += digits
  }

  /// Writes an integer over bytes that are there already.
  package mutating func overwrite<Value: FixedWidthInteger>(
    at offset: Int,
    littleEndian value: Value
  ) {
    precondition(offset >= 0 && offset + value.bitWidth / 8 <= count)
    UnsafeMutableRawPointer(base + offset).storeBytes(of: value.littleEndian, as: Value.self)
  }

  /// Takes the bytes of `range` out and closes the gap.
  package mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    (base + range.lowerBound).update(from: base + range.upperBound, count: count - range.upperBound)
    count -= range.count
  }

  @usableFromInline
  mutating func grow(by extra: Int) {
    capacity = max(capacity * 2, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
