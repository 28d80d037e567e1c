import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import ServerApp

/// Measures how long a server with a large data folder takes until it answers.
///
/// Ten gigabytes of events with a text of 400 bytes that does not compress; takes some minutes and as
/// much disk, so it only runs when named.
enum FolderBench {
  static let benchmark = Benchmark(name: "folder", needsOtherPrograms: true) {
    let folder = try BenchFolder("folder")
    defer { try? folder.remove() }
    let data = DataFolder(path: folder.path)
    let events = try fill(data.store)
    let size = Double(try folder.size(of: (data.store as NSString).lastPathComponent)) / 1e9
    var times: [Double] = []
    for _ in 0..<5 {
      var settings = ServerSettings(data: data)
      settings.port = 0
      settings.share = (try BenchLibrary.path() as NSString).deletingLastPathComponent
      let start = MonotonicTime.now()
      let server = try Server(settings)
      try server.start()
      times.append(MonotonicTime.now().seconds(since: start))
      let found = try server.store.rows(SQL("SELECT count(*) FROM events"))
      server.stop()
      guard try found.first?.integer(0) == Int64(events) else {
        throw BenchFailure(description: "The server did not open the events that were stored.")
      }
    }
    BenchResult(
      id: "start-10-gb",
      what: "start with a large data folder, until requests are answered",
      measured: (median(times) * 1_000).rounded() / 1_000,
      unit: "s",
      bar: "<= 2",
      detail: String(format: "%.1f GB, %d events", size, events)
    ).print()
  }

  private static let bytes = 10_000_000_000
  private static let textBytes = 400

  /// Stores events until they take the space; returns how many.
  private static func fill(_ path: String) throws -> Int {
    let store = try DuckDBEventStore(path: path, library: BenchLibrary.path())
    defer { store.close() }
    var source = BenchEvents(startMs: 1_780_000_000_000, textBytes: textBytes)
    var batch = LoadBatch(log: JournalID(high: 1, low: 1))
    while source.number < bytes / textBytes {
      batch.restart(at: batch.end)
      for _ in 0..<400 {
        let offset = batch.end.offset + 1
        source.record().withUnsafeBytes {
          batch.append($0, upTo: JournalPosition(segment: 1, offset: offset))
        }
      }
      _ = try store.load(batch)
      store.idle()
    }
    return source.number
  }
}
