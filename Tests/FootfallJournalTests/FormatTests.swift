import FootfallSystem
import Testing

@testable import FootfallJournal

@Suite struct `The disk format` {
  /// RFC 3720, appendix B.4, and the check value of the catalogues ("123456789").
  @Test(
    arguments: [
      ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
      ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43),
      ([UInt8](0..<32), 0x46dd_794e),
      ([UInt8]((0..<32).reversed()), 0x113f_db5c),
      (Array("123456789".utf8), 0xe306_9283),
      ([], 0),
    ] as [([UInt8], UInt32)]
  )
  func `checksums are those of the published vectors`(bytes: [UInt8], expected: UInt32) {
    #expect(bytes.withUnsafeBytes { CRC32C.of($0) } == expected)
  }

  @Test func `a checksum does not depend on how the bytes come`() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = bytes.withUnsafeBytes { CRC32C.of($0) }
    for cut in 0...bytes.count {
      let value = bytes.withUnsafeBytes { buffer in
        var checksum = CRC32C()
        checksum.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(cut)))
        checksum.update(UnsafeRawBufferPointer(rebasing: buffer.dropFirst(cut)))
        return checksum.value
      }
      #expect(value == whole)
    }
  }

  @Test func `a processor without the instruction comes to the same checksums`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) }
    for start in 0..<9 {
      for count in 0...(bytes.count - start) {
        bytes.withUnsafeBytes { buffer in
          let part = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + count)])
          var checksum = CRC32C()
          checksum.updateByTables(part)
          #expect(checksum.value == CRC32C.of(part))
        }
      }
    }
  }

  @Test(arguments: [767, 768, 769, 1_535, 1_536, 4_000, 20_011])
  func `long records have the checksums that tables give`(count: Int) {
    let bytes = (0..<count + 3).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
    for start in 0..<3 {
      bytes.withUnsafeBytes { buffer in
        let part = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + count)])
        var (whole, tables, parts) = (CRC32C(), CRC32C(), CRC32C())
        whole.update(part)
        tables.updateByTables(part)
        parts.update(UnsafeRawBufferPointer(rebasing: part[..<13]))
        parts.update(UnsafeRawBufferPointer(rebasing: part[13...]))
        #expect(whole.value == tables.value)
        #expect(parts.value == tables.value)
      }
    }
  }

  @Test func `a segment's header is these 64 bytes`() {
    let header = SegmentHeader(
      number: 0x0102_0304_0506_0708,
      salt: 0x1112_1314_1516_1718,
      id: JournalID(high: 0x2122_2324_2526_2728, low: 0x3132_3334_3536_3738)
    )
    let bytes = header.bytes
    #expect(bytes.count == SegmentHeader.byteCount)
    #expect(
      bytes.prefix(44).map { String($0, radix: 16) }.joined(separator: " ")
        == "46 46 6a 72 6e 6c d a 1 0 0 0 8 7 6 5 4 3 2 1 18 17 16 15 14 13 12 11 "
        + "28 27 26 25 24 23 22 21 38 37 36 35 34 33 32 31"
    )
    #expect(bytes[44..<60].allSatisfy { $0 == 0 })
    #expect(bytes.withUnsafeBytes { SegmentHeader($0) } == header)
    for previous in [0, 1, 0x0102_0304] as [UInt64] {
      var header = header
      header.previous = previous
      #expect(header.bytes[44] == UInt8(truncatingIfNeeded: previous) + 1)
      #expect(header.bytes.withUnsafeBytes { SegmentHeader($0) } == header)
    }
  }

  @Test func `a frame's magic and mask change with salt and offset`() {
    let format = FrameFormat(salt: 1)
    #expect(format.marks(at: 64) == (0x401e_d25b, 0x88b8_94e1))
    #expect(format.marks(at: 64) != format.marks(at: 65))
    #expect(format.marks(at: 64) != FrameFormat(salt: 2).marks(at: 64))
  }

  @Test(
    arguments: [
      ("000000000001-00000000000000ff.journal", 1, 0xff),
      ("1234567890123-ffffffffffffffff.journal", 1_234_567_890_123, UInt64.max),
    ] as [(String, UInt64, UInt64)]
  )
  func `a segment's name holds number and salt`(file: String, number: UInt64, salt: UInt64) {
    #expect(SegmentName(number: number, salt: salt).fileName() == file)
    #expect(SegmentName(file, .segment) == SegmentName(number: number, salt: salt))
  }

  @Test(arguments: [
    "", ".journal", "1-00000000000000ff.journal", "000000000000-00000000000000ff.journal",
    "000000000001-ff.journal", "000000000001-00000000000000FF.journal",
    "000000000001-00000000000000ff.journal.new", "000000000001-+0000000000000ff.journal",
    "000000000001-00000000000000ff.retired",
  ])
  func `other names are not taken for segments`(file: String) {
    #expect(SegmentName(file, .segment) == nil)
  }

  @Test func `an id is read from the text it gives`() {
    let id = JournalID(high: 5, low: .max)
    #expect(id.description == "0000000000000005ffffffffffffffff")
    #expect(JournalID(id.description) == id)
    #expect(JournalID("5") == nil)
    #expect(JournalID(String(repeating: "g", count: 32)) == nil)
  }
}
