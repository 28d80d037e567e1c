import EventRecord

/// What Phase's items become in the ingest log.
///
/// An event is an event, a screen view one with `is_screen` in its context. A device is an identify
/// that sets its properties. A session's start is an event named `session_start`; a ping is an
/// uncounted one named `$ping`, which shows that the session went on. What is known of the device
/// goes with each of them, as one description where they all have the same.
struct PhaseRecord: ~Copyable {
  private struct Entry {
    var view: EventView
    var texts: [Range<Int>]
    var device: String
  }

  private let context: PhaseContext
  private let clock: ClockCorrection
  private var texts = ByteSink()
  private var entries: [Entry] = []

  init(_ context: PhaseContext) {
    self.context = context
    clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: context.sentAtMs,
      toleranceMs: 60_000
    )
  }

  /// How many events there are.
  var count: Int { entries.count }

  mutating func append(
    device id: String,
    _ device: PhaseDevice,
    setting values: PhaseValues,
    _ scratch: WireScratch
  ) {
    var view = EventView(
      key: scratch.randomKey(project: context.project),
      kind: .identify,
      flags: .keyIsRandom,
      timestampMs: context.receivedAtMs,
      sequence: Int64(count)
    )
    // A device has no time of its own.
    view.flags.insert(.timeMissing)
    var operations: [UInt8] = []
    if !values.members.isEmpty {
      operations = Array("{\"$set\":".utf8) + values.json() + Array("}".utf8)
    }
    add(view, name: "$identify", device: id, operations: operations, of: device)
  }

  mutating func append(sessionStart id: String, _ session: PhaseSession, _ device: PhaseDevice) {
    let view = EventView(
      key: .phase(project: context.project, .session, id: id),
      kind: .event,
      timestampMs: session.startedMs,
      sequence: Int64(count)
    )
    add(view, id: id, name: "session_start", device: session.deviceID, session: id, of: device)
  }

  mutating func append(
    event item: PhaseItem,
    id: String,
    sessionID: String,
    _ session: PhaseSession,
    _ device: PhaseDevice?,
    _ scratch: WireScratch
  ) {
    let view = EventView(
      key: .phase(project: context.project, .event, id: id),
      kind: .event,
      timestampMs: item.timeMs,
      sequence: Int64(count)
    )
    add(
      view,
      id: id,
      name: item.isScreen ? PhaseRules.screenName(item.name) : item.name,
      device: session.deviceID,
      session: sessionID,
      properties: item.values.members.isEmpty ? [] : item.values.json(),
      isScreen: item.isScreen,
      of: device
    )
  }

  mutating func append(ping timeMs: Int64, sessionID: String, _ session: PhaseSession) {
    let view = EventView(
      key: .phase(project: context.project, .ping, id: "\(sessionID):\(timeMs)"),
      kind: .identify,
      timestampMs: timeMs,
      sequence: Int64(count)
    )
    add(view, name: "$ping", device: session.deviceID, session: sessionID, of: nil)
  }

  private mutating func add(
    _ view: EventView,
    id: String = "",
    name: String,
    device: String,
    session: String = "",
    properties: [UInt8] = [],
    operations: [UInt8] = [],
    isScreen: Bool = false,
    of known: PhaseDevice?
  ) {
    var view = view
    if context.isDebug { view.flags.insert(.test) }
    let places =
      [id, name, device, session].map { text in place(Array(text.utf8)) }
      + [
        place(properties), place(operations),
        place(isScreen ? Array("{\"is_screen\":true}".utf8) : []),
      ]
    entries.append(Entry(view: view, texts: places, device: known.map(Self.description) ?? ""))
  }

  private mutating func place(_ text: [UInt8]) -> Range<Int> {
    let start = texts.count
    text.withUnsafeBytes { texts.append($0) }
    return start..<texts.count
  }

  /// What is known of a device, in the words of the native protocol.
  private static func description(_ device: PhaseDevice) -> String {
    var json = JSONText()
    json.append("{\"library\":\"phase\"")
    for field in device.fields(platform: device.platform) {
      // The system with its version, as everywhere else.
      let system = [device.platform, field.value].compactMap { $0 }.joined(separator: " ")
      json.append(
        members: [field.name == "osVersion" ? ("os", system) : (field.name, field.value)]
      )
    }
    json.append("}")
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// What is known last of the one device that the events are of; of several, only who sends.
  private var description: String {
    let unknown = "{\"library\":\"phase\"}"
    guard let first = entries.first?.texts[2],
      let last = entries.last(where: { !$0.device.isEmpty })
    else { return unknown }
    let isOne = entries.allSatisfy { texts.bytes[$0.texts[2]].elementsEqual(texts.bytes[first]) }
    return isOne ? last.device : unknown
  }

  /// The record as it goes into the log; empty without events.
  var bytes: [UInt8] {
    mutating get {
      guard !entries.isEmpty else { return [] }
      var description = self.description
      var writer = RecordWriter()
      let header = RecordHeader(
        source: .phase,
        project: context.project,
        receivedAtMs: context.receivedAtMs,
        sentAtMs: clock.sentAtMs,
        clockCorrectionMs: clock.correctionMs
      )
      description.withUTF8 { writer.begin(header, context: UnsafeRawBufferPointer($0)) }
      for entry in entries {
        var view = entry.view
        let text = entry.texts.map { UnsafeRawBufferPointer(rebasing: texts.bytes[$0]) }
        view.id = text[0]
        view.name = text[1]
        view.deviceID = text[2]
        view.sessionID = text[3]
        view.properties = text[4]
        view.operations = text[5]
        view.context = text[6]
        writer.append(view)
      }
      return writer.bytes
    }
  }
}
