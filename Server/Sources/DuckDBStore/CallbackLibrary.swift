import FootfallSystem

/// The library for functions of ours that DuckDB calls: they are plain functions that carry nothing.
///
/// Every database of the process has the same library, which is never unloaded.
enum CallbackLibrary {
  private static let loaded = Lock<DuckDBLibrary?>(nil)

  /// Keeps it, before a function that needs it is made known.
  static func keep(_ library: DuckDBLibrary) { loaded.withLock { $0 = library } }

  /// Nil only before any function was made known; any thread.
  static var current: DuckDBLibrary? { loaded.withLock { $0 } }
}
