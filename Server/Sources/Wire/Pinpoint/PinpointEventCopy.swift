/// The record that an event stream gets of an event.
///
/// Source: Amazon Pinpoint, "Event data from Amazon Pinpoint"; one line of JSON, with its end.
enum PinpointEventCopy {
  /// The version of the records' form.
  private static let version = "3.1"

  /// Writes a record.
  ///
  /// - Parameters:
  ///   - event: The event as it was sent, which has been taken.
  ///   - endpoint: What is known of its endpoint.
  ///   - app: The application's id.
  ///   - arrivedAtMs: When it came, in milliseconds since 1970.
  /// - Returns: One line.
  static func json(
    of event: UnsafeRawBufferPointer,
    endpoint: PinpointEndpoint,
    app: String,
    arrivedAtMs: Int64
  ) -> [UInt8] {
    let event = Event(event)
    let quoted = JSONText.quoted
    var application = ["app_id": quoted(app), "sdk": object([:])]
    for (name, member) in [
      ("package_name", "AppPackageName"), ("title", "AppTitle"), ("version_code", "AppVersionCode"),
    ] { application[name] = event.texts[member].map(quoted) }
    application["version_name"] = endpoint.state.demographic["AppVersion"].map(quoted)
    application["sdk"] = object(
      texts: ["name": event.texts["SdkName"], "version": event.texts["ClientSdkVersion"]]
    )
    var record = [
      "event_type": quoted(event.texts["EventType"] ?? ""),
      "event_timestamp": String(event.texts["Timestamp"].flatMap(milliseconds) ?? arrivedAtMs),
      "arrival_timestamp": String(arrivedAtMs), "event_version": quoted(version),
      "application": object(application), "client": object(texts: ["client_id": endpoint.id]),
      "device": device(endpoint), "attributes": event.parts["Attributes"] ?? object([:]),
      "metrics": event.parts["Metrics"] ?? object([:]),
      "client_context": object(["custom": object(["endpoint": quoted(endpoint.json)])]),
      "awsAccountId": quoted(StreamName.account),
    ]
    if let id = event.session["Id"] {
      var session = ["session_id": quoted(id)]
      for (name, member) in [
        ("start_timestamp", "StartTimestamp"), ("stop_timestamp", "StopTimestamp"),
      ] { session[name] = event.session[member].flatMap(milliseconds).map { String($0) } }
      record["session"] = object(session)
    }
    return Array(object(record).utf8) + [UInt8(ascii: "\n")]
  }

  private static func device(_ endpoint: PinpointEndpoint) -> String {
    let known = endpoint.state.demographic
    let code = known["Locale"]
    let parts = code.map { $0.split { $0 == "_" || $0 == "-" }.map(String.init) } ?? []
    var device = [
      "locale": object(
        texts: [
          "code": code, "language": parts.first, "country": parts.count > 1 ? parts.last : nil,
        ]
      ),
      "platform": object(
        texts: ["name": known["Platform"], "version": known["PlatformVersion"]]
      ),
    ]
    device["make"] = known["Make"].map(JSONText.quoted)
    device["model"] = known["Model"].map(JSONText.quoted)
    return object(device)
  }

  private static func object(_ members: [String: String]) -> String { JSONText.object(members) }

  private static func object(texts: [String: String?]) -> String {
    object(texts.compactMapValues { $0.map(JSONText.quoted) })
  }

  private static func milliseconds(_ time: String) -> Int64? {
    var time = time
    return time.withUTF8 { Timestamp.read(UnsafeRawBufferPointer($0)) }
  }
}

/// The members of an event that a record needs.
private struct Event {
  var texts: [String: String] = [:]
  var session: [String: String] = [:]
  /// Members that are objects, as JSON on one line.
  var parts: [String: String] = [:]

  init(_ json: UnsafeRawBufferPointer) {
    var reader = PinpointEndpointReader(json)
    do throws(AWSRefusal) { try read(&reader, json) } catch {
      // It was read once already, as a whole: what is not understood now has no place in a record.
    }
  }

  private mutating func read(
    _ reader: inout PinpointEndpointReader,
    _ json: UnsafeRawBufferPointer
  ) throws(AWSRefusal) {
    try reader.object("An event") { (reader, name) throws(AWSRefusal) in
      switch name {
      case "Session":
        try reader.object(name) { (reader, name) throws(AWSRefusal) in
          guard ["Id", "StartTimestamp", "StopTimestamp"].contains(name) else {
            return try reader.skip()
          }
          session[name] = try reader.text(name)
        }
      case "Attributes", "Metrics": parts[name] = try reader.objectOnOneLine(in: json)
      case "EventType", "Timestamp", "AppPackageName", "AppTitle", "AppVersionCode", "SdkName",
        "ClientSdkVersion":
        texts[name] = try reader.text(name)
      default: try reader.skip()
      }
    }
  }
}

extension PinpointEndpointReader {
  /// Takes a value, and returns an object without the space between its parts; nil for anything else.
  fileprivate mutating func objectOnOneLine(
    in json: UnsafeRawBufferPointer
  ) throws(AWSRefusal) -> String? {
    let range = try skippedRange()
    guard json[range].first == UInt8(ascii: "{") else { return nil }
    var (line, isInText, isEscaped) = ([UInt8](), false, false)
    line.reserveCapacity(range.count)
    for byte in json[range] where isInText || byte > 0x20 {
      line.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      }
    }
    return String(decoding: line, as: UTF8.self)
  }
}
