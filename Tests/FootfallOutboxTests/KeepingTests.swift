import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Giving up events of an outbox` {
  /// Twelve events: five in a batch and two in another, three and two in the journal, whose batches
  /// have other things in common.
  private static func filled(_ files: any FileSystem) throws -> Outbox {
    let outbox = try Subject.open(files)
    outbox.commonContent = Array("one".utf8)
    try outbox.append(Subject.events(0..<7))
    try outbox.seal(includingRest: true)
    try outbox.append([OutboxRecord(events: Subject.events(7..<10), note: Subject.note("n"))])
    outbox.commonContent = Array("two".utf8)
    try outbox.append(Subject.events(10..<12))
    return outbox
  }

  private static func odd(_ outbox: Outbox, sparing inFlight: UInt64?) throws {
    let kept = try outbox.kept(sparing: inFlight)
    let odd = Set(stride(from: 1, to: 12, by: 2).map { Subject.event($0) })
    try outbox.keepOnly(kept.filter { odd.contains($0.event) }, sparing: inFlight)
  }

  @Test func `what is kept keeps its order, its bytes and what it has in common`() throws {
    let files = MemoryFiles()
    let outbox = try Self.filled(files)
    #expect(try outbox.kept(sparing: nil).map(\.event) == Subject.events(0..<12))
    try Self.odd(outbox, sparing: nil)
    #expect(outbox.keptEvents == 6 && outbox.batches.isEmpty)
    outbox.commonContent = Array("two".utf8)
    try outbox.append(Subject.events(12..<13))
    outbox.close()
    files.endProcess()
    let again = try Subject.open(files)
    let contents = try Subject.contents(again)
    #expect(contents.map(\.number) == [1, 3, 5, 7, 9, 11, 12])
    #expect(contents.map(\.content) == ["one", "one", "one", "one", "one", "two", "two"])
    #expect(Subject.note(of: again) == "n" && again.takeLost() == 0)
  }

  @Test func `a batch that is being sent is left alone`() throws {
    let outbox = try Self.filled(MemoryFiles())
    let first = try #require(outbox.oldest)
    try Self.odd(outbox, sparing: first.number)
    #expect(outbox.batches == [first] && outbox.keptEvents == 5 + 4)
    #expect(try Subject.numbers(outbox) == [0, 1, 2, 3, 4, 5, 7, 9, 11])
  }

  @Test func `nothing may be left at all`() throws {
    let outbox = try Self.filled(MemoryFiles())
    try outbox.keepOnly([], sparing: nil)
    #expect(outbox.keptEvents == 0)
    try outbox.append(Subject.events(12..<13))
    #expect(try Subject.numbers(outbox) == [12])
  }

  @Test(arguments: [false, true])
  func `a stop at any call to the disk loses nothing that is kept`(losesPower: Bool) throws {
    let whole = MemoryFiles()
    let counted = Lock(0)
    let outbox = try Self.filled(whole)
    try outbox.sync()
    whole.intercept { _, _ in
      counted.withLock { $0 += 1 }
      return nil
    }
    try Self.odd(outbox, sparing: nil)
    let calls = counted.withLock { $0 }
    #expect(calls > 5)
    for call in 0...calls {
      let files = MemoryFiles()
      let outbox = try Self.filled(files)
      try outbox.settle()
      try outbox.sync()
      files.fail(after: call)
      do { try Self.odd(outbox, sparing: nil) } catch {
        // That is the stop.
      }
      files.intercept(nil)
      if losesPower { files.losePower() }
      files.endProcess()
      let numbers = try Subject.numbers(try Subject.open(files))
      #expect(Set(numbers).isSuperset(of: [1, 3, 5, 7, 9, 11]), "after call \(call)")
      #expect(Set(numbers).isSubset(of: Set(0..<12)), "after call \(call)")
      // Before anything goes they are there anew, in the order they had.
      if Set(numbers).count < 12 {
        #expect(numbers.suffix(6) == [1, 3, 5, 7, 9, 11], "after call \(call)")
      }
    }
  }
}
