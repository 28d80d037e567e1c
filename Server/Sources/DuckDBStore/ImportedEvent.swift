import EventRecord
import EventStore

/// One event of a file, ready to be loaded like one from the log.
struct ImportedEvent {
  let header: RecordHeader
  let client: String
  let event: EventRecord

  /// The event that a line tells of.
  ///
  /// - Throws: `LineProblem` when it is none, or none that a collector would take.
  init(_ fields: ImportedFields, project: UInt32) throws(LineProblem) {
    let name = try fields.name()
    let times = try ImportedTimes(fields)
    let ownMs = times.ownMs
    var event = EventRecord(
      key: EventKey(high: 0, low: 0),
      kind: try fields.integer("kind").map {
        EventRecord.Kind(rawValue: UInt8(clamping: $0)) ?? .event
      } ?? EventRecord.Kind(named: name),
      timestampMs: ownMs,
      sequence: try fields.integer("seq") ?? 0,
      id: try fields.id("id"),
      name: name,
      deviceID: try fields.id("device_id"),
      userID: try fields.id("user_id"),
      sessionID: try fields.id("session_id"),
      properties: try fields.object("props"),
      groups: try fields.object("groups"),
      operations: try fields.object("ops"),
      context: try fields.object("context")
    )
    if try fields.boolean("test") ?? false { event.flags.insert(.test) }
    let plan = UInt8(clamping: try fields.integer("plan") ?? Int64(KeyPlan.looseNumber))
    if let key = EventKey(try fields.id("key")) {
      let home = UInt32(exactly: try fields.integer("project") ?? -1)
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
      receivedAtMs: times.receivedMs,
      clockCorrectionMs: times.correctedMs - ownMs
    )
    client = try fields.object("client")
    self.event = event
  }

  init(header: RecordHeader, event: EventRecord) {
    self.header = header
    self.event = event
    client = ""
  }
}

/// The times of a line.
///
/// What a collector took tells when that was, and is judged by it: the clock of its client may have been
/// anywhere.
private struct ImportedTimes {
  let ownMs: Int64
  let correctedMs: Int64
  let receivedMs: Int64

  init(_ fields: ImportedFields) throws(LineProblem) {
    let received = try fields.time("received_ts")
    // A correction may move a time before 1970.
    let corrected = try fields.time("corrected_ts", from: EventTimes.startMs)
    let wasTaken = received != nil || corrected != nil
    guard let own = try fields.time("ts", upTo: wasTaken ? ImportedFields.lastMs : nil) else {
      throw LineProblem("it has no ts")
    }
    ownMs = own
    // A time that nobody believes is the one it came at, as when it is sent.
    correctedMs = corrected ?? (own > fields.latestMs ? received : nil) ?? own
    receivedMs = received ?? correctedMs
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
