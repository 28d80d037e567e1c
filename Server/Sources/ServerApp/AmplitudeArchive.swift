import Archives
import EventRecord
import EventStore
import Foundation

/// Makes an archive of a project's events as Amplitude's Export API hands them out: a ZIP of a file of
/// lines for each hour in which events were received.
///
/// Source of the form: Amplitude's Export API. Each line also holds the event as `footfall export` writes it
/// (`data.footfall`), so that an import of the archive adds the very same events.
struct AmplitudeArchive {
  /// Why there is no archive.
  enum Problem: Error {
    /// No event was received then.
    case empty
    /// It would be larger than is handed out.
    case tooLarge
  }

  /// Bytes of one archive; as Amplitude's, 4 GB.
  var maxBytes: UInt64 = 4_000_000_000

  let store: any EventStore
  let project: UInt32

  /// Writes the archive.
  ///
  /// - Parameters:
  ///   - fromMs: the first moment, by when events were received.
  ///   - toMs: the end, excluded.
  ///   - path: the archive; another file lies beside it meanwhile.
  /// - Throws: `Problem`, or what store and disk say; the archive is not there then.
  func write(fromMs: Int64, toMs: Int64, to path: String) throws {
    let lines = path + ".lines"
    defer {
      if FileManager.default.fileExists(atPath: lines) {
        do { try FileManager.default.removeItem(atPath: lines) } catch {
          // It lies in a folder that is tidied.
        }
      }
    }
    var request = ExportRequest(project: project, format: .ndjson)
    request.received = fromMs..<toMs
    guard try store.export(request, to: lines) > 0 else { throw Problem.empty }
    let zip = try LinesZip(path)
    do {
      try write(try LineFile(lines, maxLineBytes: .max), to: zip)
      try zip.close()
    } catch {
      zip.remove()
      throw error
    }
  }

  private func write(_ lines: LineFile, to zip: LinesZip) throws {
    var hour: Int64?
    while case .bytes(let bytes)? = try lines.next() {
      let line = String(decoding: bytes, as: UTF8.self)
      guard let event = AmplitudeRecord(line, project: project) else { continue }
      let begun = event.receivedMs / 3_600_000
      if begun != hour {
        guard zip.bytes <= maxBytes else { throw Problem.tooLarge }
        hour = begun
        try zip.begin("\(project)/\(name(ofHour: begun))")
      }
      try zip.append(event.json)
    }
    guard zip.bytes <= maxBytes else { throw Problem.tooLarge }
  }

  /// Such as `1_2026-12-01_9#0.json.gz`.
  private func name(ofHour hour: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(hour) * 3_600)
    let day = date.formatted(.iso8601.year().month().day())
    return "\(project)_\(day)_\(hour % 24)#0.json.gz"
  }
}

/// One event as a line of an Amplitude export.
struct AmplitudeRecord {
  /// When the server had it, in milliseconds since 1970.
  let receivedMs: Int64
  /// The line.
  let json: String

  /// Members of an event's context or of its client's description that have a name of their own there, each
  /// with the names it may have here.
  private static let facts: [(name: String, sources: [String])] = [
    ("platform", ["platform"]), ("os_name", ["os_name", "os"]), ("os_version", ["os_version"]),
    ("device_type", ["device_type", "device_model", "model"]), ("device_family", ["device_family"]),
    ("device_carrier", ["device_carrier", "carrier"]),
    ("version_name", ["version_name", "app_version", "app"]), ("start_version", ["start_version"]),
    ("country", ["country"]), ("region", ["region"]), ("city", ["city"]), ("dma", ["dma"]),
    ("language", ["language", "locale"]), ("ip_address", ["ip_address", "ip"]),
    ("location_lat", ["location_lat"]), ("location_lng", ["location_lng"]),
    ("library", ["library"]), ("paying", ["paying"]),
  ]

  /// The record of a line of `footfall export`; nil for what is none.
  init?(_ line: String, project: UInt32) {
    guard let members = PropertyValue.writtenMembers(of: line) else { return nil }
    func text(_ name: String) -> String {
      if case .text(let text)? = members[name]?.value { return text }
      return ""
    }
    func integer(_ name: String) -> Int64? {
      if case .integer(let value)? = members[name]?.value { return value }
      return nil
    }
    func object(_ name: String) -> Members<PropertyValue> {
      if case .object(let value)? = members[name]?.value { return value }
      return [:]
    }
    func written(_ name: String) -> String {
      if case .object? = members[name]?.value { return members[name]?.json ?? "{}" }
      return "{}"
    }
    guard let own = integer("ts") else { return nil }
    let corrected = integer("corrected_ts") ?? own
    let received = integer("received_ts") ?? corrected
    let (device, user, id) = (text("device_id"), text("user_id"), text("id"))
    let isAmplitudes = integer("plan") == Self.windowedPlan
    let person =
      user.isEmpty
      ? PersonNumber.device(project: project, id: device)
      : PersonNumber.user(project: project, id: user)
    let known = object("client").merging(object("context"))
    var set: Members<PropertyValue> = [:]
    if case .object(let values)? = object("ops")["$set"] { set = values }

    var fields: [(String, String)] = [
      ("server_received_time", Self.time(received)), ("client_event_time", Self.time(own)),
      ("client_upload_time", Self.time(received - (corrected - own))),
      ("server_upload_time", Self.time(received)), ("processed_time", Self.time(received)),
      ("event_time", Self.time(corrected)), ("amplitude_id", String(person.magnitude)),
      ("user_id", Self.quoted(user)), ("device_id", Self.quoted(device)),
      ("session_id", Int64(text("session_id")).map { String($0) } ?? "-1"),
      ("event_id", String(integer("seq") ?? 0)),
      ("event_type", Self.quoted(Self.sent(text("name")))),
      ("$insert_id", Self.quoted(isAmplitudes ? id : "")),
      ("uuid", Self.quoted(isAmplitudes || id.isEmpty ? text("key") : id)),
      ("event_properties", written("props")), ("user_properties", PropertyValue.json(set)),
      ("groups", written("groups")), ("group_properties", "{}"),
    ]
    for fact in Self.facts {
      let value = fact.sources.lazy.compactMap { known[$0] }.first ?? .null
      fields.append((fact.name, value.json))
    }
    fields += [("app", String(project)), ("data", "{\"footfall\":\(line)}")]
    receivedMs = received
    json = "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// The plan of keys that are Amplitude's insert ids; see `key` and `plan` of an export.
  private static let windowedPlan: Int64 = 2

  /// The names by which Amplitude's SDKs send what their product shows by another.
  private static func sent(_ name: String) -> String {
    switch name {
    case "[Amplitude] Start Session": "session_start"
    case "[Amplitude] End Session": "session_end"
    default: name
    }
  }

  /// An empty text is none.
  private static func quoted(_ text: String) -> String {
    text.isEmpty ? "null" : PropertyValue.text(text).json
  }

  /// A time as in `2023-10-24 18:16:24.123000`, UTC.
  private static func time(_ ms: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(ms / 1_000))
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
      .year().month().day().time(includingFractionalSeconds: false)
    let rest = String(ms % 1_000)
    return "\"\(date.formatted(style)).\(String(repeating: "0", count: 3 - rest.count))\(rest)000\""
  }
}
