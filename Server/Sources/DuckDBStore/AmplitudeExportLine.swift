import EventRecord
import EventStore
import Foundation

/// One line of an Amplitude export archive.
///
/// Source of the fields: Amplitude's Export API. The event's own time is the client's, its corrected
/// time Amplitude's `event_time`. The properties that the user had then are applied as set at that
/// time. What has no place of its own stays in the context.
enum AmplitudeExportLine {
  /// The event.
  ///
  /// - Throws: `LineProblem` when the line is none.
  static func read(
    _ line: String,
    project: UInt32,
    latestMs: Int64
  ) throws(LineProblem) -> ImportedEvent {
    guard var members = PropertyValue.members(of: line) else {
      throw LineProblem("it is no JSON object", isShapeless: true)
    }
    if let own = ownLine(line, members["data"]) {
      return try ImportedEvent(ImportedFields(line: own, latestMs: latestMs), project: project)
    }
    func text(_ names: String...) -> String {
      for name in names {
        switch members.removeValue(forKey: name) {
        case .text(let text)?: return text
        case .integer(let value)?: return String(value)
        default: continue
        }
      }
      return ""
    }
    func object(_ name: String) -> String {
      guard case .object(let value)? = members.removeValue(forKey: name), !value.isEmpty else {
        return ""
      }
      return PropertyValue.json(value)
    }
    let name = text("event_type")
    guard !name.isEmpty else { throw LineProblem("it has no event_type") }
    guard name.count <= ImportedFields.maxNameCharacters else {
      throw LineProblem(
        "its event_type is longer than \(ImportedFields.maxNameCharacters) characters"
      )
    }
    guard let corrected = moment(text("event_time")) else {
      throw LineProblem("its event_time is none as in 2023-10-24 18:16:24.123000")
    }
    let own = moment(text("client_event_time")) ?? corrected
    guard corrected >= 0, own >= 0 else { throw LineProblem("its time lies before 1970") }
    guard corrected <= min(latestMs, ImportedFields.lastMs) else {
      throw LineProblem("its event_time lies too far in the future")
    }
    let received = moment(text("server_received_time")) ?? moment(text("server_upload_time"))
    let insertID = text("$insert_id", "insert_id")
    let uuid = text("uuid")
    let sessionID = text("session_id")
    let properties = object("user_properties")
    var event = EventRecord(
      key: EventKey(high: 0, low: 0),
      kind: EventRecord.Kind(named: name),
      timestampMs: own,
      sequence: Int64(text("event_id")) ?? 0,
      id: insertID.isEmpty ? uuid : insertID,
      name: shown(name),
      deviceID: text("device_id"),
      userID: text("user_id"),
      sessionID: sessionID == "-1" ? "" : sessionID,
      properties: object("event_properties"),
      groups: object("groups"),
      operations: properties.isEmpty ? "" : "{\"$set\":\(properties)}"
    )
    for (name, value) in members where value == .null || value == .object([:]) {
      members[name] = nil
    }
    event.context = members.isEmpty ? "" : PropertyValue.json(members)
    event.key =
      !insertID.isEmpty
      ? .amplitude(project: project, deviceID: event.deviceID, insertID: insertID)
      : uuid.isEmpty ? event.contentKey(project) : .native(project: project, id: uuid)
    let header = RecordHeader(
      source: insertID.isEmpty ? .native : .amplitude,
      project: project,
      receivedAtMs: received ?? corrected,
      clockCorrectionMs: corrected - own
    )
    return ImportedEvent(header: header, event: event)
  }

  /// What an archive of this server holds beside: the event as it was exported.
  private static func ownLine(_ line: String, _ data: PropertyValue?) -> String? {
    guard case .object(let members)? = data, case .object? = members["footfall"] else { return nil }
    return PropertyValue.writtenMembers(of: line)?["data"]
      .flatMap { PropertyValue.writtenMembers(of: $0.json)?["footfall"]?.json }
  }

  /// The names under which Amplitude's product shows its sessions' ends.
  private static func shown(_ name: String) -> String {
    switch name {
    case "session_start": "[Amplitude] Start Session"
    case "session_end": "[Amplitude] End Session"
    default: name
    }
  }

  /// A time as in `2023-10-24 18:16:24.123000`, UTC.
  private static func moment(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard let whole = parts.first, !fraction.isEmpty,
      fraction.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    do {
      let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        .year().month().day().time(includingFractionalSeconds: false)
      let date = try style.parse(String(whole))
      // The style takes the start of a text for all of it, and 30 February for a day in March.
      guard style.format(date) == whole else { return nil }
      let digits = fraction.prefix(3)
      let ms = Int64(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
      return Int64(date.timeIntervalSince1970) * 1_000 + ms
    } catch {
      return nil
    }
  }
}
