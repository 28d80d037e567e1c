/// The system's SQLite, for reading databases that other clients left.
///
/// Loaded when a database is there to be opened; nothing depends on it otherwise.
package struct SQLite: Sendable {
  private let library: String

  /// SQLite under the name that the system's loader finds it by.
  package init(library: String = SQLite.systemLibrary) {
    self.library = library
  }

  #if canImport(Darwin)
  /// What the system's own is called.
  package static let systemLibrary = "/usr/lib/libsqlite3.dylib"
  #else
  /// What the system's own is called.
  package static let systemLibrary = "libsqlite3.so.0"
  #endif

  /// Opens a database for reading and writing.
  ///
  /// Makes none where there is none, unless told to, as tests do that have no other client to write
  /// one for them.
  package func open(
    _ path: String,
    creates: Bool = false
  ) throws(SQLiteFailure) -> SQLiteDatabase {
    let functions: SQLiteLibrary
    do throws(MissingLibrary) { functions = try SQLiteLibrary(named: library) } catch {
      throw SQLiteFailure(error.reason)
    }
    return try SQLiteDatabase(path, functions, creates: creates)
  }
}

/// Why a database gave no answer.
package struct SQLiteFailure: Error, Equatable, CustomStringConvertible {
  /// Part of a sentence.
  package let description: String

  /// A failure in words.
  package init(_ description: String) {
    self.description = description
  }
}
