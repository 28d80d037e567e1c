public import EventStore
import FootfallSystem
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension DuckDBEventStore {
  /// Statements of a console that run at the same time; others are told to come again.
  static let maxConsoles = 2

  /// Runs a statement that somebody wrote.
  ///
  /// DuckDB reads it and hands out its tree, which `ConsoleGuard` looks through; what runs is written anew from
  /// that tree, over tables of that name that hold nothing but what they were given, in a transaction that
  /// cannot write. The bytes of the answer are counted where DuckDB makes its texts, see `CountingFunction`.
  ///
  /// - Throws: `ConsoleProblem` for a statement that is not allowed or wrong; `StoreError` when the store
  ///   cannot answer, runs as many statements already as it may, or the statement took too long or was
  ///   cancelled.
  public func answer(
    _ query: ConsoleQuery,
    cancellation: Cancellation?
  ) throws -> ConsoleAnswer {
    let isFree = consoles.withLock { count in
      guard count < Self.maxConsoles else { return false }
      count += 1
      return true
    }
    guard isFree else {
      throw StoreError.crowded(running: Self.maxConsoles, of: "statements of the SQL console")
    }
    defer { consoles.withLock { $0 -= 1 } }
    let cancellation = cancellation ?? Cancellation()
    let memory = MemoryWatch { cancellation.cancel() }
    defer { memory.stop() }
    let budget = AnswerBudget(maxBytes: query.maxBytes)
    do {
      let statement = try checked(query)
      let described = try readOnly(
        SQL("DESCRIBE \(query.with)SELECT * FROM (\n\(statement)\n) AS answer"),
        query,
        cancellation
      )
      let columns = try described.map { row in
        ConsoleAnswer.Column(try row.text(0), try row.text(1))
      }
      let rows = try readOnly(
        SQL(
          """
          \(query.with)SELECT footfall_counted(\(budget.number), COLUMNS(*)::VARCHAR) FROM (SELECT * FROM (
          \(statement)
          ) AS whole LIMIT \(query.maxRows + 1) OFFSET \(query.skippedRows)) AS answer
          """
        ),
        query,
        cancellation
      )
      return ConsoleAnswer(
        columns: columns,
        rows: rows.prefix(query.maxRows).map { row in
          row.values.map { if case .text(let text) = $0 { text } else { nil } }
        },
        isCut: rows.count > query.maxRows
      )
    } catch is StoreError where budget.isExceeded {
      throw ConsoleProblem(budget.sentence)
    } catch StoreError.engine(let message), StoreError.invalidData(let message) {
      throw ConsoleProblem(Self.sentence(message))
    } catch let error as StoreError where error.isOfMemory {
      throw ConsoleProblem(error.description)
    } catch StoreError.cancelled where memory.isExceeded {
      throw ConsoleProblem("The statement needed too much memory and was stopped.")
    }
  }

  /// DuckDB's message without its look at the statement: what ran is not the text that was written.
  private static func sentence(_ message: String) -> String {
    let end = message.range(of: "\n\nLINE ") ?? message.range(of: "\nLINE ")
    return String(message[..<(end?.lowerBound ?? message.endIndex)])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func readOnly(
    _ sql: SQL,
    _ query: ConsoleQuery,
    _ cancellation: Cancellation
  ) throws -> [Row] {
    try asking { (pool) throws(StoreError) in
      try pool.rows(
        sql,
        cancellation: cancellation,
        limitSeconds: query.seconds,
        isReadOnly: true
      )
    }
  }

  /// The statement as DuckDB writes what it understood, if it may run.
  private func checked(_ query: ConsoleQuery) throws -> String {
    guard query.text.unicodeScalars.count <= 10_000, !query.text.contains("\0") else {
      throw ConsoleProblem("A statement has at most 10,000 characters.")
    }
    let parsed = try rows(
      SQL("SELECT json_serialize_sql($1::VARCHAR)::VARCHAR", binding: [.text(query.text)]),
      cancellation: nil
    )
    let json = try parsed.first?.text(0) ?? ""
    guard let tree = PropertyValue.members(of: json) else {
      throw ConsoleProblem("The statement is nested too deeply.")
    }
    let names = try rows(
      SQL("SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views()"),
      cancellation: nil
    )
    try ConsoleGuard(
      tables: Set(query.tables.map { $0.name.lowercased() }),
      taken: Set(try names.map { try $0.text(0).lowercased() })
    ).check(tree)
    let written = try rows(
      SQL("SELECT json_deserialize_sql($1::JSON)::VARCHAR", binding: [.text(json)]),
      cancellation: nil
    )
    guard let text = try written.first?.text(0), !text.isEmpty else {
      throw ConsoleProblem("The statement could not be read.")
    }
    return text
  }
}

extension ConsoleQuery {
  /// The tables, in front of a statement.
  fileprivate var with: String {
    tables.isEmpty
      ? ""
      : "WITH "
        + tables.map { "\($0.name) AS NOT MATERIALIZED (\n\($0.sql)\n)" }.joined(separator: ", ")
        + " "
  }
}

/// Ends a statement under which the process grows too far.
///
/// DuckDB bounds what it keeps of rows, but no text that a function makes, and it stops a statement between
/// two calls of a function only, each of which is of up to 2,048 rows: one call that makes long texts out of
/// shorter ones is not bounded. None of its settings does, nor can a function of ours stand in for each that
/// makes texts; which is why no function is allowed that makes much of little, see `ConsoleFunctions`.
private final class MemoryWatch: Sendable {
  /// Bytes by which the process may grow.
  private static let maxGrowth = 1_536 << 20

  private struct State {
    var isStopping = false
    var isExceeded = false
  }

  private let state = Monitor(State())

  var isExceeded: Bool { state.withLock { $0.isExceeded } }

  init(_ stop: @escaping @Sendable () -> Void) {
    guard let start = Self.residentBytes() else { return }
    do {
      _ = try SystemThread(name: "console-memory") { [state] in
        while true {
          let isOver: Void? = state.wait(timeoutSeconds: 0.02) { $0.isStopping ? () : nil }
          if isOver != nil { return }
          guard let now = Self.residentBytes(), now - start > Self.maxGrowth else { continue }
          state.change { $0.isExceeded = true }
          return stop()
        }
      }
    } catch {
      // Without a thread the limits of time and rows still hold.
    }
  }

  func stop() { state.change { $0.isStopping = true } }

  /// Nil where the system does not tell.
  private static func residentBytes() -> Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let words = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    .split(separator: " ")
    return words.count > 1 ? Int(words[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
