import Foundation

extension Catalog {
  /// Has SQLite read the whole file for damage.
  ///
  /// - Returns: What it found, a sentence each; none when the file is sound.
  /// - Throws: What SQLite says when it cannot even begin.
  public func damages() throws(CatalogError) -> [String] {
    try read { (database) throws(CatalogError) in
      try database.rows("PRAGMA integrity_check(10)") { $0.text(0) }.filter { $0 != "ok" }
        + database.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0)) refers to nothing" }
    }
  }

  /// Whether there is nothing in a file: it is missing, empty, or has no tables.
  ///
  /// Makes and changes nothing.
  /// A file that SQLite cannot read is not empty.
  public static func isEmpty(path: String) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return true }
    do throws(CatalogError) {
      let database = try Database(existing: path)
      return try database.rows("SELECT name FROM sqlite_master LIMIT 1") { $0.text(0) }.isEmpty
    } catch {
      // Whoever opens it next is told what is wrong with it.
      return false
    }
  }

  /// Writes a copy of the whole catalogue, for its owner alone, also while servers use it.
  ///
  /// - Throws: What SQLite says, as when there is a file already.
  public func copy(to path: String) throws(CatalogError) {
    try read { (database) throws(CatalogError) in
      try DatabaseFile.copy(database, to: path)
    }
  }
}

/// Files of SQLite, whoever has them open.
package enum DatabaseFile {
  /// Has SQLite read a whole file for damage; makes and changes nothing.
  ///
  /// - Returns: What it found, a sentence each; none when the file is sound.
  /// - Throws: What SQLite says when it cannot even begin.
  package static func damages(_ path: String) throws(CatalogError) -> [String] {
    try Database(existing: path).rows("PRAGMA integrity_check(10)") { $0.text(0) }
      .filter { $0 != "ok" }
  }

  /// The format of a catalogue's file, see `Catalog.format`; changes nothing.
  ///
  /// - Throws: What SQLite says.
  package static func format(_ path: String) throws(CatalogError) -> Int {
    try Int(Database(existing: path).rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0)
  }

  /// Writes a copy of a whole file, for its owner alone, also while others use it.
  ///
  /// - Throws: What SQLite says, as when there is a file already.
  package static func copy(_ path: String, to target: String) throws(CatalogError) {
    try copy(try Database(path: path, busyMs: 5_000), to: target)
  }

  fileprivate static func copy(_ database: Database, to path: String) throws(CatalogError) {
    // There first, and closed to others, before anything is in it: SQLite takes an empty file.
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(
        atPath: path,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    }
    _ = try database.run("VACUUM INTO ?", .text(path))
  }
}
