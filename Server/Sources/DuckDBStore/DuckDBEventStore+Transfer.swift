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
    progress: WorkProgress
  ) throws -> Int {
    let options =
      switch request.format {
      case .ndjson: "FORMAT json"
      case .csv, .spreadsheet: "FORMAT csv, HEADER"
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
          AND ($8 IS NULL OR received_at >= $8) AND ($9 IS NULL OR received_at < $9)
        ORDER BY \(request.received == nil ? "" : "received_at, ")corrected_at, seq, event_key
      ) TO \(TransferColumns.quoted(path)) (\(options))
      """,
      binding: [
        .integer(Int64(request.project)), wanted.name.map { .text($0) } ?? .null,
        request.person.map { .text($0) } ?? .null, time(wanted.fromMs), time(wanted.toMs),
        user.map { .integer($0) } ?? .null, wanted.device.map { .text($0) } ?? .null,
        time(request.received?.lowerBound), time(request.received?.upperBound),
      ]
    )
    let rows = try longRows(statement, cancellation: cancellation, progress: progress)
    return Int(try rows.first?.integer(0) ?? 0)
  }

  /// Adds the events of a file, or of a ZIP archive's files of lines, in batches of some thousands.
  ///
  /// - Throws: `ImportProblem` or `ArchiveProblem` for a file of which nothing, or not all, can be read,
  ///   `StoreError`, and what the closures throw.
  public func importEvents(
    _ request: ImportRequest,
    cancellation: Cancellation?,
    refused: (ImportRefusal) throws -> Void,
    progress: (ImportResult) throws -> Void
  ) throws -> ImportResult {
    switch request.format {
    case .spreadsheet: throw StoreError.unsupported("reading what was written for spreadsheets")
    case .parquet:
      let source = try ParquetSource(request) { [self] in
        try longRows($0, cancellation: cancellation)
      }
      defer { source.close() }
      return try add(source, of: request, cancellation, refused, progress)
    case .ndjson, .csv, .amplitude:
      let lines = try ArchiveLines(
        of: request.path,
        request.format,
        beside: files.path,
        cancellation
      )
      defer { lines.remove() }
      let source = try LineSource(request, lines)
      return try add(source, of: request, cancellation, refused, progress)
    }
  }

  private static let eventsPerBatch = 20_000
  private static let bytesPerBatch = 16 << 20

  private func add(
    _ source: any ImportSource,
    of request: ImportRequest,
    _ cancellation: Cancellation?,
    _ refused: (ImportRefusal) throws -> Void,
    _ progress: (ImportResult) throws -> Void
  ) throws -> ImportResult {
    var result = ImportResult()
    let earlier = try earlierTally(of: request)
    var lines = 0
    var batch = LoadBatch(
      log: JournalID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    )
    batch.erased = request.erased
    // Where each event of a batch stands in the file.
    var places: [ImportRefusal] = []
    var isAtEnd = false
    while !isAtEnd {
      batch.restart(at: batch.end)
      places.removeAll(keepingCapacity: true)
      var count = 0
      while count < Self.eventsPerBatch, batch.bytes.count < Self.bytesPerBatch,
        count == 0 || lines != earlier?.lines
      {
        if cancellation?.isCancelled == true { throw StoreError.cancelled }
        guard let next = try source.next() else {
          isAtEnd = true
          break
        }
        count += 1
        lines += 1
        switch next {
        case .event(let event):
          batch.append(event)
          places.append(source.refusal(""))
        case .refused(let refusal):
          result.unreadable += 1
          try refused(refusal)
        }
      }
      let loaded = try load(batch, after: result, upTo: lines, earlier, of: request)
      if let earlier, earlier.lines == lines {
        result = earlier.result
      } else {
        result.add(loaded)
      }
      for refusal in loaded.refused {
        places[refusal.index].reason = refusal.reason
        try refused(places[refusal.index])
      }
      result.fraction = source.fraction
      try progress(result)
    }
    try forget(batch.log)
    return result
  }

  /// Adds a batch together with what the import came to by then.
  private func load(
    _ batch: LoadBatch,
    after result: ImportResult,
    upTo lines: Int,
    _ earlier: ImportTally?,
    of request: ImportRequest
  ) throws -> LoadResult {
    try write { (writer) throws(StoreError) in
      try writer.load(batch, beforeCommit: { _ in }) { (loaded) throws(StoreError) in
        guard let mark = request.mark, lines > earlier?.lines ?? 0 else { return }
        var sum = result
        sum.add(loaded)
        try ImportTally(lines: lines, result: sum).keep(mark, over: writer.connection)
      }
    }
  }

  /// What an earlier attempt of this import came to; nil where there was none.
  private func earlierTally(of request: ImportRequest) throws -> ImportTally? {
    guard let mark = request.mark else { return nil }
    return try write { (writer) throws(StoreError) in
      try ImportTally.begin(mark, over: writer.connection)
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

extension ImportResult {
  fileprivate mutating func add(_ loaded: LoadResult) {
    stored += loaded.stored
    duplicates += loaded.duplicates
    erased += loaded.erased
    unreadable += loaded.refused.count
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
