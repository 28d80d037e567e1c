import EventStore
import FootfallSystem

/// A bounded number of connections for reading, made as they are needed.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var made = 0
    // Nil once the pool is closed: the file is closed with the last reference.
    var database: Database?
  }

  private let limit: Int
  private let patienceSeconds: Double
  private let watchdog: Watchdog
  private let state: Monitor<State>

  /// - Throws: `.unavailable` when the system has no thread left.
  init(_ database: Database, limit: Int, patienceSeconds: Double) throws(StoreError) {
    state = Monitor(State(database: database))
    self.limit = max(1, limit)
    self.patienceSeconds = patienceSeconds
    watchdog = try Watchdog()
  }

  /// Runs a statement on a free connection; blocks until there is one.
  ///
  /// - Throws: `.busy`, `.timedOut`, `.cancelled`, `.closed`, or `.engine` with DuckDB's message.
  func rows(
    _ sql: SQL,
    cancellation: Cancellation?,
    limitSeconds: Double? = nil,
    isReadOnly: Bool = false,
    progress: WorkProgress? = nil
  ) throws(StoreError) -> [Row] {
    let connection = try take()
    // Once nothing interrupts it any more: an interrupt could meet the end of the transaction, too.
    defer { give(back: connection, isUsable: !isReadOnly || connection.rollBack()) }
    let progress = progress ?? cancellation?.progress
    if let progress {
      try connection.run(Connection.measuring)
      progress.ask { connection.progress }
    }
    defer { progress?.ask(nil) }
    return try watchdog.limit(
      connection,
      seconds: limitSeconds ?? patienceSeconds,
      cancellation: cancellation
    ) { (isStopped) throws(StoreError) in
      if isReadOnly { try connection.run("BEGIN TRANSACTION READ ONLY") }
      // The limits hold while the answer is read, too: nothing is left to interrupt then.
      return try connection.rows(sql, while: { !isStopped() })
    }
  }

  /// A connection that may still be in a transaction is closed; the next statement makes another.
  private func give(back connection: Connection, isUsable: Bool) {
    state.change { state in
      if isUsable { state.idle.append(connection) } else { state.made -= 1 }
    }
  }

  /// Refuses new statements, stops the running ones and waits for them.
  func close() {
    state.change { $0.database = nil }
    watchdog.stopAll()
    state.wait { state -> Void? in
      guard state.idle.count == state.made else { return nil }
      state.idle = []
      state.made = 0
      return ()
    }
  }

  private enum Turn {
    case connection(Connection)
    case make(Database)
    case closed
  }

  private func take() throws(StoreError) -> Connection {
    let turn = state.wait(timeoutSeconds: patienceSeconds) { [limit] state -> Turn? in
      guard let database = state.database else { return .closed }
      if let connection = state.idle.popLast() { return .connection(connection) }
      guard state.made < limit else { return nil }
      state.made += 1
      return .make(database)
    }
    switch turn {
    case nil: throw .busy(readers: limit)
    case .closed: throw .closed
    case .connection(let connection): return connection
    case .make(let database):
      do {
        return try database.connect()
      } catch {
        state.change { $0.made -= 1 }
        throw error
      }
    }
  }
}
