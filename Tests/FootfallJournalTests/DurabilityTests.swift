import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite struct `Durability` {
  @Test(arguments: 0..<60)
  func `after a power cut everything reported durable is there, and nothing half`(
    seed: Int
  ) throws {
    let random = SeededRandom(UInt64(seed) + 1)
    let files = MemoryFiles()
    var written: [String] = []
    var durable = 0
    for life in 0..<4 {
      let journal = try open(files, Journal.Configuration(segments: 300), random: random)
      let found = try journal.texts()
      #expect(found.count >= durable, "life \(life)")
      #expect(found == Array(written.prefix(found.count)), "life \(life)")
      written = found
      durable = found.count
      for _ in 0..<random.next(below: 40) {
        let text =
          "life \(life) record \(written.count) "
          + String(
            repeating: "x",
            count: random.next(below: 30)
          )
        try journal.append(text)
        written.append(text)
        let before = journal.durableEnd
        if random.next(below: 5) == 0 { try journal.sync() }
        if random.next(below: 20) == 0 { try journal.seal() }
        if journal.durableEnd != before {
          var count = 0
          _ = try journal.read(from: .start) { _, _ in count += 1 }
          durable = count
        }
      }
      files.losePower(keepingTailBytes: random.next(below: 60))
    }
  }

  @Test(arguments: 0..<60)
  func `whatever fails on the way, records are there once, in order, or were refused`(
    seed: Int
  ) throws {
    let random = SeededRandom(UInt64(seed) + 500)
    let files = MemoryFiles()
    var written: [String] = []
    var durable = 0
    for life in 0..<4 {
      let journal = try open(files, Journal.Configuration(segments: 300), random: random)
      written = try journal.texts()
      #expect(written.count >= durable, "life \(life)")
      files.failAtRandom(random, [.write, .sync, .syncFolder])
      for _ in 0..<60 {
        let text = "life \(life) record \(written.count)"
        do throws(JournalError) {
          try journal.append(text)
          written.append(text)
          if random.next(below: 5) == 0 { try journal.sync() }
          if random.next(below: 20) == 0 { try journal.seal() }
        } catch {
          // Refused, or not yet durable: both are allowed, silence is not.
        }
      }
      files.intercept(nil)
      durable = 0
      _ = try journal.read(from: .start) { _, _ in durable += 1 }
      if random.next(below: 2) == 0 {
        // What waited for a new segment is still there once the disk works.
        try journal.sync()
        #expect(try journal.texts() == written, "life \(life)")
        durable = written.count
      }
      files.losePower(keepingTailBytes: random.next(below: 60))
      let found = try open(files, random: random).texts()
      #expect(found == Array(written.prefix(found.count)), "life \(life)")
      files.endProcess()
    }
  }

  @Test func `what a killed process left unsynced is made durable by the next opening`() throws {
    let files = MemoryFiles()
    do {
      let journal = try open(files)
      try journal.append("one")
    }
    let again = try open(files, random: SeededRandom(8))
    #expect(again.durableEnd == again.end)
    files.losePower()
    #expect(try open(files, random: SeededRandom(9)).texts() == ["one"])
  }

  @Test func `the first sync of a segment also makes its name durable`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    try journal.sync()
    #expect(files.count(of: .syncFolder) == 1)
    try journal.append("two")
    try journal.sync()
    #expect(files.count(of: .syncFolder) == 1)
    files.losePower()
    #expect(try open(files).texts() == ["one", "two"])
  }

  @Test func `a sync with nothing to do asks nothing of the disk`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    try journal.sync()
    let syncs = files.count(of: .sync)
    try journal.sync()
    try journal.seal()
    try journal.sync()
    #expect(files.count(of: .sync) == syncs)
  }

  @Test(arguments: [SystemError.Operation.sync, .syncFolder])
  func `after a failed sync the records go to a new segment, once`(
    operation: SystemError.Operation
  ) throws {
    let files = MemoryFiles()
    let journal = try open(files)
    for text in ["one", "two"] { try journal.append(text) }
    if operation == .sync { try journal.sync() }
    for text in ["three", "", "five"] { try journal.append(text) }
    files.fail(operation, times: 1)
    try journal.sync()
    #expect(journal.durableEnd == journal.end)
    try journal.append("six")
    try journal.sync()
    let all = ["one", "two", "three", "", "five", "six"]
    #expect(try journal.texts() == all)
    files.losePower()
    let again = try open(files, random: SeededRandom(8))
    #expect(try again.texts() == all)
    #expect(again.segments.map(\.number).contains(2))
  }

  @Test func `records wait in memory while no sync works, and are there once`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    files.fail(.sync, times: .max)
    for _ in 0..<3 {
      #expect(throws: JournalError.self) { try journal.sync() }
      #expect(journal.durableEnd == .start)
    }
    files.intercept(nil)
    try journal.append("two")
    try journal.sync()
    #expect(try journal.texts() == ["one", "two"])
    files.losePower()
    #expect(try open(files, random: SeededRandom(8)).texts() == ["one", "two"])
  }

  @Test func `records wait in memory when the disk fills up just then`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    files.fail(.sync, times: 1)
    files.setCapacity(0)
    #expect(throws: JournalError.diskFull) { try journal.sync() }
    #expect(throws: JournalError.diskFull) { try journal.append("refused") }
    files.setCapacity(.max)
    try journal.sync()
    #expect(try journal.texts() == ["one"])
    #expect(journal.durableEnd == journal.end)
  }

  @Test func `a sync that fails while sealing keeps the records`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    files.fail(.sync, times: 1)
    try journal.seal()
    #expect(journal.segments.map(\.isSealed) == [true])
    #expect(try journal.texts() == ["one"])
  }

  @Test func `a reader stops at the durable end of a segment whose sync failed`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    try journal.sync()
    try journal.append("two")
    files.fail(.sync, times: 1)
    // Cutting the old segment fails as well: its file still holds the second record.
    let failing = Lock(true)
    files.intercept { operation, _ in
      if operation == .truncate { return .fail(Code.inputOutput) }
      guard operation == .sync else { return nil }
      return failing.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? .fail(Code.inputOutput) : nil
      }
    }
    try journal.sync()
    #expect(try journal.texts() == ["one", "two"])
  }
}

extension MemoryFiles {
  /// Lets every eighth call of some operations fail, writes also by half.
  func failAtRandom(_ random: SeededRandom, _ failing: Set<SystemError.Operation>) {
    intercept { operation, _ in
      guard failing.contains(operation), random.next(below: 8) == 0 else { return nil }
      guard operation == .write && random.next(below: 2) == 0 else {
        return .fail(random.next(below: 2) == 0 ? Code.noSpace : Code.inputOutput)
      }
      return .short(1 + random.next(below: 20))
    }
  }

  /// Lets the next calls of an operation fail.
  func fail(_ failing: SystemError.Operation, times: Int) {
    let left = Lock(times)
    intercept { operation, _ in
      guard operation == failing else { return nil }
      return left.withLock { left in
        guard left > 0 else { return nil }
        left -= 1
        return .fail(Code.inputOutput)
      }
    }
  }
}
