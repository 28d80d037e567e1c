import Foundation
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite struct `Gzip compression` {
  let gzip = Gzip.system(log: .silent)

  @Test(arguments: [0, 1, 2, 100, 65_535, 65_536, 300_000])
  func `what is compressed comes back`(count: Int) throws {
    var random = SeededRandom(seed: UInt64(count))
    let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = (0..<count).map { UInt8(97 + $0 % 7) }
    for bytes in [noise, text] {
      let packed = try #require(gzip.compress(bytes))
      #expect(packed.starts(with: [0x1F, 0x8B, 8]))
      #expect(try Gunzip.unpack(packed) == bytes)
    }
  }

  @Test func `the same bytes give the same member, also from a state used before`() throws {
    let bytes = Array(#"{"name":"Song Played","ts":1764581400123}"#.utf8)
    let first = try #require(gzip.compress(bytes))
    _ = gzip.compress([UInt8](repeating: 1, count: 10_000))
    #expect(gzip.compress(bytes) == first)
    #expect(Gzip.system(log: .silent).compress(bytes) == first)
  }

  @Test func `several threads compress at once`() async throws {
    let gzip = gzip
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<16 as Range<UInt8> {
        group.addTask {
          let bytes = [UInt8](repeating: seed, count: 50_000)
          return gzip.compress(bytes) == Gzip.system(log: .silent).compress(bytes)
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test func `no compression says so`() {
    #expect(Gzip.none.compress([1, 2, 3]) == nil)
  }

  #if os(Linux)
  @Test func `a missing library is named`() {
    #expect(throws: MissingLibrary.self) { try ZlibLibrary(named: "libz-not-there.so.1") }
  }
  #endif
}
