import FootfallCore

/// Writes an event as one of the objects in `events`.
///
/// Source: `simpledatalogs.md` section 2.3.
struct SimpleDataLogsEventEncoder {
  let limits: EventLimits

  /// Writes the event at the end of `buffer`, or says why it cannot be sent.
  ///
  /// Changes to people and groups have no place in this protocol.
  func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard limits.allowsIdentifiers(of: event), event.userOperations == nil,
      event.groupOperations == nil
    else { return .invalid }
    var event = event
    var found = DropCounts()
    if let reason = limits.fit(&event, losses: &found) { return reason }
    let start = buffer.count
    write(event, into: &buffer)
    guard buffer.count - start <= limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    losses.add(found)
    return nil
  }

  private func write(_ event: Event, into buffer: inout JSONBuffer) {
    // These two first: they are looked up when an answer speaks of the event.
    buffer.append("{\"event_id\":")
    buffer.append(quoted: event.id)
    buffer.append(",\"name\":")
    buffer.append(quoted: event.name.text)
    buffer.append(",\"ts\":")
    buffer.append(quoted: Timestamp.rfc3339(milliseconds: event.milliseconds))
    if let deviceID = event.deviceID {
      buffer.append(",\"device_id\":")
      buffer.append(quoted: deviceID)
    }
    let properties = properties(of: event)
    if !properties.isEmpty {
      var values = ValueEncoder(limits: limits)
      buffer.append(",\"props\":")
      values.encode(properties, into: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// The event's properties and its session's id; one the caller gave wins.
  private func properties(of event: Event) -> Properties {
    guard let sessionID = event.sessionID, sessionID != .outside,
      event.properties[Self.session] == nil
    else { return event.properties }
    var properties = event.properties
    switch sessionID {
    case .number(let number): properties[Self.session] = .string(String(number))
    case .text(let text): properties[Self.session] = .string(text)
    }
    return properties
  }

  private static let session = "session_id"
}
