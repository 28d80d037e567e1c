/// The fields of a native event, in all their spellings.
enum NativeField {
  case id, eventID, sequence, name, timestamp, deviceID, userID, sessionID
  case properties, groups, operations, groupOperations, test
  /// What the event says about app, device and place.
  case context
  /// Kept under the event's context.
  case other

  /// The field that a key without escapes names.
  @inline(__always)
  init(_ key: JSONString) {
    self = .other
    switch key.count {
    case 2:
      if key.isStart("id") { self = .id } else if key.isStart("ts") { self = .timestamp }
    case 3:
      if key.isStart("seq") { self = .sequence } else if key.isStart("ops") { self = .operations }
    case 4:
      if key.isStart("name") { self = .name } else if key.isStart("test") { self = .test }
    case 5:
      if key.isStart("props") { self = .properties } else if key.isStart("event") { self = .name }
    case 6: if key.isStart("groups") { self = .groups }
    case 7:
      if key.isStart("user_id") {
        self = .userID
      } else if key.isStart("context") {
        self = .context
      }
    case 8: if key.isStart("event_id") { self = .eventID }
    case 9:
      if key.isStart("device_id") {
        self = .deviceID
      } else if key.isStart("group_ops") {
        self = .groupOperations
      }
    case 10:
      if key.isStart("session_id") {
        self = .sessionID
      } else if key.isStart("properties") {
        self = .properties
      }
    default: break
    }
  }
}
