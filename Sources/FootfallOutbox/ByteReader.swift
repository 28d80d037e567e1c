/// Reads numbers and bytes one after the other; nil as soon as there are too few.
struct ByteReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }

  /// A number, its lowest byte first.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
  }

  /// Bytes with their length of four bytes before them.
  mutating func bytes() -> [UInt8]? {
    guard let length: UInt32 = number() else { return nil }
    return take(Int(clamping: length)).map { [UInt8]($0) }
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Adds bytes with their length of four bytes before them.
  mutating func append(counted bytes: [UInt8]) {
    append(littleEndian: UInt32(clamping: bytes.count))
    self += bytes
  }

  /// Eight bytes as a number, the lowest first; 0 where there are fewer.
  func word(at offset: Int) -> UInt64 {
    guard offset >= 0, offset + 8 <= count else { return 0 }
    return self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
