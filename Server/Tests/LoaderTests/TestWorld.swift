import DuckDBStore
import EventRecord
import EventStore
import Foundation
import FootfallJournal
import FootfallSystem
import IngestLog
import Loader

/// A data folder that is gone when the test is over: log, store and poison beside each other.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/footfall-loader-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("The folder \(path) could not be removed: \(error)")
    }
  }
}

/// DuckDB's library, which `script/bootstrap` puts into `share/footfall`.
enum TestLibrary {
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing; run script/bootstrap first." }
  }

  static func path() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["FOOTFALL_SHARE"]
      ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/share/footfall"
    let path = folder + "/libduckdb.so"
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    return path
  }

  static func open(in folder: String) throws -> DuckDBEventStore {
    try DuckDBEventStore(path: folder + "/events.duckdb", library: path())
  }
}

/// Records with events numbered from 0 on.
enum TestRecords {
  /// One request with the events of these numbers; the same number always makes the same event.
  static func request(_ numbers: Range<Int>, project: UInt32 = 1) -> [UInt8] {
    RecordWriter.record(
      RecordHeader(source: .native, project: project, receivedAtMs: 1_780_000_000_000),
      context: #"{"library":"test/1.0"}"#,
      events: numbers.map { number in
        EventRecord(
          key: .native(project: project, id: "event-\(number)"),
          timestampMs: 1_780_000_000_000 + Int64(number),
          sequence: Int64(number),
          id: "event-\(number)",
          name: "Opened"
        )
      }
    )
  }
}

extension IngestLog {
  /// Puts records into the log and waits until they are durable.
  func add(_ records: [UInt8]...) {
    for record in records { _ = submit(record) { _ in } }
    drain()
  }
}

extension EventStore where Self == DuckDBEventStore {
  /// The sequence numbers of all stored events in the order they were stored.
  func sequences() throws -> [Int64] {
    try rows(SQL("SELECT seq FROM events ORDER BY rowid")).map { try $0.integer(0) }
  }
}

/// A store that fails when told so: before it does anything, or after it has committed.
final class FailingStore: EventStore {
  /// What the next loads do.
  enum Step: Sendable {
    case works
    /// Nothing happens.
    case failsBefore(StoreError)
    /// The batch is stored, but whoever called does not learn it.
    case failsAfter
    /// Fails like a store that takes no row like one of the batch's.
    case refusesRecord(containing: [UInt8])
  }

  private let inner: any EventStore
  private let steps: Lock<[Step]>
  private let refusing: Lock<[UInt8]?> = Lock(nil)

  init(_ inner: any EventStore, _ steps: [Step]) {
    self.inner = inner
    self.steps = Lock(steps)
  }

  var dialect: Dialect { inner.dialect }

  func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void
  ) throws -> LoadResult {
    let step = steps.withLock { $0.isEmpty ? .works : $0.removeFirst() }
    switch step {
    case .works: break
    case .failsBefore(let error): throw error
    case .failsAfter:
      _ = try inner.load(batch, beforeCommit: beforeCommit)
      throw StoreError.engine("the answer was lost")
    case .refusesRecord(let bytes): refusing.withLock { $0 = bytes }
    }
    if let bytes = refusing.withLock({ $0 }),
      batch.records.contains(where: { Array(batch.bytes[$0]) == bytes })
    {
      throw StoreError.invalidData("no such row")
    }
    return try inner.load(batch, beforeCommit: beforeCommit)
  }

  func position(ofLog log: JournalID) throws -> JournalPosition? {
    try inner.position(ofLog: log)
  }

  func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output { try inner.answer(insight, cancellation: cancellation) }

  func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] {
    try inner.rows(sql, cancellation: cancellation)
  }

  func idle() { inner.idle() }

  func close() { inner.close() }
}
