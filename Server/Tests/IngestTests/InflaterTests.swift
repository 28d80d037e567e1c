import Testing

@testable import Ingest

@Suite struct `Inflating` {
  /// Bytes that hardly compress.
  private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private func inflate(_ bytes: [UInt8], _ bound: Inflater.Bound = .init()) throws -> [UInt8] {
    let inflater = Inflater()
    return try bytes.withUnsafeBytes { Array(try inflater.inflate($0, bound: bound)) }
  }

  @Test(arguments: [0, 1, 1_023, 65_536, 65_537, 3_000_000])
  func `bodies of any size come out as they were`(count: Int) throws {
    let body = noise(count)
    #expect(try inflate(GzipBytes.compress(body)) == body)
  }

  @Test func `members one after the other are one body`() throws {
    let first = noise(70_000)
    let second: [UInt8] = [2, 3]
    let both = try GzipBytes.compress(first) + GzipBytes.compress(second)
    #expect(try inflate(both) == first + second)
  }

  @Test func `a body may grow to the bound and not beyond`() throws {
    var bound = Inflater.Bound()
    bound.maxBytes = 100_000
    bound.maxRatio = 1_000_000
    let fits = try GzipBytes.compress([UInt8](repeating: 0, count: 100_000))
    #expect(try inflate(fits, bound).count == 100_000)
    let over = try GzipBytes.compress([UInt8](repeating: 0, count: 100_001))
    #expect(throws: Inflater.Failure.tooLarge) { try inflate(over, bound) }
  }

  @Test func `a body may grow a hundredfold and not beyond`() throws {
    let zeros = try GzipBytes.compress([UInt8](repeating: 0, count: 1 << 20))
    #expect(zeros.count < (1 << 20) / 100)
    #expect(throws: Inflater.Failure.tooLarge) { try inflate(zeros) }
    // Below 64 KiB the ratio means nothing.
    #expect(try inflate(GzipBytes.compress([UInt8](repeating: 0, count: 65_536))).count == 65_536)
  }

  @Test func `a trailer that lies about the size changes nothing`() throws {
    var lying = try GzipBytes.compress([UInt8](repeating: 0, count: 5 << 20))
    lying.replaceSubrange(lying.count - 4..<lying.count, with: [1, 0, 0, 0])
    #expect(throws: Inflater.Failure.tooLarge) { try inflate(lying) }
  }

  @Test func `a cut or changed body is damaged`() throws {
    let whole = try GzipBytes.compress(Array("some text that is compressed".utf8))
    for count in 2..<whole.count {
      #expect(throws: Inflater.Failure.self) { try inflate(Array(whole[..<count])) }
    }
    var changed = whole
    changed[whole.count - 6] ^= 1
    #expect(throws: Inflater.Failure.damaged) { try inflate(changed) }
    #expect(throws: Inflater.Failure.damaged) { try inflate(whole + [0]) }
  }

  @Test func `a body cut short is damaged, whatever its last bytes would say as a size`() throws {
    let whole = try GzipBytes.compress(noise(3_000))
    for count in 2..<whole.count {
      #expect(throws: Inflater.Failure.damaged) { try inflate(Array(whole.prefix(count))) }
    }
  }

  @Test func `one inflater serves body after body`() throws {
    let inflater = Inflater()
    for count in [10, 2_000_000, 10, 300_000] {
      let body = noise(count)
      let compressed = try GzipBytes.compress(body)
      let inflated = try compressed.withUnsafeBytes {
        Array(try inflater.inflate($0, bound: Inflater.Bound()))
      }
      #expect(inflated == body)
    }
  }
}
