import FootfallCore
import Testing

@Suite struct `Event ids` {
  @Test func `an id is written as a UUID of version 7, in lower case`() {
    let id = EventID(milliseconds: 0x0197_a1b2_c3d4, counter: 0xabc, random: .max)
    #expect(id.description == "0197a1b2-c3d4-7abc-bfff-ffffffffffff")
  }

  @Test func `ids of a run share their random bits and differ in time and counter`() {
    var ids = EventIDSequence(random: 7)
    let first = ids.next(at: 1_000) { 0 }
    let second = ids.next(at: 1_000) { 0 }
    let third = ids.next(at: 1_001) { 0 }
    #expect(first.description == "00000000-03e8-7000-8000-000000000007")
    #expect(second.description == "00000000-03e8-7001-8000-000000000007")
    #expect(third.description == "00000000-03e9-7000-8000-000000000007")
  }

  @Test(arguments: [1, 42, 1_337] as [UInt64])
  func `no id comes twice, whatever the clock does`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var ids = EventIDSequence(random: random.next())
    var seen: Set<EventID> = []
    var now: Int64 = 1_764_581_400_000
    for _ in 0..<50_000 {
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0: now -= Int64.random(in: 0...400_000_000_000, using: &random)
      case 1: now += Int64.random(in: 0...400_000_000_000, using: &random)
      case 2..<20: now -= Int64.random(in: 0...1_500, using: &random)
      case 20..<100: now += 1
      default: break
      }
      let id = ids.next(at: now) { random.next() }
      #expect(seen.insert(id).inserted)
    }
  }

  @Test func `a used-up counter begins a new run`() {
    var ids = EventIDSequence(random: 1)
    var seen: Set<EventID> = []
    for _ in 0..<4_096 { seen.insert(ids.next(at: 5) { 99 }) }
    #expect(seen.count == 4_096)
    let next = ids.next(at: 5) { 99 }
    #expect(next.description == "00000000-0005-7000-8000-000000000063")
  }
}
