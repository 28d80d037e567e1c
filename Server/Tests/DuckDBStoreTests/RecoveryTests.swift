import DuckDBStore
import EventStore
import FootfallJournal
import Testing

/// What becomes of a store after an error that DuckDB does not go on from.
@Suite struct `A database that was invalidated` {
  private let log = JournalID(high: 1, low: 2)

  @Test func `is opened anew by the copy that failed, and answers the next question`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let first = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    _ = try store.load(first)
    // DuckDB's own switch for a checkpoint that fails half-way, as on a full disk.
    _ = try store.rows(SQL("SET GLOBAL debug_checkpoint_abort = 'before_header'"))
    #expect(throws: StoreError.self) {
      try store.copyFiles(to: folder.path + "/copy") { _, _ in }
    }
    #expect(try store.rows(SQL("SELECT 1")) == [Row([.integer(1)])])
    _ = try store.load(LoadBatch(id: "b", ownMs: 5, log: log, start: first.end))
    #expect(try store.storedEvents().map(\.id) == ["a", "b"])
  }

  @Test func `is opened anew by the first question after another's fatal error`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    _ = try store.load(LoadBatch(id: "a", ownMs: 5, log: log, start: .start))
    _ = try store.rows(SQL("SET GLOBAL debug_checkpoint_abort = 'before_header'"))
    #expect(throws: StoreError.self) { try store.rows(SQL("CHECKPOINT")) }
    #expect(try store.storedEvents().map(\.id) == ["a"])
  }
}
