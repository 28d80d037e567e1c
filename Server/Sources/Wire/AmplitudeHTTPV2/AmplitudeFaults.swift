/// What is wrong with the events of an Amplitude request, by field and place in the request.
///
/// All of it is named at once: a client drops what is named, sends the rest again, and would do so once
/// per bad event otherwise.
struct AmplitudeFaults {
  private var missing: [String: [Int]] = [:]
  private var invalid: [String: [Int]] = [:]
  private var lengths: [String: [Int]] = [:]
  private var hasInvalidValue = false
  private var hasRefusedID = false
  private var hasInvalidEvent = false

  /// True when nothing is wrong.
  var isEmpty: Bool { missing.isEmpty && invalid.isEmpty }

  /// What is wrong, in one word, when it concerns a single event; nil when nothing is.
  var reason: RejectionReason? {
    guard !isEmpty else { return nil }
    if hasInvalidEvent { return .notAnObject }
    if hasInvalidValue { return .invalidField }
    return missing["event_type"] == nil ? .invalidIdentity : .missingName
  }

  /// The event is not an object.
  mutating func notAnObject(at index: Int) {
    hasInvalidEvent = true
    add(index, to: "event_type", in: \.missing)
  }

  /// The event lacks a field that it needs.
  mutating func missing(_ field: String, at index: Int) {
    add(index, to: field, in: \.missing)
  }

  /// A field holds what it must not.
  mutating func invalid(_ field: String, at index: Int) {
    hasInvalidValue = true
    add(index, to: field, in: \.invalid)
  }

  /// An id is one of the values that stand for "unknown".
  mutating func refusedID(_ field: String, at index: Int) {
    hasRefusedID = true
    add(index, to: field, in: \.invalid)
  }

  /// An id is too short.
  ///
  /// Named in both maps: Swift's and Kotlin's clients read only the one of invalid fields.
  mutating func idLength(_ field: String, at index: Int) {
    add(index, to: field, in: \.lengths)
    add(index, to: field, in: \.invalid)
  }

  private mutating func add(
    _ index: Int,
    to field: String,
    in map: WritableKeyPath<Self, [String: [Int]]>
  ) {
    guard self[keyPath: map][field]?.last != index else { return }
    self[keyPath: map][field, default: []].append(index)
  }

  /// The answer that names everything.
  var answer: WireAnswer {
    var json = JSONText()
    json.append("{\"code\":400,\"error\":")
    json.append(quoting: error)
    append(missing, as: "events_with_missing_fields", to: &json)
    append(invalid, as: "events_with_invalid_fields", to: &json)
    append(lengths, as: "events_with_invalid_id_lengths", to: &json)
    json.append("}")
    return WireAnswer(status: 400, body: json.bytes)
  }

  private var error: String {
    if hasInvalidEvent { return "Invalid event JSON" }
    if hasInvalidValue { return "Invalid field values on some events" }
    if hasRefusedID {
      return "Invalid id provided: omit the user_id or device_id field if they are unknown"
    }
    if !lengths.isEmpty { return "Invalid id length for user_id or device_id" }
    return "Request missing required field"
  }

  private func append(_ map: [String: [Int]], as name: String, to json: inout JSONText) {
    guard !map.isEmpty else { return }
    json.append(",\"\(name)\":{")
    for (place, field) in map.keys.sorted().enumerated() {
      if place > 0 { json.append(",") }
      json.append(quoting: field)
      let indexes = (map[field] ?? []).map(String.init).joined(separator: ",")
      json.append(":[\(indexes)]")
    }
    json.append("}")
  }
}
