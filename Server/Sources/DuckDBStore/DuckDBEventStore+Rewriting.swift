import EventStore
import FootfallSystem

extension DuckDBEventStore {
  /// Writes all that is stored into a new file, which then takes the old one's place; another thread's
  /// batch waits, questions go on.
  ///
  /// Nothing less leaves nothing: DuckDB keeps removed rows in stretches that hold others too, what it frees
  /// stays until it is written over, and the first letters of the least and greatest text outlive both.
  ///
  /// - Throws: `StoreError`; the old file stays then. Calling again is right.
  public func leaveNothing() throws {
    try files.checkRoom()
    try replaceFile { [files] (writer) throws(StoreError) in
      do throws(StoreError) { try writer.copyAll(to: files.draft) } catch {
        files.removeDraft()
        throw error
      }
    }
  }
}

extension StoreFiles {
  /// Removes a new file that is not whole.
  func removeDraft() {
    for path in [draft, draft + ".wal"] where PosixFiles().exists(path) {
      do throws(SystemError) { try PosixFiles().remove(path) } catch {
        // The next opening removes it.
      }
    }
  }
}

extension Writer {
  /// Copies all tables and views, the rows in their order, into a new database.
  fileprivate func copyAll(to path: String) throws(StoreError) {
    let name = try connection.rows(SQL("SELECT current_database()")).first?.text(0) ?? ""
    let quoted = name.replacing("\"", with: "\"\"")
    try connection.run("ATTACH \(TransferColumns.quoted(path)) AS footfall_new")
    do throws(StoreError) {
      try connection.run("COPY FROM DATABASE \"\(quoted)\" TO footfall_new")
      // Into the file itself, of which the log beside it is no part. Forced: it waits for a question that has just looked
      // which databases there are.
      try connection.run("FORCE CHECKPOINT footfall_new")
    } catch {
      do throws(StoreError) { try connection.run("DETACH footfall_new") } catch {
        // A connection that cannot is of no use for anything else, and is opened anew.
      }
      throw error
    }
    try connection.run("DETACH footfall_new")
  }
}
