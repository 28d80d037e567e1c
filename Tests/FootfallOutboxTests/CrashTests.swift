import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

/// A process that ends at every one of its calls to the disk, and what the next one finds.
@Suite struct `Outbox after a stop` {
  /// What a run has been promised by the time it stopped.
  final class Run {
    var written: Set<Int> = []
    var durable: Set<Int> = []
    var removed: Set<Int> = []
    /// Being written or removed when the process stopped: either outcome is right.
    var undecided: Set<Int> = []
    /// The note of the last record, and that of the one being written.
    var note: Int?
    var nextNote: Int?
  }

  /// What the events of a number have in common: another thing in every round.
  private static func content(of number: Int) -> String { "round \(number / 10)" }

  /// Writes, seals, sends the oldest, writes, seals all, tidies; every step twice.
  private static func history(_ files: any FileSystem, _ run: Run) throws {
    let outbox = try Subject.open(files)
    var next = 0
    for round in 0..<2 {
      for count in [7, 3] {
        let numbers = next..<next + count
        next += count
        run.undecided = Set(numbers)
        run.nextNote = numbers.upperBound
        outbox.commonContent = Array(content(of: numbers.lowerBound).utf8)
        // Seven in a record with a note, so that a batch ends inside of it; three with theirs.
        try outbox.append([
          OutboxRecord(events: Subject.events(numbers), note: Subject.note("\(numbers.upperBound)"))
        ])
        run.written.formUnion(numbers)
        run.undecided = []
        run.note = run.nextNote
        try outbox.seal(includingRest: count == 3)
        if count == 3 { run.durable = run.written.subtracting(run.removed) }
        if round == 0, let oldest = outbox.oldest {
          let sent = Subject.numbers(try outbox.read(oldest))
          run.undecided = Set(sent)
          run.durable.subtract(sent)
          try outbox.remove(oldest)
          run.removed.formUnion(sent)
          run.undecided = []
        }
      }
      try outbox.tidy(isThorough: true)
    }
    outbox.close()
  }

  /// Runs the history on a disk that stops serving after `calls` calls, the last one cut short.
  private static func interrupted(after calls: Int, shortWrite: Int?) -> (MemoryFiles, Run) {
    let files = MemoryFiles()
    let count = Lock(0)
    files.intercept { operation, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number <= calls { return nil }
      if number == calls + 1, operation == .write, let shortWrite { return .short(shortWrite) }
      return .fail(5)
    }
    let run = Run()
    do { try history(files, run) } catch {
      // That is the stop.
    }
    files.intercept(nil)
    files.endProcess()
    return (files, run)
  }

  /// The number of calls the whole history makes.
  private static func calls() throws -> Int {
    let files = MemoryFiles()
    let count = Lock(0)
    files.intercept { _, _ in
      count.withLock { $0 += 1 }
      return nil
    }
    try history(files, Run())
    return count.withLock { $0 }
  }

  @Test(arguments: [nil, 0, 1, 20, 70] as [Int?])
  func `SDL-22: a kill at any call to the disk loses nothing and doubles nothing`(
    shortWrite: Int?
  ) throws {
    let calls = try Self.calls()
    #expect(calls > 60)
    for call in 0...calls {
      let (files, run) = Self.interrupted(after: call, shortWrite: shortWrite)
      let outbox = try Subject.open(files)
      let note = Subject.note(of: outbox).flatMap { Int($0) }
      let contents = try Subject.contents(outbox)
      let numbers = contents.map(\.number)
      let found = Set(numbers)
      #expect(found.count == numbers.count, "doubled after call \(call)")
      #expect(numbers == numbers.sorted(), "out of order after call \(call)")
      #expect(contents.allSatisfy { $0.content == Self.content(of: $0.number) }, "call \(call)")
      #expect(note == run.note || note == run.nextNote, "note \(note ?? -1) after call \(call)")
      if let note, let newest = numbers.max() { #expect(note > newest, "parted, call \(call)") }
      let due = run.written.subtracting(run.removed).subtracting(run.undecided)
      #expect(due.isSubset(of: found), "lost after call \(call)")
      #expect(found.isSubset(of: due.union(run.undecided)), "back after call \(call)")
    }
  }

  @Test(arguments: [0, 30, 10_000])
  func `a power cut at any call to the disk keeps all that was sealed, and doubles nothing`(
    tail: Int
  ) throws {
    for call in 0...(try Self.calls()) {
      let (files, run) = Self.interrupted(after: call, shortWrite: nil)
      files.losePower(keepingTailBytes: tail)
      let outbox = try Subject.open(files)
      let note = Subject.note(of: outbox).flatMap { Int($0) }
      let contents = try Subject.contents(outbox)
      let numbers = contents.map(\.number)
      let found = Set(numbers)
      #expect(contents.allSatisfy { $0.content == Self.content(of: $0.number) }, "call \(call)")
      if let newest = numbers.max() { #expect(note ?? 0 > newest, "parted, call \(call)") }
      #expect(found.count == numbers.count, "doubled after call \(call)")
      #expect(run.durable.isSubset(of: found), "lost after call \(call)")
      // A removal is not synced: what was delivered may be back, under the ids it had.
      #expect(found.isSubset(of: run.written.union(run.undecided)), "invented after \(call)")
    }
  }

  @Test func `a second stop while the first is being repaired loses nothing either`() throws {
    let first = try Self.calls() / 2
    for call in 0...60 {
      let (files, run) = Self.interrupted(after: first, shortWrite: nil)
      files.fail(after: call)
      do { _ = try Subject.numbers(try Subject.open(files)) } catch {
        // That is the second stop.
      }
      files.intercept(nil)
      files.endProcess()
      let numbers = try Subject.numbers(try Subject.open(files))
      #expect(Set(numbers).count == numbers.count)
      let due = run.written.subtracting(run.removed).subtracting(run.undecided)
      #expect(due.isSubset(of: Set(numbers)), "lost after call \(call)")
    }
  }

  @Test func `SDL-19: a journal whose last bytes are cut off gives all records but the last`()
    throws
  {
    let files = MemoryFiles()
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<3))
    try outbox.append(Subject.events(3..<7))
    outbox.close()
    let segment = try #require(
      files.paths.filter { $0.contains("/journal/") }
        .max { files.bytes($0)?.count ?? 0 < files.bytes($1)?.count ?? 0 }
    )
    files.setBytes(segment, files.bytes(segment)?.dropLast(3))
    let again = try Subject.open(files)
    #expect(try Subject.numbers(again) == Array(0..<6))
    #expect(again.findings.count == 1)
  }

  @Test func `a flipped byte in one record costs that record alone`() throws {
    let files = MemoryFiles()
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<7))
    outbox.close()
    let segment = try #require(
      files.paths.filter { $0.contains("/journal/") }
        .max { files.bytes($0)?.count ?? 0 < files.bytes($1)?.count ?? 0 }
    )
    var bytes = try #require(files.bytes(segment))
    let text = Array("\"id\":\"3\"".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place] ^= 1
    files.setBytes(segment, bytes)
    let again = try Subject.open(files)
    #expect(try Subject.numbers(again) == [0, 1, 2, 4, 5, 6])
    #expect(again.findings.count == 1)
  }
}
