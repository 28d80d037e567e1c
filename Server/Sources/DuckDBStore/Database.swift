import CDuckDB
import EventStore
import FootfallSystem

/// One open database file; closes it when the last connection and owner are gone.
///
/// Safety: the handle is written in `init` and read afterwards; DuckDB allows connecting from any thread.
final class Database: @unchecked Sendable {
  let library: DuckDBLibrary
  /// Whether the file is closed; whoever opens it again waits for that.
  let isClosed = Monitor(false)
  private var handle: ddb_database?

  /// Opens or creates the file.
  ///
  /// - Throws: `.engine` with DuckDB's message when it cannot be opened, for example because another
  ///   process has it, or a newer DuckDB wrote it.
  init(path: String, library: DuckDBLibrary, settings: [(String, String)]) throws(StoreError) {
    self.library = library
    var config: ddb_config?
    guard library.createConfig(&config) == 0, let config else {
      throw .engine("no configuration could be made")
    }
    defer {
      var config: ddb_config? = config
      library.destroyConfig(&config)
    }
    for (name, value) in settings where library.setConfig(config, name, value) != 0 {
      throw .engine("the setting \(name) = \(value) was refused")
    }
    var message: UnsafeMutablePointer<CChar>?
    let state = library.open(path, &handle, config, &message)
    guard state == 0 else {
      defer { library.free(message) }
      throw .engine(message.map { String(cString: $0) } ?? "\(path) could not be opened")
    }
  }

  deinit {
    library.close(&handle)
    isClosed.change { $0 = true }
  }

  /// A new connection, for one thread at a time.
  ///
  /// - Throws: `.engine` when DuckDB gives none.
  func connect() throws(StoreError) -> Connection {
    var connection: ddb_connection?
    guard library.connect(handle, &connection) == 0, let connection else {
      throw .engine("no connection could be opened")
    }
    return Connection(connection, to: self)
  }
}
