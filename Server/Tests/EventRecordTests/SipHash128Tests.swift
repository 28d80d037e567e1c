import EventRecord
import Testing

@Suite struct `SipHash with 128 bits` {
  /// Made with OpenSSL's implementation for the key 00…0f over the bytes 00, 01, 02 …; the first is also
  /// the first of the reference code's published vectors.
  static let vectors: [(Int, String)] = [
    (0, "A3817F04BA25A8E66DF67214C7550293"),
    (1, "DA87C1D86B99AF44347659119B22FC45"),
    (7, "A1F1EBBED8DBC153C0B84AA61FF08239"),
    (8, "3B62A9BA6258F5610F83E264F31497B4"),
    (9, "264499060AD9BAABC47F8B02BB6D71ED"),
    (15, "5493E99933B0A8117E08EC0F97CFC3D9"),
    (16, "6EE2A4CA67B054BBFD3315BF85230577"),
    (63, "5150D1772F50834A503E069A973FBD7C"),
  ]

  @Test(arguments: vectors)
  func `agrees with the reference vectors`(length: Int, expected: String) {
    #expect(keyText(hash(Array(0..<UInt8(length)))) == expected.lowercased())
  }

  private func hash(_ bytes: [UInt8]) -> (UInt64, UInt64) {
    var hash = SipHash128(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    let whole = bytes.count / 8 * 8
    for start in stride(from: 0, to: whole, by: 8) { hash.absorb(word(bytes[start..<start + 8])) }
    return hash.finish(tail: word(bytes[whole...]), count: bytes.count - whole)
  }

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The result's bytes in memory order, in hexadecimal.
  private func keyText(_ words: (UInt64, UInt64)) -> String {
    EventKey(high: words.0.byteSwapped, low: words.1.byteSwapped).description
  }
}
