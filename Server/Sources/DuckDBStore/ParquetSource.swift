import EventStore
import Foundation

/// The rows of a Parquet file, which DuckDB reads into a table of its own first.
final class ParquetSource: ImportSource {
  private static let rowsPerPage: Int64 = 20_000

  private let request: ImportRequest
  private let rows: (SQL) throws -> [Row]
  private let count: Int
  private var page: [Row] = []
  private var place = 0
  private var read = 0

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - request: the file.
  ///   - rows: runs a statement, beside the writer's connection, so that loading goes on.
  /// - Throws: `ImportProblem` for a file that is none, `StoreError`.
  init(_ request: ImportRequest, _ rows: @escaping (SQL) throws -> [Row]) throws {
    self.request = request
    self.rows = rows
    try Self.check(request.path)
    let types = try Self.attempt(request) {
      Dictionary(
        try rows(SQL(TransferColumns.describing(request.path))).map {
          (try $0.text(0), try $0.text(1))
        },
        uniquingKeysWith: { first, _ in first }
      )
    }
    for needed in ["name", "ts"] where types[needed] == nil {
      throw ImportProblem(
        "\(request.path) has no column “\(needed)”; it needs at least name and ts (in milliseconds since 1970, or a timestamp)."
      )
    }
    _ = try Self.attempt(request) {
      try rows(
        SQL(
          """
          CREATE OR REPLACE TABLE import_rows AS SELECT row_number() OVER () AS number, *
          FROM (\(TransferColumns.reading(request.path, types: types)))
          """
        )
      )
    }
    count = Int(try rows(SQL("SELECT count(*) FROM import_rows")).first?.integer(0) ?? 0)
  }

  var fraction: Double? { count == 0 ? 1 : Double(read) / Double(count) }

  func next() throws -> ImportedLine? {
    if place == page.count {
      page = try rows(
        SQL(
          "SELECT * EXCLUDE (number) FROM import_rows WHERE number > $1 AND number <= $2 ORDER BY number",
          binding: [.integer(Int64(read)), .integer(Int64(read) + Self.rowsPerPage)]
        )
      )
      place = 0
    }
    guard place < page.count else { return nil }
    defer {
      place += 1
      read += 1
    }
    let texts = try page[place].values.indices.map { try page[place].text($0) }
    do throws(LineProblem) {
      let fields = ImportedFields(
        names: TransferColumns.order,
        texts: texts,
        latestMs: request.latestMs
      )
      return .event(try ImportedEvent(fields, project: request.project))
    } catch {
      return .refused(ImportRefusal(line: read + 1, reason: error.reason))
    }
  }

  func refusal(_ reason: String) -> ImportRefusal { ImportRefusal(line: read, reason: reason) }

  /// Removes what was read into the store.
  func close() {
    do {
      _ = try rows(SQL("DROP TABLE IF EXISTS import_rows"))
    } catch {
      // The next import replaces it.
    }
  }

  private static func check(_ path: String) throws(ImportProblem) {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw ImportProblem("\(path) cannot be opened.")
    }
    let start: Data?
    do {
      start = try file.read(upToCount: 4)
      try file.close()
    } catch {
      throw ImportProblem("\(path) cannot be read: \(error.localizedDescription)")
    }
    guard start == Data("PAR1".utf8) else {
      throw ImportProblem(
        "\(path) is no Parquet file. Nothing was added: import it again and say which format it has."
      )
    }
  }

  /// Runs what looks into the file for the first time; what is wrong with it comes out here.
  private static func attempt<Output>(
    _ request: ImportRequest,
    _ body: () throws -> Output
  ) throws -> Output {
    do {
      return try body()
    } catch StoreError.engine(let message) {
      throw ImportProblem(
        "\(request.path) cannot be read as Parquet; fetch or export it again. (\(message))"
      )
    }
  }
}
