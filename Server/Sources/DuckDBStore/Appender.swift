import CDuckDB
import EventStore

/// Appends chunks to a table inside the connection's transaction.
final class Appender {
  private var handle: ddb_appender?
  private let library: DuckDBLibrary

  /// - Throws: `.engine` with DuckDB's message.
  init(_ connection: Connection, table: String = "events") throws(StoreError) {
    library = connection.library
    guard library.createAppender(connection.handle, nil, table, &handle) == 0 else {
      defer { _ = library.destroyAppender(&handle) }
      throw error()
    }
  }

  deinit {
    // Closed before; after an error there is nothing left to keep.
    _ = library.destroyAppender(&handle)
  }

  /// Copies the chunk's rows.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func append(_ chunk: EventChunk) throws(StoreError) {
    chunk.seal()
    try append(chunk.handle)
  }

  /// Copies the rows of a chunk whose size is set.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func append(_ chunk: ddb_chunk) throws(StoreError) {
    guard library.appendChunk(handle, chunk) == 0 else { throw error() }
  }

  /// Hands the rows over to the table; errors of earlier rows may surface here.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func close() throws(StoreError) {
    guard library.closeAppender(handle) == 0 else { throw error() }
  }

  private func error() -> StoreError {
    StoreError(duckDB: library.appenderError(handle).map { String(cString: $0) })
  }
}
