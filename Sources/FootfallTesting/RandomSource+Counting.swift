package import FootfallPlatform
import FootfallSystem

extension RandomSource {
  /// Bytes that count: every eight of them hold the next number, so that ids made of them differ and
  /// can be foretold.
  package static func counting(from first: UInt64 = 1) -> RandomSource {
    let next = Lock(first)
    return RandomSource { buffer in
      for start in stride(from: 0, to: buffer.count, by: 8) {
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        withUnsafeBytes(of: number.littleEndian) { bytes in
          let count = min(8, buffer.count - start)
          buffer[start..<start + count].copyBytes(from: bytes.prefix(count))
        }
      }
    }
  }

  /// A seeded source unlike those before: worlds of tests differ as processes do.
  package static func another() -> RandomSource {
    .seeded(
      lastSeed.withLock { seed in
        seed += 1
        return seed
      }
    )
  }

  private static let lastSeed = Lock<UInt64>(0)
}
