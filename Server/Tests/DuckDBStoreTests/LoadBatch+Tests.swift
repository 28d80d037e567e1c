import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal

extension LoadBatch {
  /// A batch of one request with one event.
  init(
    id: String,
    ownMs: Int64,
    source: RecordHeader.Source = .native,
    project: UInt32 = 1,
    log: JournalID,
    start: JournalPosition
  ) {
    self.init(log: log, start: start)
    add(id: id, ownMs: ownMs, source: source, project: project)
  }

  /// Adds a request with one event.
  mutating func add(
    id: String,
    ownMs: Int64,
    source: RecordHeader.Source = .native,
    project: UInt32 = 1,
    name: String = "Opened"
  ) {
    let key: EventKey =
      source == .native
      ? .native(project: project, id: id)
      : .amplitude(project: project, deviceID: "d", insertID: id)
    let record = RecordWriter.record(
      RecordHeader(source: source, project: project, receivedAtMs: ownMs),
      events: [EventRecord(key: key, timestampMs: ownMs, id: id, name: name)]
    )
    add(record)
  }

  /// Adds a record as it is.
  mutating func add(_ record: [UInt8]) {
    let position = JournalPosition(segment: end.segment, offset: end.offset + 1)
    record.withUnsafeBytes { append($0, upTo: position) }
  }
}

extension DuckDBEventStore {
  /// All events in the order they were stored.
  func storedEvents() throws -> [StoredEvent] {
    try rows(SQL("SELECT \(EventColumns.list) FROM events ORDER BY rowid")).map(EventColumns.event)
  }
}
