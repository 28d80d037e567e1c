import DuckDBStore
import EventRecord
import EventStore
import Foundation
import FootfallJournal
import FootfallSystem

/// A DuckDB store in a folder that is gone when the test is over.
final class TestStore: Sendable {
  struct MissingLibrary: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing; run script/bootstrap first." }
  }

  private let opened: Lock<DuckDBEventStore>
  private let loaded = Lock(UInt64(0))
  private let folder: String
  private let options: DuckDBOptions

  var store: DuckDBEventStore { opened.withLock { $0 } }

  init(options: DuckDBOptions = DuckDBOptions()) throws {
    self.options = options
    folder =
      FileManager.default.temporaryDirectory.path + "/footfall-insights-"
      + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    opened = Lock(
      try DuckDBEventStore(
        path: folder + "/events.duckdb",
        library: Self.library(),
        options: options
      )
    )
  }

  /// Closes the store and opens it again.
  func reopen() throws {
    try opened.withLock { store in
      store.close()
      store = try DuckDBEventStore(
        path: folder + "/events.duckdb",
        library: Self.library(),
        options: options
      )
    }
  }

  deinit {
    store.close()
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      print("The folder \(folder) could not be removed: \(error)")
    }
  }

  /// DuckDB's library, which `script/bootstrap` puts into `share/footfall`.
  private static func library() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["FOOTFALL_SHARE"]
      ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/share/footfall"
    let path = folder + "/libduckdb.so"
    guard FileManager.default.fileExists(atPath: path) else { throw MissingLibrary(path: path) }
    return path
  }

  /// Loads events that differ in their keys; those of one receive time, correction and project as one
  /// request.
  func load(_ events: [StoredEvent], erased: EraseList = EraseList()) throws {
    let start = loaded.withLock { start in
      defer { start += UInt64(events.count) }
      return start
    }
    var batch = LoadBatch(
      log: JournalID(high: 1, low: 1),
      start: start == 0 ? .start : JournalPosition(segment: 1, offset: start)
    )
    batch.erased = erased
    for (number, event) in events.enumerated() {
      let header = RecordHeader(
        source: .native,
        project: event.project,
        receivedAtMs: event.receivedMs,
        clockCorrectionMs: event.correctedMs - event.timestampMs
      )
      let record = RecordWriter.record(
        header,
        context: event.client,
        events: [
          EventRecord(
            key: event.key,
            kind: event.kind,
            flags: event.isTest ? .test : [],
            timestampMs: event.timestampMs,
            sequence: event.sequence,
            id: event.id,
            name: event.name,
            deviceID: event.deviceID,
            userID: event.userID,
            sessionID: event.sessionID,
            properties: event.properties,
            groups: event.groups,
            operations: event.operations,
            context: event.context
          )
        ]
      )
      record.withUnsafeBytes {
        batch.append($0, upTo: JournalPosition(segment: 1, offset: start + UInt64(number + 1)))
      }
    }
    _ = try store.load(batch)
    // What was loaded first lies sorted, what came later as it arrived: every question is asked of both.
    if start == 0 { _ = try store.sortNow() }
  }
}
