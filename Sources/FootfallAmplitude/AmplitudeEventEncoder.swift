import FootfallCore

/// Writes an event as one of the objects in `events`.
///
/// What is unset is left out: absent, `null` and `{}` are the same to the server. Source:
/// `amplitude.md` sections 1.4, 1.10 and 1.11.
struct AmplitudeEventEncoder {
  private let limits: EventLimits
  /// What is left to look at once name and properties fit: their texts were cut by characters.
  private let rest: EventLimits

  init(limits: EventLimits) {
    self.limits = limits
    var rest = limits
    rest.text = .none
    self.rest = rest
  }

  /// Writes the event at the end of `buffer`, or says why it cannot be sent.
  func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard hasOwner(event), limits.allowsIdentifiers(of: event) else { return .invalid }
    var event = event
    var found = DropCounts()
    if let reason = limits.fit(&event, losses: &found) { return reason }
    let start = buffer.count
    write(event, into: &buffer, losses: &found)
    guard buffer.count - start <= limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    losses.add(found)
    return nil
  }

  private func write(_ event: Event, into buffer: inout JSONBuffer, losses: inout DropCounts) {
    // These two first: they are looked up when an answer speaks of the event.
    buffer.append("{\"insert_id\":")
    buffer.append(quoted: event.id)
    buffer.append(",\"event_type\":")
    buffer.append(quoted: event.name.text)
    encodeOwner(of: event, into: &buffer)
    buffer.append(",\"session_id\":")
    buffer.append(sessionNumber(event))
    buffer.append(",\"event_id\":")
    buffer.append(number(of: event))
    buffer.append(",\"time\":")
    buffer.append(event.milliseconds)
    var values = ValueEncoder(limits: rest)
    encodeProperties(of: event, &values, into: &buffer)
    values.encodeMembers(AmplitudeContextFields.members(event.context), into: &buffer)
    buffer.append(UInt8(ascii: "}"))
    losses.add(values.losses)
  }

  /// The number the app gave the event, or else the client's own.
  private func number(of event: Event) -> Int64 {
    guard case .integer(let own) = event.context[.eventNumber] else { return event.sequence }
    return own
  }

  /// An event needs a user or a device; a change to a group is nobody's.
  private func hasOwner(_ event: Event) -> Bool {
    event.deviceID != nil || event.userID != nil || event.name == .groupIdentify
  }

  private func encodeOwner(of event: Event, into buffer: inout JSONBuffer) {
    if let deviceID = event.deviceID {
      buffer.append(",\"device_id\":")
      buffer.append(quoted: deviceID)
    }
    if let userID = event.userID {
      buffer.append(",\"user_id\":")
      buffer.append(quoted: userID)
    }
  }

  /// Sessions are numbers here, and -1 is outside of any.
  private func sessionNumber(_ event: Event) -> Int64 {
    switch event.sessionID {
    case .number(let number): number
    case .text(let text): Int64(text) ?? Self.outside
    case nil: Self.outside
    }
  }

  private static let outside: Int64 = -1

  private func encodeProperties(
    of event: Event,
    _ values: inout ValueEncoder,
    into buffer: inout JSONBuffer
  ) {
    if !event.properties.isEmpty {
      buffer.append(",\"event_properties\":")
      values.encode(event.properties, into: &buffer)
    }
    if let operations = event.userOperations, !operations.isEmpty {
      buffer.append(",\"user_properties\":")
      encode(operations, of: event, &values, into: &buffer)
    }
    if !event.groups.isEmpty {
      buffer.append(",\"groups\":")
      values.encode(Properties(event.groups.mapValues(GroupChange.value)), into: &buffer)
    }
    if let operations = event.groupOperations, !operations.isEmpty {
      buffer.append(",\"group_properties\":")
      encode(operations, of: event, &values, into: &buffer)
    }
  }

  /// What was made by hand stays as it is; else an `$identify` or `$groupidentify` has operations, any
  /// other event the plain properties it sets.
  private func encode(
    _ operations: IdentifyOperations,
    of event: Event,
    _ values: inout ValueEncoder,
    into buffer: inout JSONBuffer
  ) {
    if let written = operations.written { return values.encode(written, into: &buffer) }
    let isIdentify = event.name == .identify || event.name == .groupIdentify
    guard !isIdentify, case .setsOnly(let properties) = IdentifyKind(operations) else {
      return values.encode(operations, into: &buffer)
    }
    values.encode(properties, into: &buffer)
  }
}
