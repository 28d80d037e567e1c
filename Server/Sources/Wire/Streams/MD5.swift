/// MD5 (RFC 1321), by which Kinesis spreads partition keys over shards; it protects nothing here.
///
/// Written out, though libcrypto has it: the codecs import no C library, so that they can be fuzzed and
/// tested alone.
enum MD5 {
  /// The digest as an unsigned number, the first byte highest.
  static func number(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    var state: Words = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)
    var offset = 0
    while bytes.count - offset >= 64 {
      mix(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 64]), into: &state)
      offset += 64
    }
    let whole = state
    state = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { tail in
      var state = whole
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let padded = rest.count < 56 ? 64 : 128
      tail.initializeMemory(as: UInt8.self, repeating: 0)
      tail.copyMemory(from: rest)
      tail[rest.count] = 0x80
      tail.storeBytes(
        of: (UInt64(bytes.count) &* 8).littleEndian,
        toByteOffset: padded - 8,
        as: UInt64.self
      )
      for start in stride(from: 0, to: padded, by: 64) {
        mix(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(tail)[start..<start + 64]),
          into: &state
        )
      }
      return state
    }
    let words = [state.0, state.1, state.2, state.3]
    return words.reduce(0 as UInt128) { $0 << 32 | UInt128($1.byteSwapped) }
  }

  private typealias Words = (UInt32, UInt32, UInt32, UInt32)

  /// Four rounds of sixteen steps, each round with its own mixture, order of words and turns.
  private static func mix(_ block: UnsafeRawBufferPointer, into state: inout Words) {
    var (a, b, c, d) = state
    for first in stride(from: 0, to: 16, by: 4) {
      step(&a, b, b & c | ~b & d, word(block, first, first), 7)
      step(&d, a, a & b | ~a & c, word(block, first &+ 1, first &+ 1), 12)
      step(&c, d, d & a | ~d & b, word(block, first &+ 2, first &+ 2), 17)
      step(&b, c, c & d | ~c & a, word(block, first &+ 3, first &+ 3), 22)
    }
    for first in stride(from: 16, to: 32, by: 4) {
      step(&a, b, d & b | ~d & c, word(block, first, 5 &* first &+ 1), 5)
      step(&d, a, c & a | ~c & b, word(block, first &+ 1, 5 &* first &+ 6), 9)
      step(&c, d, b & d | ~b & a, word(block, first &+ 2, 5 &* first &+ 11), 14)
      step(&b, c, a & c | ~a & d, word(block, first &+ 3, 5 &* first &+ 16), 20)
    }
    for first in stride(from: 32, to: 48, by: 4) {
      step(&a, b, b ^ c ^ d, word(block, first, 3 &* first &+ 5), 4)
      step(&d, a, a ^ b ^ c, word(block, first &+ 1, 3 &* first &+ 8), 11)
      step(&c, d, d ^ a ^ b, word(block, first &+ 2, 3 &* first &+ 11), 16)
      step(&b, c, c ^ d ^ a, word(block, first &+ 3, 3 &* first &+ 14), 23)
    }
    for first in stride(from: 48, to: 64, by: 4) {
      step(&a, b, c ^ (b | ~d), word(block, first, 7 &* first), 6)
      step(&d, a, b ^ (a | ~c), word(block, first &+ 1, 7 &* first &+ 7), 10)
      step(&c, d, a ^ (d | ~b), word(block, first &+ 2, 7 &* first &+ 14), 15)
      step(&b, c, d ^ (c | ~a), word(block, first &+ 3, 7 &* first &+ 21), 21)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }

  @inline(__always)
  private static func step(
    _ a: inout UInt32,
    _ b: UInt32,
    _ mixed: UInt32,
    _ word: UInt32,
    _ turn: UInt32
  ) {
    let sum = a &+ mixed &+ word
    a = b &+ (sum &<< turn | sum &>> (32 &- turn))
  }

  /// The block's word of a number, which counts modulo 16, and the sine of the step.
  @inline(__always)
  private static func word(_ block: UnsafeRawBufferPointer, _ step: Int, _ number: Int) -> UInt32 {
    let offset = (number & 15) &* 4
    return UInt32(littleEndian: block.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      &+ sines[step]
  }

  /// The whole parts of 2^32 times the sines of 1 to 64 (RFC 1321, section 3.4).
  private static let sines: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
    0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193,
    0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d,
    0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8, 0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122,
    0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
    0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665, 0xf429_2244,
    0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
    0xeb86_d391,
  ]
}
