import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite(.timeLimit(.minutes(5))) struct `Group commit` {
  @Test func `a lone record is synced at once, with one sync`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    for number in 1...3 {
      let syncs = files.count(of: .sync)
      let writes = files.count(of: .write)
      #expect(committer.submit(Array("record".utf8), completion: outcomes.note))
      #expect(outcomes.wait(for: number).last == .success(journal.durableEnd))
      #expect(files.count(of: .sync) == syncs + 1)
      // The first record also writes its segment's header.
      #expect(files.count(of: .write) == writes + (number == 1 ? 2 : 1))
    }
    committer.stop()
  }

  @Test func `what is submitted during a sync goes into the next one together`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let gate = Gate()
    files.intercept { operation, _ in
      if operation == .sync { gate.pass() }
      return nil
    }
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    #expect(committer.submit(Array("first".utf8), completion: outcomes.note))
    gate.waitForArrival(1)
    let syncs = files.count(of: .sync)
    for number in 0..<100 {
      #expect(committer.submit(Array("\(number)".utf8), completion: outcomes.note))
    }
    #expect(outcomes.all.isEmpty)
    #expect(files.count(of: .sync) == syncs)
    gate.open()
    committer.drain()
    #expect(outcomes.all.count == 101)
    #expect(files.count(of: .sync) == syncs + 1)
    #expect(try journal.texts() == ["first"] + (0..<100).map { "\($0)" })
    committer.stop()
  }

  @Test func `each record learns the position after it`() throws {
    let journal = try open(MemoryFiles())
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    for number in 0..<50 {
      #expect(
        committer.submit(
          Array(repeating: 1, count: number),
          completion: outcomes.note
        )
      )
    }
    committer.stop()
    var ends: [JournalPosition] = []
    _ = try journal.read(from: .start) { _, next in ends.append(next) }
    #expect(outcomes.all == ends.map { .success($0) })
  }

  @Test func `more than the memory allows is refused until there is room again`() throws {
    let files = MemoryFiles()
    let gate = Gate()
    files.intercept { operation, _ in
      if operation == .sync { gate.pass() }
      return nil
    }
    let journal = try open(files)
    let committer = try GroupCommitter(journal: journal, maxPendingBytes: 1_000)
    let outcomes = Outcomes()
    let record = [UInt8](repeating: 1, count: 300)
    #expect(committer.submit(record, completion: outcomes.note))
    #expect(committer.submit(record, completion: outcomes.note))
    #expect(!committer.submit(record, completion: outcomes.note))
    gate.open()
    committer.drain()
    #expect(committer.pendingBytes == 0)
    #expect(committer.submit(record, completion: outcomes.note))
    committer.stop()
    #expect(outcomes.all.count == 3)
    #expect(!committer.submit(record, completion: outcomes.note))
  }

  @Test func `a full disk fails the group, and later groups succeed`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    files.setCapacity(0)
    #expect(committer.submit([1], completion: outcomes.note))
    #expect(outcomes.wait(for: 1) == [.failure(.diskFull)])
    files.setCapacity(.max)
    #expect(committer.submit([2], completion: outcomes.note))
    #expect(outcomes.wait(for: 2).last == .success(journal.durableEnd))
    committer.stop()
    #expect(try journal.everything().payloads == [[2]])
  }

  @Test func `a group whose sync failed is written again to a new segment`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    #expect(committer.submit([1], completion: outcomes.note))
    _ = outcomes.wait(for: 1)
    files.fail(.sync, times: 1)
    #expect(committer.submit([2, 2], completion: outcomes.note))
    #expect(outcomes.wait(for: 2).last == .success(journal.durableEnd))
    #expect(journal.durableEnd.segment == 2)
    committer.stop()
    files.losePower()
    #expect(try open(files, random: SeededRandom(8)).everything().payloads == [[1], [2, 2]])
  }

  @Test func `a group that was reported as failed is not in the journal later`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    files.fail(.sync, times: .max)
    #expect(committer.submit([1], completion: outcomes.note))
    guard case .failure(.io) = outcomes.wait(for: 1).last else {
      Issue.record("the sync's failure must be reported")
      return
    }
    files.intercept(nil)
    #expect(committer.submit([2], completion: outcomes.note))
    committer.stop()
    journal.close()
    #expect(try open(files, random: SeededRandom(8)).everything().payloads == [[2]])
  }

  @Test func `a record over the limit does not take its group with it`() throws {
    var configuration = Journal.Configuration()
    configuration.maxPayloadBytes = 10
    let journal = try open(MemoryFiles(), configuration)
    let committer = try GroupCommitter(journal: journal)
    let outcomes = Outcomes()
    for size in [10, 11, 9] {
      #expect(committer.submit([UInt8](repeating: 1, count: size), completion: outcomes.note))
    }
    committer.stop()
    let failures = outcomes.all.filter { $0 == .failure(.tooLarge(bytes: 11, limit: 10)) }
    #expect(failures.count == 1 && outcomes.all.count == 3)
    #expect(try journal.everything().payloads.map(\.count) == [10, 9])
  }

  @Test func `a reader sees every record in order while eight threads submit`() throws {
    let journal = try open(MemoryFiles(), Journal.Configuration(segments: 20_000))
    let committer = try GroupCommitter(journal: journal)
    let settled = Monitor(0)
    let threads = try (0..<8).map { writer in
      try SystemThread(name: "writer \(writer)") {
        let own = Monitor(0)
        for number in 0..<500 {
          let isTaken = committer.submit(Array("\(writer) \(number)".utf8)) { _ in
            settled.change { $0 += 1 }
            own.change { $0 += 1 }
          }
          if !isTaken { Issue.record("refused") }
          // Ten under way at most, or a few huge groups would be all there is to read.
          own.wait { number - $0 < 10 ? () : nil }
        }
      }
    }
    var next = JournalPosition.start
    var last = [Int](repeating: -1, count: 8)
    var seen = 0
    while seen < 4_000 {
      settled.wait { $0 > seen ? () : nil }
      let read = try journal.read(from: next, maxBytes: 2_000) { payload, _ in
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ")
        guard let writer = Int(words[0]), let number = Int(words[1]) else { return }
        #expect(number == last[writer] + 1)
        last[writer] = number
        seen += 1
      }
      #expect(read.gaps.isEmpty)
      next = read.next
    }
    for thread in threads { thread.join() }
    committer.stop()
    #expect(last == [Int](repeating: 499, count: 8))
    #expect(journal.segments.count > 1)
  }

  @Test func `records appended during a sync stay for the next one`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let gate = Gate()
    files.intercept { operation, _ in
      if operation == .sync { gate.pass() }
      return nil
    }
    let first = try journal.append("first")
    let thread = try SystemThread(name: "sync") {
      do { try journal.sync() } catch { Issue.record(error) }
    }
    gate.waitForArrival(1)
    // The sync holds nobody up.
    let second = try journal.append("second")
    #expect(journal.durableEnd < first)
    gate.open()
    thread.join()
    #expect(journal.durableEnd == first)
    try journal.sync()
    #expect(journal.durableEnd == second)
    files.losePower()
    #expect(try open(files.copy(), random: SeededRandom(8)).texts() == ["first", "second"])
  }
}

/// What completions reported, in order.
private final class Outcomes: Sendable {
  typealias Outcome = Result<JournalPosition, JournalError>
  private let list = Monitor<[Outcome]>([])

  var all: [Outcome] { list.withLock { $0 } }
  var note: @Sendable (Outcome) -> Void { { outcome in self.list.change { $0.append(outcome) } } }

  func wait(for count: Int) -> [Outcome] {
    list.wait { $0.count >= count ? $0 : nil }
  }
}

/// Holds up whoever passes until it is opened for good.
private final class Gate: Sendable {
  private let state = Monitor((arrivals: 0, isOpen: false))

  func pass() {
    state.change { $0.arrivals += 1 }
    state.wait { $0.isOpen ? () : nil }
  }

  func waitForArrival(_ count: Int) {
    state.wait { $0.arrivals >= count ? () : nil }
  }

  func open() {
    state.change { $0.isOpen = true }
  }
}
