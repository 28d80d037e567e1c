/// Whose event it is, as the engine knows it when nothing else is said.
package struct EventIdentity: Sendable, Equatable {
  /// The device's id.
  package var deviceID: String?
  /// The signed-in user, if any.
  package var userID: String?
  /// Whether events are marked as tests.
  package var isTest: Bool

  /// An identity from its parts.
  package init(deviceID: String?, userID: String? = nil, isTest: Bool = false) {
    self.deviceID = deviceID
    self.userID = userID
    self.isTest = isTest
  }
}

extension Event {
  /// An event as the call left it, with what the client says where the call said nothing.
  package init(_ stamped: StampedEvent, sequence: Int64, identity: EventIdentity) {
    let details = stamped.details
    let options = details?.options
    self.init(
      stamped.name,
      stamped.properties,
      identifier: options?.id.map { .own($0) } ?? .made(stamped.id),
      milliseconds: stamped.milliseconds,
      isBackDated: stamped.isBackDated,
      sequence: sequence,
      deviceID: options?.deviceID ?? identity.deviceID,
      userID: options?.userID ?? identity.userID,
      sessionID: options?.sessionID,
      groups: options?.groups ?? [:],
      userOperations: details?.operations,
      groupOperations: details?.groupOperations,
      context: options?.context ?? EventContext(),
      isTest: options?.isTest ?? identity.isTest,
      onResult: details?.onResult
    )
  }
}

/// Writes events as Footfall v1 has them (`architecture.md`, section 5), applying the limits.
///
/// The order of the fields is chosen for compression: what stays the same from one event of a
/// client to the next stands together.
package struct EventEncoder: Sendable {
  /// The limits applied.
  package let limits: EventLimits
  /// What is said once for all events: an event only says what differs.
  package let common: EventContext
  private let fitsFirst: Bool

  /// An encoder with the given limits, for events that are sent with a common context.
  ///
  /// Without one, an event's context is written whole.
  package init(limits: EventLimits = EventLimits(), common: EventContext = EventContext()) {
    self.limits = limits
    self.common = common
    fitsFirst = !limits.areCheckedWhileEncoding
  }

  /// Writes one event at the end of `buffer`.
  ///
  /// Returns the reason if the whole event has to be dropped; the buffer then is as it was. What
  /// was cut or left out inside the event is added to `losses`.
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard fitsFirst else { return write(event, into: &buffer, losses: &losses) }
    var event = event
    var fitLosses = DropCounts()
    let reason =
      limits.fit(&event, losses: &fitLosses) ?? write(event, into: &buffer, losses: &fitLosses)
    if reason == nil { losses.add(fitLosses) }
    return reason
  }

  private func write(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    let start = buffer.count
    guard !event.name.text.isEmpty, limits.allowsIdentifiers(of: event) else { return .invalid }

    buffer.append("{")
    if let deviceID = event.deviceID {
      buffer.append("\"device_id\":")
      buffer.append(quoted: deviceID)
      buffer.append(UInt8(ascii: ","))
    }
    if let userID = event.userID {
      buffer.append("\"user_id\":")
      buffer.append(quoted: userID)
      buffer.append(UInt8(ascii: ","))
    }
    switch event.sessionID {
    case .some(.outside), nil: break
    case .number(let number):
      buffer.append("\"session_id\":")
      buffer.append(number)
      buffer.append(UInt8(ascii: ","))
    case .text(let text):
      buffer.append("\"session_id\":")
      buffer.append(quoted: text)
      buffer.append(UInt8(ascii: ","))
    }
    if event.isTest { buffer.append("\"test\":true,") }
    switch event.identifier {
    case .own(let id):
      buffer.append("\"id\":")
      buffer.append(quoted: id)
    case .made(let id):
      buffer.append("\"id\":\"")
      buffer.append(id)
      buffer.append(UInt8(ascii: "\""))
    }
    buffer.append(",\"seq\":")
    buffer.append(event.sequence)
    buffer.append(",\"ts\":")
    buffer.append(event.milliseconds)
    buffer.append(",\"name\":")
    encodeName(event.name.text, into: &buffer, losses: &losses)
    let isWithin = encodeContents(of: event, into: &buffer, losses: &losses)
    buffer.append(UInt8(ascii: "}"))

    guard isWithin, buffer.count - start <= limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    return nil
  }

  private func encodeName(
    _ name: String,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) {
    // Every scalar has at least one byte, so only a long text needs counting.
    guard !limits.name.allows(name) else {
      buffer.append(quoted: name)
      return
    }
    buffer.append(quoted: limits.name.prefix(of: name))
    losses.count(.nameCut)
  }

  /// Returns whether the properties are within their bytes.
  private func encodeContents(
    of event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> Bool {
    var isWithin = true
    var values = ValueEncoder(limits: limits)
    if !event.properties.isEmpty {
      buffer.append(",\"props\":")
      let start = buffer.count
      values.encode(event.properties, depth: 1, into: &buffer)
      isWithin = buffer.count - start <= limits.propertiesBytes
    }
    if !event.groups.isEmpty {
      buffer.append(",\"groups\":")
      values.encode(groups: event.groups, into: &buffer)
    }
    if let operations = event.userOperations {
      buffer.append(",\"ops\":")
      values.encode(operations, into: &buffer)
    }
    if let operations = event.groupOperations {
      buffer.append(",\"group_ops\":")
      values.encode(operations, into: &buffer)
    }
    if !values.losses.isEmpty { losses.add(values.losses) }
    if event.context != common { encode(event.context, into: &buffer, losses: &losses) }
    return isWithin
  }

  /// Writes the fields that are not as in the common context, in the order of their names; null
  /// takes back what that says.
  private func encode(
    _ context: EventContext,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) {
    var differing: [(String, PropertyValue)] = []
    for (field, value) in context.values where field != .extra && common[field] != value {
      differing.append((field.rawValue, value))
    }
    for field in common.values.keys where context[field] == nil {
      differing.append((field.rawValue, .null))
    }
    guard !differing.isEmpty else { return }
    differing.sort { $0.0 < $1.0 }
    buffer.append(",\"context\":")
    var values = ValueEncoder(limits: limits)
    values.encode(Properties(pairs: differing), depth: 1, into: &buffer)
    losses.add(values.losses)
  }
}
