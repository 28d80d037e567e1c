import EventRecord
import EventStore

/// One event of a file, ready to be loaded like one from the log.
struct ImportedEvent {
  let header: RecordHeader
  let client: String
  let event: EventRecord

  /// The event of a row of `TransferColumns`; nil when it has no name or no time.
  init?(_ row: Row, project: UInt32) throws(StoreError) {
    guard row.values[5] != .null, row.values[6] != .null else { return nil }
    let ownMs = try row.integer(6)
    func integer(_ column: Int, or value: Int64) throws(StoreError) -> Int64 {
      row.values[column] == .null ? value : try row.integer(column)
    }
    let correctedMs = try integer(7, or: ownMs)
    var event = EventRecord(
      key: EventKey(high: 0, low: 0),
      kind: EventRecord.Kind(rawValue: UInt8(clamping: try integer(3, or: 0))) ?? .event,
      timestampMs: ownMs,
      sequence: try integer(9, or: 0),
      id: try row.text(10),
      name: try row.text(5),
      deviceID: try row.text(11),
      userID: try row.text(12),
      sessionID: try row.text(13),
      properties: try Self.object(row, 14),
      groups: try Self.object(row, 15),
      operations: try Self.object(row, 16),
      context: try Self.object(row, 17)
    )
    if row.values[4] != .null, try row.boolean(4) { event.flags.insert(.test) }
    let plan = UInt8(clamping: try integer(2, or: Int64(KeyPlan.looseNumber)))
    if let key = EventKey(try row.text(1)) {
      let home = UInt32(exactly: try integer(0, or: -1))
      event.key =
        home == project
        ? key
        : home.flatMap { event.key(key, of: $0, in: project) }
          ?? .imported(project: project, from: key)
      // A key kept by its event's minute is either that of a fresh id or one made at random.
      if plan == KeyPlan.freshNumber, !event.hasFreshID { event.flags.insert(.keyIsRandom) }
      if plan == KeyPlan.briefNumber { event.flags.insert(.keyIsContent) }
    } else {
      event.key =
        event.id.isEmpty ? event.contentKey(project) : .native(project: project, id: event.id)
    }
    header = RecordHeader(
      source: plan == KeyPlan.windowedNumber ? .amplitude : .native,
      project: project,
      receivedAtMs: try integer(8, or: correctedMs),
      clockCorrectionMs: correctedMs - ownMs
    )
    client = try Self.object(row, 18)
    self.event = event
  }

  init(header: RecordHeader, event: EventRecord) {
    self.header = header
    self.event = event
    client = ""
  }

  /// A JSON object's text, minified as the wire's is; empty for anything else.
  private static func object(_ row: Row, _ column: Int) throws(StoreError) -> String {
    let text = try row.text(column)
    // What is no object would spoil every page that shows it.
    return text.first == "{" && text != "{}" && PropertyValue.members(of: text) != nil ? text : ""
  }
}

extension EventRecord {
  /// The key that a client's own repeat of this event would have in another project.
  ///
  /// - Returns: Nil for an event whose key is not made of what the event itself says.
  func key(_ key: EventKey, of home: UInt32, in project: UInt32) -> EventKey? {
    let rules: [(UInt32) -> EventKey] = [
      { .native(project: $0, id: self.id) },
      { .amplitude(project: $0, deviceID: self.deviceID, insertID: self.id) },
      { .amplitude(project: $0, deviceID: "", insertID: self.id) },
      { .phase(project: $0, .event, id: self.id) },
      { .phase(project: $0, .session, id: self.id) },
    ]
    return id.isEmpty ? nil : rules.first { $0(home) == key }.map { $0(project) }
  }

  /// A key of all that the event says: the same line again is the same event.
  func contentKey(_ project: UInt32) -> EventKey {
    var key = EventKey.native(
      project: project,
      id: "\(kind.rawValue) \(timestampMs) \(sequence) \(name)"
    )
    for part in [deviceID, userID, sessionID, properties, groups, operations, context] {
      key = .native(project: project, id: "\(key) \(part)")
    }
    return key
  }

  /// Whether the id is a UUIDv7 that was made at about the event's time.
  fileprivate var hasFreshID: Bool {
    var id = id
    let made = id.withUTF8 { UUIDv7.milliseconds(UnsafeRawBufferPointer($0)) }
    return made.map { abs($0 - timestampMs) <= KeyPlan.freshnessMs } ?? false
  }
}
