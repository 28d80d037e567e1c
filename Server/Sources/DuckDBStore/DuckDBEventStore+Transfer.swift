import CDuckDB
import EventRecord
public import EventStore
import FootfallJournal
import FootfallSystem

extension DuckDBEventStore {
  /// Writes events into a file, in the order of their corrected times, with bounded memory.
  ///
  /// - Throws: `StoreError`; `.unsupported` for a form that is only read.
  public func export(
    _ request: ExportRequest,
    to path: String,
    cancellation: Cancellation?,
    progress: TransferProgress
  ) throws -> Int {
    let options =
      switch request.format {
      case .ndjson: "FORMAT json"
      case .csv: "FORMAT csv, HEADER"
      case .parquet: "FORMAT parquet, COMPRESSION zstd"
      case .amplitude: throw StoreError.unsupported("writing Amplitude's archives")
      }
    func time(_ ms: Int64?) -> SQLValue { ms.map { .time($0) } ?? .null }
    let wanted = request.conditions
    let user = wanted.user.map { PersonNumber.user(project: request.project, id: $0) }
    let statement = SQL(
      """
      COPY (
        SELECT \(TransferColumns.writing(request.format)) FROM person_events
        WHERE project_id = $1 AND ($2 IS NULL OR name = $2)
          AND ($3 IS NULL OR person_id = $3 OR device_id = $3)
          AND ($4 IS NULL OR corrected_at >= $4) AND ($5 IS NULL OR corrected_at < $5)
          AND ($6 IS NULL OR person = $6) AND ($7 IS NULL OR device_id = $7)
        ORDER BY corrected_at, seq, event_key
      ) TO \(TransferColumns.quoted(path)) (\(options))
      """,
      binding: [
        .integer(Int64(request.project)), wanted.name.map { .text($0) } ?? .null,
        request.person.map { .text($0) } ?? .null, time(wanted.fromMs), time(wanted.toMs),
        user.map { .integer($0) } ?? .null, wanted.device.map { .text($0) } ?? .null,
      ]
    )
    let rows = try longRows(statement, cancellation: cancellation, progress: progress)
    return Int(try rows.first?.integer(0) ?? 0)
  }

  /// Adds the events of a file, or of a ZIP archive's files of lines, in batches of some thousands.
  ///
  /// - Throws: `StoreError` or `ArchiveProblem`; nothing of the file is stored when it cannot be read.
  public func importEvents(
    from path: String,
    format: TransferFormat,
    project: UInt32,
    erased: EraseList,
    cancellation: Cancellation?,
    progress: (ImportResult) throws -> Void
  ) throws -> ImportResult {
    let lines = try ArchiveLines(of: path, format, beside: files.path, cancellation)
    defer { lines.remove() }
    // Beside the writer's connection, so that loading goes on.
    _ = try longRows(
      SQL(
        """
        CREATE OR REPLACE TABLE import_rows AS SELECT row_number() OVER () AS number, *
        FROM (\(TransferColumns.reading(format, path: lines.path)))
        """
      ),
      cancellation: cancellation
    )
    defer { drop() }
    var result = ImportResult()
    result.lines = Int(
      try longRows(SQL("SELECT count(*) FROM import_rows")).first?.integer(0) ?? 0
    )
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
      if cancellation?.isCancelled == true { throw StoreError.cancelled }
      let rows = try longRows(page)
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
      try progress(result)
    }
    try forget(batch.log)
    return result
  }

  private static let rowsPerPage: Int64 = 20_000

  private func drop() {
    do {
      _ = try longRows(SQL("DROP TABLE IF EXISTS import_rows"))
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
