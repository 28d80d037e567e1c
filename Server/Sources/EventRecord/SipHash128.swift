/// SipHash-2-4 with a 128-bit result (Aumasson and Bernstein; reference code `siphash.c`).
///
/// Keyed and stable: the same key and bytes give the same result on every machine and version, which
/// `Hasher` does not promise.
package struct SipHash128 {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// Bytes absorbed so far; only the low byte counts.
  private var length: UInt64 = 0

  /// Starts with a 128-bit key, given as two little-endian words.
  package init(key0: UInt64, key1: UInt64) {
    v0 = 0x736f_6d65_7073_6575 ^ key0
    v1 = 0x646f_7261_6e64_6f6d ^ key1 ^ 0xee
    v2 = 0x6c79_6765_6e65_7261 ^ key0
    v3 = 0x7465_6462_7974_6573 ^ key1
  }

  /// Absorbs eight bytes, given as a little-endian word.
  @inline(__always)
  package mutating func absorb(_ word: UInt64) {
    length &+= 8
    mix(word)
  }

  /// Ends the message with its last `count` (0 to 7) bytes in the low bytes of `tail`.
  package consuming func finish(tail: UInt64 = 0, count: Int = 0) -> (first: UInt64, second: UInt64)
  {
    mix(((length &+ UInt64(count)) << 56) | tail)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  @inline(__always)
  private mutating func round() {
    v0 &+= v1
    v2 &+= v3
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v1
    v0 &+= v3
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 = v2 << 32 | v2 >> 32
  }
}
