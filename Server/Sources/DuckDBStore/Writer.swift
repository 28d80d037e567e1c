import EventRecord
import EventStore
import FootfallJournal

/// Loads batches of records over its own connection.
///
/// One thread at a time.
final class Writer {
  private let connection: Connection
  private let chunk: EventChunk
  private let maxKeyBytes: Int
  private var index: KeyIndex?
  private var positions: [JournalID: JournalPosition]?
  private var slice = RecordSlice()
  private var rowsSinceCheckpoint = 0

  /// - Throws: `.engine` when the library gives no chunk.
  init(_ connection: Connection, maxKeyBytes: Int) throws(StoreError) {
    self.connection = connection
    self.maxKeyBytes = maxKeyBytes
    chunk = try EventChunk(library: connection.library)
  }

  /// Stores a batch and its position in one transaction.
  ///
  /// - Throws: `StoreError`; nothing is stored then, and memory of the table is built anew.
  func load(_ batch: LoadBatch) throws(StoreError) -> LoadResult {
    do throws(StoreError) {
      let index = try currentIndex()
      let known = try currentPositions()[batch.log]
      guard batch.start == known ?? .start else {
        throw StoreError.engine(
          "the batch starts at \(batch.start), the store stands at \(known ?? .start)"
        )
      }
      try connection.run("BEGIN")
      let result = try append(batch, index: index)
      try setPosition(batch, isNew: known == nil)
      try connection.run("COMMIT")
      positions?[batch.log] = batch.end
      index.endBatch(maxBytes: maxKeyBytes)
      rowsSinceCheckpoint += result.stored
      return result
    } catch {
      connection.rollBack()
      index = nil
      positions = nil
      throw error
    }
  }

  /// Up to where a log has been loaded.
  ///
  /// - Throws: `StoreError`.
  func position(ofLog log: JournalID) throws(StoreError) -> JournalPosition? {
    try currentPositions()[log]
  }

  /// Moves what was written since the last time from the write-ahead log into the file.
  ///
  /// - Throws: `.engine`, for example while a reader holds an old state; calling later is right.
  func checkpoint(afterRows minRows: Int) throws(StoreError) {
    guard rowsSinceCheckpoint >= minRows else { return }
    try connection.run("CHECKPOINT")
    rowsSinceCheckpoint = 0
  }
}

// MARK: - Rows

extension Writer {
  private func append(_ batch: LoadBatch, index: KeyIndex) throws(StoreError) -> LoadResult {
    var result = LoadResult()
    let appender = try Appender(connection)
    try batch.bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
      try append(
        batch,
        bytes: UnsafeRawBufferPointer(bytes),
        to: appender,
        index: index,
        result: &result
      )
    }
    try appender.close()
    let excess = result.events.count - batch.maxListedEvents
    if excess > 0 { result.events.removeFirst(excess) }
    return result
  }

  private func append(
    _ batch: LoadBatch,
    bytes: UnsafeRawBufferPointer,
    to appender: Appender,
    index: KeyIndex,
    result: inout LoadResult
  ) throws(StoreError) {
    var next = 0
    while next < batch.records.count {
      next = slice.read(batch.records, of: bytes, from: next, refusing: &result.refused)
      try index.prepare(slice.events.lazy.map(\.plan), load: loadKeys)
      for event in slice.events {
        try append(event, to: appender, index: index, batch: batch, result: &result)
      }
    }
    // The rows point into the batch's bytes, so they go before those may.
    if chunk.count > 0 { try flush(to: appender) }
  }

  private func append(
    _ event: RecordSlice.Event,
    to appender: Appender,
    index: KeyIndex,
    batch: LoadBatch,
    result: inout LoadResult
  ) throws(StoreError) {
    let isNew = try index.insert(event.view.key, plan: event.plan, ownMs: event.times.ownMs) {
      (range) throws(StoreError) in try isStored(event.view.key, within: range)
    }
    guard isNew else {
      result.duplicates += 1
      return
    }
    let record = slice.records[event.record]
    let plan = event.plan.number
    index.noteStored(plan: plan, ownMs: event.times.ownMs)
    chunk.append(
      event.view,
      times: event.times,
      plan: plan,
      project: record.header.project,
      client: record.client
    )
    result.stored += 1
    if chunk.isFull { try flush(to: appender) }
    if batch.watchedProjects.contains(record.header.project) {
      list(event, record: record, max: batch.maxListedEvents, in: &result)
    }
  }

  private func flush(to appender: Appender) throws(StoreError) {
    try appender.append(chunk)
    chunk.reset()
  }

  private func list(
    _ event: RecordSlice.Event,
    record: RecordSlice.Record,
    max: Int,
    in result: inout LoadResult
  ) {
    if result.events.count >= 2 * max { result.events.removeFirst(result.events.count - max) }
    result.events.append(
      StoredEvent(
        event.view,
        header: record.header,
        client: String(decoding: record.client, as: UTF8.self)
      )
    )
  }
}

