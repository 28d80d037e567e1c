/// Whose event it is, as the engine knows it when it encodes.
package struct EventIdentity: Sendable, Hashable {
  /// The device's id.
  package var deviceID: String
  /// The signed-in user, if any.
  package var userID: String?
  /// Whether events are marked as tests.
  package var isTest: Bool

  /// An identity from its parts.
  package init(deviceID: String, userID: String? = nil, isTest: Bool = false) {
    self.deviceID = deviceID
    self.userID = userID
    self.isTest = isTest
  }
}

/// Writes events as Footfall v1 has them (`architecture.md`, section 5), applying the limits.
///
/// The order of the fields is chosen for compression: what stays the same from one event of a
/// client to the next stands together.
package struct EventEncoder: Sendable {
  /// The limits applied.
  package let limits: EventLimits

  /// An encoder with the given limits.
  package init(limits: EventLimits = EventLimits()) {
    self.limits = limits
  }

  /// Writes one event at the end of `buffer`.
  ///
  /// Returns the reason if the whole event has to be dropped; the buffer then is as it was. What
  /// was cut or left out inside the event is added to `losses`.
  package func encode(
    _ event: Event,
    sequence: Int64,
    identity: EventIdentity,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    let start = buffer.count
    let options = event.details?.options
    guard !event.name.text.isEmpty, hasValidIdentifiers(options) else { return .invalid }

    buffer.append("{\"device_id\":")
    buffer.append(quoted: options?.deviceID ?? identity.deviceID)
    if let userID = options?.userID ?? identity.userID {
      buffer.append(",\"user_id\":")
      buffer.append(quoted: userID)
    }
    if let sessionID = options?.sessionID {
      buffer.append(",\"session_id\":")
      buffer.append(sessionID)
    }
    if options?.isTest ?? identity.isTest { buffer.append(",\"test\":true") }
    if let id = options?.id {
      buffer.append(",\"id\":")
      buffer.append(quoted: id)
    } else {
      buffer.append(",\"id\":\"")
      buffer.append(event.id)
      buffer.append(UInt8(ascii: "\""))
    }
    buffer.append(",\"seq\":")
    buffer.append(sequence)
    buffer.append(",\"ts\":")
    buffer.append(event.milliseconds)
    buffer.append(",\"name\":")
    encodeName(event.name.text, into: &buffer, losses: &losses)
    encodeContents(of: event, into: &buffer, losses: &losses)
    buffer.append(UInt8(ascii: "}"))

    guard buffer.count - start <= limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    return nil
  }

  private func hasValidIdentifiers(_ options: EventOptions?) -> Bool {
    guard let options else { return true }
    return [options.id, options.deviceID, options.userID].allSatisfy { identifier in
      guard let length = identifier?.utf8.count else { return true }
      return length > 0 && length <= limits.identifierBytes
    }
  }

  private func encodeName(
    _ name: String,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) {
    // Every scalar has at least one byte, so only a long text needs counting.
    guard name.utf8.count > limits.nameCharacters,
      name.unicodeScalars.count > limits.nameCharacters
    else {
      buffer.append(quoted: name)
      return
    }
    buffer.append(
      quoted: String(String.UnicodeScalarView(name.unicodeScalars.prefix(limits.nameCharacters)))
    )
    losses.count(.nameCut)
  }

  private func encodeContents(
    of event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) {
    var values = ValueEncoder(limits: limits)
    if !event.properties.isEmpty {
      buffer.append(",\"props\":")
      values.encode(event.properties, depth: 1, into: &buffer)
    }
    if let details = event.details {
      if !details.options.groups.isEmpty {
        buffer.append(",\"groups\":")
        values.encode(groups: details.options.groups, into: &buffer)
      }
      if let operations = details.operations {
        buffer.append(",\"ops\":")
        values.encode(operations, into: &buffer)
      }
    }
    if !values.losses.isEmpty { losses.add(values.losses) }
  }
}
