import FootfallCore

/// Writes an event as one of the items of a batch.
///
/// Stored with the event's id and name in front, by which it is found again; those are not sent. In
/// their place the request puts the item's number. Source: `phase.md` sections 6.1 to 6.5.
struct PhaseItemEncoder {
  let codec: PhaseCodec

  /// Writes the item at the end of `buffer`, or says why it cannot be sent.
  func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    let start = buffer.count
    var found = DropCounts()
    if let reason = write(event, into: &buffer, losses: &found) {
      buffer.truncate(to: start)
      return reason
    }
    guard buffer.count - start <= codec.limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    losses.add(found)
    return nil
  }

  private func write(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard let deviceID = event.deviceID else { return .invalid }
    if let operations = event.userOperations {
      begin("device", event, into: &buffer)
      writeDevice(deviceID, operations, event.context, into: &buffer, losses: &losses)
      buffer.append("}}")
      return nil
    }
    guard let session = event.sessionID.map(Self.text), event.groupOperations == nil else {
      return .invalid
    }
    if event.name == codec.vocabulary.sessionStart {
      begin("session", event, into: &buffer)
      buffer.append("{\"sessionId\":")
      buffer.append(quoted: session)
      buffer.append(",\"deviceId\":")
      buffer.append(quoted: deviceID)
      buffer.append(",\"startedAt\":")
    } else if event.name == codec.heartbeat {
      begin("ping", event, into: &buffer)
      buffer.append("{\"sessionId\":")
      buffer.append(quoted: session)
      buffer.append(",\"timestamp\":")
    } else {
      return writeEvent(event, in: session, into: &buffer, losses: &losses)
    }
    buffer.append(quoted: Timestamp.rfc3339(milliseconds: event.milliseconds))
    buffer.append("}}")
    return nil
  }

  private func writeEvent(
    _ event: Event,
    in session: String,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    let screen = screenNamed(event)
    let isScreen = event.name == codec.vocabulary.screenView
    guard !isScreen || screen != nil else { return .invalid }
    var event = screen ?? event
    if let reason = codec.limits.fit(&event, losses: &losses) { return reason }
    begin("event", event, into: &buffer)
    buffer.append("{\"eventId\":")
    buffer.append(quoted: Self.eventID(event))
    buffer.append(",\"sessionId\":")
    buffer.append(quoted: session)
    buffer.append(",\"name\":")
    buffer.append(quoted: event.name.text)
    if !event.properties.isEmpty {
      buffer.append(",\"params\":")
      let start = buffer.count
      buffer.append(event.properties)
      guard buffer.count - start <= codec.limits.propertiesBytes else { return .tooLarge }
    }
    buffer.append(
      isScreen ? ",\"isScreen\":true,\"timestamp\":" : ",\"isScreen\":false,\"timestamp\":"
    )
    buffer.append(quoted: Timestamp.rfc3339(milliseconds: event.milliseconds))
    buffer.append("}}")
    return nil
  }

  /// A screen view under the name that it is sent by; nil for another event, and for one without a
  /// name.
  func screenNamed(_ event: Event) -> Event? {
    guard event.name == codec.vocabulary.screenView,
      case .string(let screen)? = event.properties[codec.vocabulary.screen]
    else { return nil }
    var named = event
    named.properties[codec.vocabulary.screen] = nil
    named.name = EventName(PhaseScreenName.wireName(screen))
    return named
  }

  private func begin(_ type: StaticString, _ event: Event, into buffer: inout JSONBuffer) {
    buffer.append("{\"id\":")
    buffer.append(quoted: event.id)
    buffer.append(",\"name\":")
    buffer.append(quoted: event.name.text)
    buffer.append(",\"type\":\"")
    buffer.append(type)
    buffer.append("\",\"payload\":")
  }

  // MARK: Devices

  private func writeDevice(
    _ id: String,
    _ operations: IdentifyOperations,
    _ context: EventContext,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) {
    buffer.append("{\"deviceId\":")
    buffer.append(quoted: id)
    if codec.sendsDeviceInfo {
      append(",\"osVersion\":", context.text(.osVersion)?.prefixText(64), into: &buffer)
      append(",\"platform\":", context.text(.platform).map(platform), into: &buffer)
      append(",\"model\":", context.text(.model)?.prefixText(128), into: &buffer)
    }
    if codec.sendsLocale {
      append(",\"locale\":", context.text(.locale).map(Self.locale), into: &buffer)
    }
    let properties = deviceProperties(operations, context, losses: &losses)
    if !properties.isEmpty {
      buffer.append(",\"properties\":")
      buffer.append(properties)
    }
    buffer.append(
      codec.sendsLocale ? ",\"disableGeolocation\":false" : ",\"disableGeolocation\":true"
    )
  }

  /// What the app sets, and the app's version unless it sets that itself.
  private func deviceProperties(
    _ operations: IdentifyOperations,
    _ context: EventContext,
    losses: inout DropCounts
  ) -> Properties {
    var properties = Self.setProperties(of: operations)
    // Bad ones are left out, whatever it is about them, so that the device is still known.
    _ = EventLimits.phaseDevice.fit(&properties, losses: &losses)
    if codec.sendsDeviceInfo, properties["app_version"] == nil, let version = context[.appVersion] {
      properties["app_version"] = version
    }
    return properties
  }

  /// What an identify sets; other changes have no place in this protocol.
  static func setProperties(of operations: IdentifyOperations) -> Properties {
    if case .setsOnly(let set) = IdentifyKind(operations) { set } else { [:] }
  }

  private func append(_ key: StaticString, _ value: String?, into buffer: inout JSONBuffer) {
    guard let value else { return }
    buffer.append(key)
    buffer.append(quoted: value)
  }

  /// Phase's own server takes only two systems by name.
  ///
  /// Source: `phase.md` section 5.9.
  private func platform(_ family: String) -> String {
    let name = family == "iPadOS" ? "ios" : family.lowercased()
    return codec.isStockServer && name != "ios" && name != "android" ? "unknown" : name
  }

  /// A locale as language, script and region, in the 10 characters that the server takes.
  ///
  /// Source: `phase.md` section 3.2.
  static func locale(_ identifier: String) -> String {
    let plain = identifier.prefix { $0 != "@" && $0 != "." }
    return String(String(plain).split { $0 == "_" || $0 == "-" }.joined(separator: "-").prefix(10))
  }

  // MARK: Ids

  /// A ULID of the same 128 bits as the event's id, whose first 48 are the time of the call.
  static func eventID(_ event: Event) -> String {
    switch event.identifier {
    case .made(let id): ULID.text(high: id.high, low: id.low)
    case .own(let id): id
    }
  }

  static func text(_ session: SessionID) -> String {
    switch session {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  /// What of a stored item is sent, from its type on.
  static func item(of stored: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    tail(of: stored, from: ",\"type\":\"") ?? stored.prefix(0)
  }

  /// The session that a stored item belongs to; nil for a device.
  static func session(of stored: ArraySlice<UInt8>) -> String? {
    let (mark, item) = ("\"sessionId\":\"", item(of: stored))
    // In other items it stands before anything that the app can name.
    guard !item.starts(with: Array(",\"type\":\"device\"".utf8)),
      let tail = tail(of: item, from: mark)
    else { return nil }
    return String(decoding: tail.dropFirst(mark.utf8.count).prefix { $0 != 0x22 }, as: UTF8.self)
  }

  /// The bytes from a mark with a quote in it on; in a text a quote is escaped, so that the mark cannot
  /// be part of one.
  private static func tail(
    of stored: ArraySlice<UInt8>,
    from mark: String
  ) -> ArraySlice<UInt8>? {
    let mark = Array(mark.utf8)
    var position = stored.startIndex
    while let start = stored[position...].firstIndex(of: mark[0]) {
      if stored[start...].starts(with: mark) { return stored[start...] }
      position = start + 1
    }
    return nil
  }
}

extension EventContext {
  fileprivate func text(_ field: ContextField) -> String? {
    if case .string(let text)? = self[field] { text } else { nil }
  }
}

extension String {
  fileprivate func prefixText(_ length: Int) -> String { String(prefix(length)) }
}
