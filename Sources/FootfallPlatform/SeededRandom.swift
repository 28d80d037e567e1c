import FootfallSystem

/// A random number generator that repeats itself for the same seed (SplitMix64).
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; the same seed gives the same numbers on every machine.
  package init(seed: UInt64) { state = seed }

  /// The next eight bytes.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension RandomSource {
  /// Bytes that repeat themselves for the same seed.
  package static func seeded(_ seed: UInt64) -> RandomSource {
    let generator = Lock(SeededRandom(seed: seed))
    return RandomSource { buffer in
      generator.withLock { generator in
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: generator.next()) }
      }
    }
  }
}
