import FootfallJournal
import FootfallSystem
import FootfallTesting
import Testing

@testable import IngestLog

/// What completions told, to be waited for.
final class Results: Sendable {
  private let all = Monitor([Result<JournalPosition, JournalError>]())

  var note: @Sendable (Result<JournalPosition, JournalError>) -> Void {
    { [all] result in all.change { $0.append(result) } }
  }

  func wait(for count: Int) throws -> [Result<JournalPosition, JournalError>] {
    try #require(all.wait(timeoutSeconds: 10) { $0.count >= count ? $0 : nil })
  }

  var count: Int { all.withLock { $0.count } }
}

func openLog(
  _ files: MemoryFiles,
  _ change: (inout IngestLog.Settings) -> Void = { _ in }
) throws
  -> IngestLog
{
  var settings = IngestLog.Settings()
  change(&settings)
  return try IngestLog(folder: "/data/log", settings: settings, files: files, keepsItself: false)
}

/// Holds up every sync of a file until told to go on.
final class SyncGate: Sendable {
  private let state = Monitor((isOpen: false, waiting: 0))

  func install(in files: MemoryFiles) {
    files.intercept { [state] operation, _ in
      guard operation == .sync else { return nil }
      state.change { $0.waiting += 1 }
      state.wait { $0.isOpen ? () : nil }
      return nil
    }
  }

  func waitUntilReached() throws {
    try #require(state.wait(timeoutSeconds: 10) { $0.waiting > 0 ? () : nil } != nil)
  }

  func open() { state.change { $0.isOpen = true } }
}

