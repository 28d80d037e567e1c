import DuckDBStore
import EventStore
import FootfallJournal
import Foundation
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct `Looking into a store's file` {
  private static let log = JournalID(high: 3, low: 4)

  /// Loads a batch, so that the file knows how far it is.
  private static func load(into store: DuckDBEventStore) throws -> LoadBatch {
    var random = RandomEvents(seed: 5)
    let batch = random.batch(log: log, start: .start)
    _ = try store.load(batch)
    return batch
  }

  private static func position(in folder: String) throws -> JournalPosition? {
    try StoreInspection(path: folder + "/events.duckdb", library: TestLibrary.path())
      .position(ofLog: log)
  }

  private static func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return contents
  }

  @Test func `after a kill tells how far it is, and leaves it as it is`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let library = try TestLibrary.path()
      let store = try DuckDBEventStore(path: path + "/events.duckdb", library: library)
      _ = try Self.load(into: store)
      // Closing it would empty its log.
      withExtendedLifetime(store) { _ = kill(getpid(), SIGKILL) }
    }
    let before = try Self.contents(of: path)
    #expect(before.keys.contains("events.duckdb.wal"))
    let found = try Self.position(in: path)
    #expect(try Self.contents(of: path) == before)
    let store = try TestLibrary.open(folder)
    #expect(found != nil)
    #expect(try store.position(ofLog: Self.log) == found)
    store.close()
  }

  @Test(arguments: [3, 7]) func `of an older program leaves its tables as they are`(
    version: Int
  ) throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let batch = try Self.load(into: store)
    for step in OlderTables.steps(to: version) { _ = try store.rows(SQL(step)) }
    store.close()
    let before = try Self.contents(of: folder.path)
    #expect(try Self.position(in: folder.path) == batch.end)
    #expect(try Self.contents(of: folder.path) == before)
  }

  @Test func `that is cut off says so, and changes nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    _ = try Self.load(into: store)
    store.close()
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/events.duckdb"))
    try file.truncate(atOffset: file.seekToEnd() / 2)
    try file.close()
    let before = try Self.contents(of: folder.path)
    let error = #expect(throws: StoreError.self) { try Self.position(in: folder.path) }
    #expect(error?.description.contains("restore the data folder from a backup") == true)
    #expect(try Self.contents(of: folder.path) == before)
  }

  @Test func `of a newer program names its version`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    _ = try Self.load(into: store)
    _ = try store.rows(SQL("UPDATE footfall_schema SET version = 99"))
    store.close()
    let error = #expect(throws: StoreError.self) { try Self.position(in: folder.path) }
    #expect(error?.description.contains("99") == true, "\(error.map(\.description) ?? "")")
  }
}
