/// The fields of an Amplitude event that have a place of their own.
enum AmplitudeField {
  case eventType, userID, deviceID, time, insertID, eventID, sessionID
  case eventProperties, userProperties, groups, groupProperties
  /// Kept only where the operator asks for it, and looked up where it can be.
  case address
  /// Where the person was, by the client's own words; kept under the event's context.
  case place
  /// An id of the device that others gave it; kept under the event's context.
  case foreignID
  /// Swift's spellings, kept under the names that other clients use.
  case productID, revenueType
  /// What a group's property operations are for.
  case groupType, groupValue
  /// An old client's counter of events alone; `sequence_number` also counts what it does between them.
  case localEventID
  /// Kept under the event's context.
  case other

  /// The field that a key without escapes names.
  @inline(__always)
  init(_ key: JSONString) {
    self = .other
    switch key.count {
    case 2: if key.isStart("ip") { self = .address }
    case 3: if key.isStart("dma") { self = .place }
    case 4:
      if key.isStart("time") {
        self = .time
      } else if key.isStart("city") {
        self = .place
      }
    case 6:
      if key.isStart("groups") {
        self = .groups
      } else if key.isStart("region") {
        self = .place
      }
    case 7:
      if key.isStart("user_id") {
        self = .userID
      } else if key.isStart("country") {
        self = .place
      }
    case 8: if key.isStart("event_id") { self = .eventID }
    case 9:
      if key.isStart("device_id") {
        self = .deviceID
      } else if key.isStart("insert_id") {
        self = .insertID
      }
    case 10:
      if key.isStart("event_type") {
        self = .eventType
      } else if key.isStart("session_id") {
        self = .sessionID
      } else if key.isStart("product_id") {
        self = .productID
      }
    case 12: if key.isStart("revenue_type") { self = .revenueType }
    case 15: if key.isStart("user_properties") { self = .userProperties }
    case 16:
      if key.isStart("event_properties") {
        self = .eventProperties
      } else if key.isStart("group_properties") {
        self = .groupProperties
      }
    default: break
    }
  }
}
