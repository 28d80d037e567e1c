import FootfallCore

/// Writes an event as one of the events of a batch.
///
/// Stored with its id and name in front, since the id is its key there. Source: `aws.md` sections
/// 1.2 and 3.1.
struct PinpointEventEncoder {
  let codec: PinpointCodec

  /// Writes the event at the end of `buffer`, or says why it cannot be sent.
  ///
  /// Changes to people and groups have no place in this protocol.
  func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard event.deviceID != nil, event.userOperations == nil, event.groupOperations == nil else {
      return .invalid
    }
    var event = event
    var found = DropCounts()
    if let reason = codec.limits.fit(&event.name, losses: &found) { return reason }
    var values = PinpointValues(event.properties)
    if let reason = values.fit(codec.limits, losses: &found) { return reason }
    let start = buffer.count
    write(event, values, into: &buffer)
    guard buffer.count - start <= codec.limits.eventBytes else {
      buffer.truncate(to: start)
      return .tooLarge
    }
    losses.add(found)
    return nil
  }

  private func write(_ event: Event, _ values: PinpointValues, into buffer: inout JSONBuffer) {
    buffer.append("{\"id\":")
    buffer.append(quoted: event.id)
    buffer.append(",\"name\":")
    buffer.append(quoted: event.name.text)
    buffer.append(",\"event\":{\"EventType\":")
    buffer.append(quoted: event.name.text)
    buffer.append(",\"Timestamp\":")
    buffer.append(quoted: Timestamp.rfc3339(milliseconds: event.milliseconds))
    writeApp(event.context, into: &buffer)
    write(values, into: &buffer)
    writeSession(of: event, into: &buffer)
    buffer.append("}}")
  }

  private func writeApp(_ context: EventContext, into buffer: inout JSONBuffer) {
    append(",\"AppPackageName\":", codec.packageName, into: &buffer)
    append(",\"AppTitle\":", codec.title, into: &buffer)
    append(",\"AppVersionCode\":", context.text(.appVersion), into: &buffer)
    let library = context.text(.library)?.split(separator: "/", maxSplits: 1).map(String.init)
    append(",\"SdkName\":", library?.first, into: &buffer)
    append(",\"ClientSdkVersion\":", library?.dropFirst().first, into: &buffer)
  }

  /// A service refused an empty version.
  private func append(_ key: StaticString, _ value: String?, into buffer: inout JSONBuffer) {
    guard let value, !value.isEmpty else { return }
    buffer.append(key)
    buffer.append(quoted: value)
  }

  private func write(_ values: PinpointValues, into buffer: inout JSONBuffer) {
    if !values.attributes.isEmpty {
      buffer.append(",\"Attributes\":")
      buffer.append(values.attributes)
    }
    if !values.metrics.isEmpty {
      buffer.append(",\"Metrics\":")
      buffer.append(values.metrics)
    }
  }

  private func writeSession(of event: Event, into buffer: inout JSONBuffer) {
    guard let session = event.sessionID else { return }
    // Only a session of the app's own choice has no times; the service wants a start.
    let times = event.sessionTimes ?? SessionTimes(startMilliseconds: event.milliseconds)
    buffer.append(",\"Session\":{\"Id\":")
    switch session {
    case .number(let number): buffer.append(quoted: String(number))
    case .text(let text): buffer.append(quoted: text)
    }
    buffer.append(",\"StartTimestamp\":")
    buffer.append(quoted: Timestamp.rfc3339(milliseconds: times.startMilliseconds))
    if let end = times.endMilliseconds, let duration = times.durationMilliseconds {
      buffer.append(",\"StopTimestamp\":")
      buffer.append(quoted: Timestamp.rfc3339(milliseconds: end))
      buffer.append(",\"Duration\":")
      buffer.append(duration)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// The id in quotes and the event's object of a stored event; a quote in a text is escaped, so the
  /// marks cannot be part of one.
  static func parts(
    of stored: ArraySlice<UInt8>
  ) -> (id: ArraySlice<UInt8>, event: ArraySlice<UInt8>)? {
    guard let name = find(",\"name\":", in: stored), let event = find(",\"event\":", in: stored)
    else {
      return nil
    }
    return (
      stored[stored.startIndex + 6..<name.lowerBound], stored[event.upperBound...].dropLast()
    )
  }

  static func find(_ mark: StaticString, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    mark.withUTF8Buffer { mark in
      var position = bytes.startIndex
      while let start = bytes[position...].firstIndex(of: mark[0]) {
        if bytes[start...].starts(with: mark) { return start..<start + mark.count }
        position = start + 1
      }
      return nil
    }
  }
}

extension EventContext {
  fileprivate func text(_ field: ContextField) -> String? {
    if case .string(let text)? = self[field] { text } else { nil }
  }
}
