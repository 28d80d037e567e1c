internal import CCRC32C

/// The CRC-32C checksum (Castagnoli polynomial, as in iSCSI, RFC 3720 appendix B.4).
///
/// By the processor's own instruction where it has one, else eight bytes a step through eight
/// tables.
package struct CRC32C {
  private var remainder: UInt32 = .max

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~remainder }

  /// The checksum of some bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(bytes)
    return checksum.value
  }

  /// Adds bytes at the end.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard Self.hasInstruction else { return updateByTables(bytes) }
    remainder = footfall_crc32c_update(remainder, bytes.baseAddress, bytes.count)
  }

  private static let hasInstruction = footfall_crc32c_is_available()

  /// Adds bytes at the end, on a processor without the instruction.
  mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
    guard var next = bytes.baseAddress else { return }
    let table = Self.tables.start
    var crc = remainder
    var left = bytes.count
    while left >= 8 {
      let word = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) ^ UInt64(crc)
      crc =
        table[1_792 + Int(word & 0xff)] ^ table[1_536 + Int(word >> 8 & 0xff)]
        ^ table[1_280 + Int(word >> 16 & 0xff)] ^ table[1_024 + Int(word >> 24 & 0xff)]
        ^ table[768 + Int(word >> 32 & 0xff)] ^ table[512 + Int(word >> 40 & 0xff)]
        ^ table[256 + Int(word >> 48 & 0xff)] ^ table[Int(word >> 56)]
      next += 8
      left -= 8
    }
    while left > 0 {
      crc = table[Int((crc ^ UInt32(next.load(as: UInt8.self))) & 0xff)] ^ crc >> 8
      next += 1
      left -= 1
    }
    remainder = crc
  }

  /// Adds a number's four bytes, the lowest first.
  mutating func update(_ number: UInt32) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  private static let tables = Tables()

  /// Row k gives the effect of a byte with k more bytes behind it.
  ///
  /// Safety: written in `init`, only read afterwards, and never freed.
  private struct Tables: @unchecked Sendable {
    let start: UnsafePointer<UInt32>

    init() {
      let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
      for byte in 0..<256 {
        var crc = UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
        (table + byte).initialize(to: crc)
      }
      for entry in 256..<(8 * 256) {
        let before = table[entry - 256]
        (table + entry).initialize(to: table[Int(before & 0xff)] ^ before >> 8)
      }
      start = UnsafePointer(table)
    }
  }
}
