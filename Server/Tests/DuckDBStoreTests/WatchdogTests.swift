import EventStore
import FootfallSystem
import Foundation
import Testing

@testable import DuckDBStore

@Suite(.timeLimit(.minutes(5))) struct `Reading an answer` {
  private func connection(_ folder: TemporaryFolder) throws -> Connection {
    let library = try DuckDBLibrary(path: TestLibrary.path())
    return try Database(path: folder.path + "/x.duckdb", library: library, settings: []).connect()
  }

  @Test func `is stopped when time is over`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let chunks = Lock(0)
    #expect(throws: StoreError.timedOut(seconds: 0)) {
      try Watchdog().limit(connection, seconds: 0, cancellation: nil) {
        (isStopped) throws(StoreError) -> [Row] in
        try connection.rows(SQL("SELECT 1 FROM range(10000)"), until: isStopped, counting: chunks)
      }
    }
    // The statement itself may have been stopped already.
    #expect(chunks.withLock { $0 } <= 1)
  }

  /// The statement is over by then: there is nothing that an interrupt would stop.
  @Test func `is stopped when it is cancelled`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let cancellation = Cancellation()
    let chunks = Lock(0)
    #expect(throws: StoreError.cancelled) {
      try Watchdog().limit(connection, seconds: 1_000, cancellation: cancellation) {
        (isStopped) throws(StoreError) -> [Row] in
        try connection.rows(
          SQL("SELECT 1 FROM range(10000)"),
          until: isStopped,
          counting: chunks,
          first: { cancellation.cancel() }
        )
      }
    }
    #expect(chunks.withLock { $0 } == 1)
  }
}

extension Connection {
  /// Reads rows; before the first chunk it waits until it is stopped.
  fileprivate func rows(
    _ sql: SQL,
    until isStopped: () -> Bool,
    counting chunks: Lock<Int>,
    first: () -> Void = {}
  ) throws(StoreError) -> [Row] {
    try rows(
      sql,
      while: {
        chunks.withLock { $0 += 1 }
        first()
        while !isStopped() { sched_yield() }
        return !isStopped()
      }
    )
  }
}