@Suite(.timeLimit(.minutes(5))) struct `The ingest log` {
  @Test func `a record is answered for only after its sync`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let gate = SyncGate()
    gate.install(in: files)
    let results = Results()
    #expect(log.submit([1, 2, 3], completion: results.note) == .accepted)
    try gate.waitUntilReached()
    #expect(results.count == 0)
    #expect(log.durableEnd == .start)
    gate.open()
    let position = try results.wait(for: 1)[0].get()
    #expect(position == log.durableEnd)
  }

  @Test func `a lone record on an idle log takes one sync`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let results = Results()
    // The first record of a segment also makes the segment durable.
    _ = log.submit([0], completion: results.note)
    _ = try results.wait(for: 1)
    for round in 1...5 {
      let before = files.count(of: .sync)
      _ = log.submit([UInt8(round)], completion: results.note)
      _ = try results.wait(for: 1 + round)
      #expect(files.count(of: .sync) - before == 1)
    }
    #expect(log.status.records == 6)
    #expect(log.status.recordBytes == 6)
  }

  @Test func `what comes during a sync goes into the next one, all together`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let results = Results()
    _ = log.submit([0], completion: results.note)
    _ = try results.wait(for: 1)
    let before = files.count(of: .sync)
    let gate = SyncGate()
    gate.install(in: files)
    _ = log.submit([1], completion: results.note)
    try gate.waitUntilReached()
    for number in 2...100 { _ = log.submit([UInt8(number)], completion: results.note) }
    gate.open()
    _ = try results.wait(for: 101)
    #expect(files.count(of: .sync) - before == 2)
  }

  @Test func `more than may wait for the disk is turned away, and taken again afterwards`() throws {
    let files = MemoryFiles()
    let log = try openLog(files) { $0.maxPendingBytes = 1_000 }
    defer { log.close() }
    let gate = SyncGate()
    gate.install(in: files)
    let results = Results()
    let large = [UInt8](repeating: 7, count: 800)
    #expect(log.submit(large, completion: results.note) == .accepted)
    #expect(log.submit(large, completion: results.note) == .overloaded)
    #expect(log.status.refusedRecords == 1)
    gate.open()
    _ = try results.wait(for: 1)[0].get()
    log.drain()
    #expect(log.submit(large, completion: results.note) == .accepted)
    _ = try results.wait(for: 2)[1].get()
  }

  @Test func `a full disk is told, and the log goes on once there is room`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let results = Results()
    _ = log.submit([1], completion: results.note)
    _ = try results.wait(for: 1)[0].get()
    files.setCapacity(0)
    _ = log.submit([UInt8](repeating: 2, count: 5_000), completion: results.note)
    #expect(throws: JournalError.diskFull) { try results.wait(for: 2)[1].get() }
    #expect(log.status.failedRecords == 1)
    #expect(log.status.problem == "The disk is full.")
    files.setCapacity(.max)
    _ = log.submit([3], completion: results.note)
    _ = try results.wait(for: 3)[2].get()
    #expect(log.status.problem == nil)
    #expect(try Self.records(of: log) == [[1], [3]])
  }

  @Test func `after a full disk it finds out by itself that records can be written again`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let results = Results()
    files.setCapacity(5_000)
    log.probe()
    #expect(log.refusal == nil)
    log.probe(isDiskTight: true)
    #expect(log.refusal == "The disk is full.")
    files.setCapacity(.max)
    log.probe()
    #expect(log.refusal == nil)
    files.setCapacity(0)
    _ = log.submit([UInt8](repeating: 2, count: 5_000), completion: results.note)
    #expect(throws: JournalError.diskFull) { try results.wait(for: 1)[0].get() }
    log.probe()
    #expect(log.refusal == "The disk is full.")
    files.setCapacity(.max)
    log.probe()
    #expect(log.refusal == nil && log.status.problem == nil)
    #expect(try files.list("/data/log").allSatisfy { !$0.contains("probe") })
    files.removeFolder("/data/log")
    log.probe()
    #expect(log.refusal == "The journal's folder does not exist.")
  }

  @Test func `a sync that fails is no acceptance`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    files.intercept { operation, _ in operation == .sync ? .fail(5) : nil }
    let results = Results()
    _ = log.submit([1], completion: results.note)
    #expect(throws: JournalError.self) { try results.wait(for: 1)[0].get() }
    files.intercept(nil)
    _ = log.submit([2], completion: results.note)
    _ = try results.wait(for: 2)[1].get()
    files.losePower()
    #expect(try Self.records(of: log) == [[2]])
  }

  @Test func `a second server on the folder is told who holds it`() throws {
    let files = MemoryFiles(process: 777)
    let log = try openLog(files)
    let error = #expect(throws: IngestLogError.self) { try openLog(files) }
    #expect(error?.description.contains("in use by process 777") == true)
    #expect(error?.description.contains("/data/log") == true)
    log.close()
    try openLog(files).close()
  }

  @Test func `a reader waits for more and is woken by it`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let found = Monitor([[UInt8]]())
    let isStopping = Lock(false)
    let thread = try SystemThread(name: "reader") {
      var position = JournalPosition.start
      while let end = log.waitForMore(after: position, unless: { isStopping.withLock { $0 } }) {
        do {
          position = try log.read(from: position, upTo: end) { bytes, _ in
            let record = Array(bytes)
            found.change { $0.append(record) }
          }.next
        } catch {
          return
        }
      }
    }
    for number in 1...3 {
      let results = Results()
      _ = log.submit([UInt8(number)], completion: results.note)
      try #require(found.wait(timeoutSeconds: 10) { $0.count == number ? () : nil } != nil)
    }
    #expect(found.withLock { $0 } == [[1], [2], [3]])
    isStopping.withLock { $0 = true }
    log.wakeReaders()
    thread.join()
  }

  @Test func `a reader never sees what is not durable`() throws {
    let files = MemoryFiles()
    let log = try openLog(files)
    defer { log.close() }
    let gate = SyncGate()
    gate.install(in: files)
    let results = Results()
    _ = log.submit([1], completion: results.note)
    try gate.waitUntilReached()
    #expect(log.waitForMore(after: .start, timeoutSeconds: 0) == nil)
    #expect(try Self.records(of: log) == [])
    gate.open()
    _ = try results.wait(for: 1)
    #expect(log.waitForMore(after: .start, timeoutSeconds: 0) == log.durableEnd)
  }

  @Test func `closing ends waits`() throws {
    let log = try openLog(MemoryFiles())
    let thread = try SystemThread(name: "reader") { _ = log.waitForMore(after: log.durableEnd) }
    log.close()
    log.close()
    thread.join()
    #expect(log.submit([1]) { _ in } != .accepted)
  }

  @Test func `loaded segments are removed from the disk, others are not`() throws {
    let files = MemoryFiles()
    let log = try openLog(files) {
      $0.maxSegmentBytes = 1_000
      $0.retention.keepsLoadedSeconds = 60
    }
    defer { log.close() }
    let results = Results()
    for number in 1...5 {
      _ = log.submit([UInt8](repeating: UInt8(number), count: 900), completion: results.note)
      _ = try results.wait(for: number)
    }
    #expect(log.status.segments == 5)
    log.markLoaded(upTo: try results.wait(for: 5)[2].get())
    log.maintain(atMs: 0)
    #expect(log.status.segments == 5)
    log.maintain(atMs: 60_000)
    #expect(log.status.segments == 2)
    #expect(try Self.records(of: log).map { $0[0] } == [4, 5])
  }

  @Test func `at its cap with a store that does not catch up the log takes no more`() throws {
    let log = try openLog(MemoryFiles()) { $0.retention.maxBytes = 1_000 }
    defer { log.close() }
    let results = Results()
    _ = log.submit([UInt8](repeating: 1, count: 2_000), completion: results.note)
    let position = try results.wait(for: 1)[0].get()
    log.maintain(atMs: 0)
    #expect(log.isRefusing)
    #expect(log.submit([2], completion: results.note) == .full)
    log.markLoaded(upTo: position)
    log.maintain(atMs: 1)
    #expect(log.submit([3], completion: results.note) == .accepted)
    _ = try results.wait(for: 2)
  }

  private static func records(of log: IngestLog) throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    _ = try log.read(from: .start) { bytes, _ in records.append(Array(bytes)) }
    return records
  }
}
