import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite struct `Random bytes` {
  @Test func `the source is asked once per block`() {
    let asked = Lock(0)
    let counting = RandomSource.counting()
    var bytes = RandomBytes(
      RandomSource { buffer in
        asked.withLock { $0 += 1 }
        counting.fill(buffer)
      }
    )
    let words = RandomBytes.blockBytes / 8
    var drawn: [UInt64] = []
    for _ in 0..<words { drawn.append(bytes.next()) }
    #expect(drawn == (1...UInt64(words)).map { $0 })
    #expect(asked.withLock { $0 } == 1)
    let next = bytes.next()
    #expect(next == UInt64(words) + 1)
    #expect(asked.withLock { $0 } == 2)
  }

  @Test(arguments: [1, 7, 8, 9, 2_048])
  func `the system fills every byte of a buffer`(count: Int) {
    // A byte that stays zero in 20 fillings was not written: the odds are one in 2^160.
    var seen = [UInt8](repeating: 0, count: count)
    for _ in 0..<20 {
      var bytes = [UInt8](repeating: 0, count: count)
      bytes.withUnsafeMutableBytes { RandomSource.system.fill($0) }
      for index in seen.indices { seen[index] |= bytes[index] }
    }
    #expect(!seen.contains(0))
  }

  @Test func `a seed repeats itself and another differs`() {
    var first = RandomBytes(.seeded(1))
    var again = RandomBytes(.seeded(1))
    var other = RandomBytes(.seeded(2))
    let drawn = (0..<300).map { _ in first.next() }
    #expect(drawn == (0..<300).map { _ in again.next() })
    #expect(drawn != (0..<300).map { _ in other.next() })
  }
}
