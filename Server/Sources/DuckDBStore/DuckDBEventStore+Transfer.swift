import CDuckDB
import EventRecord
public import EventStore
import FootfallJournal
import FootfallSystem

extension DuckDBEventStore {
  /// Writes events into a file, in the order of their corrected times, with bounded memory.
  ///
  /// - Throws: `StoreError`; `.unsupported` for a form that is only read.
  public func export(_ request: ExportRequest, to path: String) throws -> Int {
    let options =
      switch request.format {
      case .ndjson: "FORMAT json"
      case .csv: "FORMAT csv, HEADER"
      case .parquet: "FORMAT parquet, COMPRESSION zstd"
      case .amplitude: throw StoreError.unsupported("writing Amplitude's archives")
      }
    func time(_ ms: Int64?) -> SQLValue { ms.map { .time($0) } ?? .null }
    let statement = SQL(
      """
      COPY (
        SELECT \(TransferColumns.writing(request.format)) FROM person_events
        WHERE project_id = $1 AND ($2 IS NULL OR name = $2)
          AND ($3 IS NULL OR person_id = $3 OR device_id = $3)
          AND ($4 IS NULL OR corrected_at >= $4) AND ($5 IS NULL OR corrected_at < $5)
        ORDER BY corrected_at, seq, event_key
      ) TO \(TransferColumns.quoted(path)) (\(options))
      """,
      binding: [
        .integer(Int64(request.project)), request.name.map { .text($0) } ?? .null,
        request.person.map { .text($0) } ?? .null, time(request.fromMs), time(request.toMs),
      ]
    )
    let rows = try longRows(statement)
    return Int(try rows.first?.integer(0) ?? 0)
  }

  /// Adds the events of a file, in batches of some thousands.
  ///
  /// - Throws: `StoreError`; nothing of the file is stored when it cannot be read.
  public func importEvents(
    from path: String,
    format: TransferFormat,
    project: UInt32,
    erased: EraseList,
    progress: (ImportResult) -> Void
  ) throws -> ImportResult {
    try stage(
      """
      CREATE OR REPLACE TABLE import_rows AS
      SELECT row_number() OVER () AS number, * FROM (\(TransferColumns.reading(format, path: path)))
      """
    )
    defer { drop() }
    var result = ImportResult()
    var batch = LoadBatch(
      log: JournalID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    )
    batch.erased = erased
    var first: Int64 = 1
    while true {
      let page = SQL(
        "SELECT * EXCLUDE (number) FROM import_rows WHERE number >= $1 AND number < $2 ORDER BY number",
        binding: [.integer(first), .integer(first + Self.rowsPerPage)]
      )
      let rows = try write { (writer) throws(StoreError) in try writer.connection.rows(page) }
      guard !rows.isEmpty else { break }
      first += Self.rowsPerPage
      batch.restart(at: batch.end)
      for row in rows {
        let event =
          format == .amplitude
          ? AmplitudeExportLine.read(try row.text(0), project: project)
          : try ImportedEvent(row, project: project)
        guard let event else {
          result.unreadable += 1
          continue
        }
        batch.append(event)
      }
      let loaded = try load(batch) { _ in }
      result.stored += loaded.stored
      result.duplicates += loaded.duplicates
      result.erased += loaded.erased
      result.unreadable += loaded.refused.count
      progress(result)
    }
    try forget(batch.log)
    return result
  }

  private static let rowsPerPage: Int64 = 20_000

  private func stage(_ text: String) throws {
    try write { (writer) throws(StoreError) in try writer.connection.run(text) }
  }

  private func drop() {
    do {
      try stage("DROP TABLE IF EXISTS import_rows")
    } catch {
      // The next import replaces it.
    }
  }

  /// The batches had positions of their own, which nobody asks for again.
  private func forget(_ log: JournalID) throws {
    try write { (writer) throws(StoreError) in
      _ = try writer.connection.rows(
        SQL("DELETE FROM load_positions WHERE log_id = $1", binding: [.text(log.description)])
      )
      writer.positions = nil
    }
  }
}

extension LoadBatch {
  fileprivate mutating func append(_ imported: ImportedEvent) {
    let record = RecordWriter.record(
      imported.header,
      context: imported.client,
      events: [imported.event]
    )
    record.withUnsafeBytes {
      append($0, upTo: JournalPosition(segment: 1, offset: end.offset + 1))
    }
  }
}
