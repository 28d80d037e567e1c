import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem

/// Loads batches of records over its own connection.
///
/// One thread at a time.
final class Writer {
  let connection: Connection
  let chunk: EventChunk
  private let maxKeyBytes: Int
  var index: KeyIndex?
  /// The people of the batch under way, and what is known of their devices.
  var devices = DeviceIndex()
  /// What the batch under way says of people and groups, and what holds of those met lately.
  var properties = PropertyIndex()
  /// The sums of the batch under way.
  private var parts = PartIndex()
  /// What is known of the tiers.
  var sorting = SortingState()
  var positions: [JournalID: JournalPosition]?
  private var slice = RecordSlice()
  private var rowsSinceCheckpoint = 0
  private var sortedSinceCheckpoint = 0
  private var lastSorted = MonotonicTime.now()

  /// - Throws: `.engine` when the library gives no chunk.
  init(_ connection: Connection, maxKeyBytes: Int) throws(StoreError) {
    self.connection = connection
    self.maxKeyBytes = maxKeyBytes
    chunk = try EventChunk(library: connection.library)
  }

  /// Stores a batch and its position in one transaction, with what `settle` writes.
  ///
  /// - Throws: `StoreError`; nothing is stored then, and memory of the table is built anew.
  func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void,
    settle: (LoadResult) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> LoadResult {
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
      try settleProperties(try settleDevices())
      try settleParts()
      try setPosition(batch, isNew: known == nil)
      try settle(result)
      if !result.refused.isEmpty { beforeCommit(result.refused) }
      try connection.run("COMMIT")
      positions?[batch.log] = batch.end
      index.endBatch(maxBytes: maxKeyBytes)
      devices.endBatch()
      properties.endBatch()
      parts.endBatch()
      rowsSinceCheckpoint += result.stored
      noteHot(result.stored)
      return result
    } catch {
      connection.rollBack()
      index = nil
      positions = nil
      sorting = SortingState()
      devices = DeviceIndex()
      properties = PropertyIndex()
      parts = PartIndex()
      throw error
    }
  }

  private func settleParts() throws(StoreError) {
    parts.finish()
    try ActivityParts.activityTable.insert(parts.activity, over: connection)
    try ActivityParts.sessionTable.insert(parts.sessions, over: connection)
  }

  /// Changes the tables in one transaction; memory of them is built anew afterwards.
  ///
  /// - Throws: `StoreError`, or what `body` throws; nothing is changed then.
  func change<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    index = nil
    sorting = SortingState()
    devices = DeviceIndex()
    properties = PropertyIndex()
    do throws(StoreError) {
      try connection.run("BEGIN")
      let output = try body(connection)
      try connection.run("COMMIT")
      return output
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Up to where a log has been loaded.
  ///
  /// - Throws: `StoreError`.
  func position(ofLog log: JournalID) throws(StoreError) -> JournalPosition? {
    try currentPositions()[log]
  }

  /// False after an error that DuckDB does not go on from; the file must be opened anew then.
  var isUsable: Bool {
    do throws(StoreError) {
      try connection.run("SELECT 1")
      return true
    } catch {
      return false
    }
  }

  /// - Throws: `.engine` after an error that DuckDB does not go on from.
  func requireUsable() throws(StoreError) { try connection.run("SELECT 1") }

  /// Moves what was written since the last time from the write-ahead log into the file.
  ///
  /// Rows that were rewritten leave their places free only then. While a month is being settled that is put
  /// off: the database would first join what is left of its runs, to throw it away with the next pieces.
  ///
  /// - Throws: `.engine`, for example while a reader holds an old state; calling later is right.
  func checkpoint(afterRows minRows: Int) throws(StoreError) {
    let minSorted = sorting.settling == nil ? 1 : Self.maxSortedRows
    guard rowsSinceCheckpoint >= minRows || sortedSinceCheckpoint >= minSorted else { return }
    try connection.run("CHECKPOINT")
    (rowsSinceCheckpoint, sortedSinceCheckpoint) = (0, 0)
  }

  /// How many rewritten rows may take room twice.
  private static let maxSortedRows = 4_000_000

  /// Notes a piece that was sorted.
  func noteSorted(_ rows: Int) {
    sortedSinceCheckpoint += rows
    lastSorted = .now()
  }

  /// How long ago the last piece was sorted.
  var secondsSinceSorting: Double { MonotonicTime.now().seconds(since: lastSorted) }
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
      try index.prepareEdges(
        slice.events.lazy.map { (key: $0.view.key, plan: $0.plan) },
        load: loadTimes
      )
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
    let record = slice.records[event.record]
    if !batch.erased.isEmpty,
      batch.erased.concerns(Erasure.Facts(event.view, header: record.header))
    {
      result.erased += 1
      return
    }
    guard index.insert(event.view.key, plan: event.plan, ownMs: event.times.ownMs) else {
      result.duplicates += 1
      result.repeats[
        ProjectDay(project: record.header.project, atMs: record.header.receivedAtMs),
        default: 0
      ] += 1
      return
    }
    let plan = event.plan.number
    index.noteStored(plan: plan, ownMs: event.times.ownMs)
    let project = record.header.project
    let person = devices.person(
      of: event.view,
      correctedMs: event.times.correctedMs,
      project: project
    )
    properties.note(event.view, times: event.times, project: project, person: person)
    parts.note(event.view, times: event.times, project: project, person: person)
    chunk.append(
      event.view,
      times: event.times,
      plan: plan,
      project: project,
      client: record.client,
      person: person
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
