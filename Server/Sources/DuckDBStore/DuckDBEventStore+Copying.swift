import EventStore
import Foundation

extension DuckDBEventStore {
  /// Copies the database's file, and its write-ahead log where there is one, while nothing is written.
  ///
  /// - Throws: `StoreError`, or what `copy` throws.
  public func copyFiles(
    to folder: String,
    _ copy: (String, String) throws -> Void
  ) throws -> [String] {
    var failure: (any Error)?
    let names = try write { [files] (writer) throws(StoreError) -> [String] in
      do throws(StoreError) {
        try writer.checkpoint(afterRows: 0)
      } catch {
        // While a reader holds an old state the file alone has not all; the log beside it has the rest.
        // After a worse error, as on a full disk, DuckDB goes on from nothing: see `write`.
        guard writer.isUsable else { throw error }
      }
      var names: [String] = []
      for path in [files.path, files.path + ".wal"]
      where FileManager.default.fileExists(atPath: path) {
        let name = String(path.split(separator: "/").last ?? "")
        do {
          try copy(path, folder + "/" + name)
          names.append(name)
        } catch {
          failure = error
          return []
        }
      }
      return names
    }
    if let failure { throw failure }
    return names
  }
}