// MARK: - What the table knows

extension Writer {
  private func currentIndex() throws(StoreError) -> KeyIndex {
    if let index { return index }
    let loose = KeySet()
    try connection.query(
      SQL(
        "SELECT event_key FROM events WHERE key_plan = $1",
        binding: [.integer(Int64(KeyPlan.looseNumber))]
      )
    ) { (result) throws(StoreError) in
      try result.forEachChunk { columns, count in
        for row in 0..<count { _ = loose.insert(columns[0].key(at: row)) }
      }
    }
    var times: [UInt8: ClosedRange<Int64>] = [:]
    for row in try connection.rows(
      SQL("SELECT key_plan, min(ts), max(ts) FROM events GROUP BY key_plan")
    ) {
      times[UInt8(clamping: try row.integer(0))] = try row.time(1)...(try row.time(2))
    }
    // What an earlier failure left half full must not reach the table.
    chunk.reset()
    let made = KeyIndex(loose: loose, storedTimes: times)
    index = made
    return made
  }

  private func loadKeys(
    _ plan: UInt8,
    _ ownMs: ClosedRange<Int64>,
    _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) {
    try connection.query(
      SQL(
        "SELECT event_key, ts FROM events WHERE key_plan = $1 AND ts BETWEEN $2 AND $3",
        binding: [
          .integer(Int64(plan)), .time(ownMs.lowerBound), .time(ownMs.upperBound),
        ]
      )
    ) { (result) throws(StoreError) in
      try result.forEachChunk { columns, count in
        for row in 0..<count { each(columns[0].key(at: row), columns[1].time(at: row)) }
      }
    }
  }

  private func isStored(
    _ key: EventKey,
    within ownMs: ClosedRange<Int64>
  ) throws(StoreError) -> Bool {
    let rows = try connection.rows(
      SQL(
        "SELECT 1 FROM events WHERE event_key = $1 AND ts BETWEEN $2 AND $3 LIMIT 1",
        binding: [.key(key), .time(ownMs.lowerBound), .time(ownMs.upperBound)]
      )
    )
    return !rows.isEmpty
  }

  private func currentPositions() throws(StoreError) -> [JournalID: JournalPosition] {
    if let positions { return positions }
    var read: [JournalID: JournalPosition] = [:]
    for row in try connection.rows(
      SQL("SELECT log_id, segment, byte_offset FROM load_positions")
    ) {
      guard let log = JournalID(try row.text(0)) else { continue }
      read[log] = JournalPosition(
        segment: UInt64(try row.integer(1)),
        offset: UInt64(try row.integer(2))
      )
    }
    positions = read
    return read
  }

  private func setPosition(_ batch: LoadBatch, isNew: Bool) throws(StoreError) {
    let text =
      isNew
      ? "INSERT INTO load_positions (segment, byte_offset, log_id) VALUES ($1, $2, $3)"
      : "UPDATE load_positions SET segment = $1, byte_offset = $2 WHERE log_id = $3"
    _ = try connection.rows(
      SQL(
        text,
        binding: [
          .integer(Int64(clamping: batch.end.segment)), .integer(Int64(clamping: batch.end.offset)),
          .text(batch.log.description),
        ]
      )
    )
  }
}
