/// The first 64 bytes of a segment.
///
/// Magic (8 bytes), format version (4), number (8), salt (8), journal id (16), one more than the number
/// of the segment before it (8; 0 where that is not told), zeros, and in the last four bytes the CRC-32C
/// of the others. Numbers have their lowest byte first.
struct SegmentHeader: Sendable, Equatable {
  /// Its size in bytes.
  static let byteCount = 64

  /// The disk format this program writes and reads.
  static let supportedVersion: UInt32 = 1

  /// `FFjrnl`, then a line end of each kind, which a transfer as text would change.
  static let magic: [UInt8] = Array("FFjrnl\r\n".utf8)

  var version = supportedVersion
  var number: UInt64
  var salt: UInt64
  var id: JournalID
  /// The last segment with records before this one, 0 if it is the first; nil where that is not told.
  var previous: UInt64?

  init(number: UInt64, salt: UInt64, id: JournalID, previous: UInt64? = nil) {
    self.number = number
    self.salt = salt
    self.id = id
    self.previous = previous
  }

  /// Reads a header; nil if it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    let check = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 60, as: UInt32.self))
    guard check == CRC32C.of(UnsafeRawBufferPointer(rebasing: bytes.prefix(60))),
      bytes.prefix(8).elementsEqual(Self.magic)
    else { return nil }
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    number = word(12)
    salt = word(20)
    id = JournalID(high: word(28), low: word(36))
    previous = word(44) == 0 ? nil : word(44) - 1
  }

  /// The header's bytes.
  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: version)
    for word in [number, salt, id.high, id.low, previous.map { $0 &+ 1 } ?? 0] {
      bytes.append(littleEndian: word)
    }
    bytes.append(contentsOf: repeatElement(0, count: 60 - bytes.count))
    bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.of($0) })
    return bytes
  }
}

extension [UInt8] {
  /// Adds a number's bytes, the lowest first.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
