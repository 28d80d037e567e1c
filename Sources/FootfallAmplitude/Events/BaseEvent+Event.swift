import FootfallCore

extension BaseEvent {
  /// The event as a JSON object, as it is sent; empty if it cannot be sent.
  public func toString() -> String {
    let empty = Event(EventName(eventType), identifier: .own(insertId ?? ""), milliseconds: 0)
    var buffer = JSONBuffer(capacity: 512)
    var losses = DropCounts()
    let event = applied(to: empty, isOther: true)
    guard
      AmplitudeEventEncoder(limits: .amplitude).encode(event, into: &buffer, losses: &losses) == nil
    else { return "" }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// An event as plugins and callbacks see it.
  static func make(_ event: Event) -> BaseEvent {
    let made = make(event.name.text)
    made.insertId = event.id
    made.timestamp = event.milliseconds
    made.eventId = event.eventNumber
    made.sessionId = event.sessionNumber
    made.userId = event.userID
    made.deviceId = event.deviceID
    made.read(event.context)
    if !event.properties.isEmpty { made.eventProperties = event.properties.untyped }
    made.userProperties = event.userOperations?.untyped
    made.groupProperties = event.groupOperations?.untyped
    if !event.groups.isEmpty { made.groups = event.groups.untyped }
    made.changed = []
    return made
  }

  /// The engine's event with what a plugin changed on this one, which was made of it.
  ///
  /// `isOther` for an object that the plugin made itself, of which everything counts.
  func applied(to event: Event, isOther: Bool) -> Event {
    var event = event
    event.name = EventName(eventType)
    if let insertId, insertId != event.id { event.identifier = .own(insertId) }
    if let timestamp { event.milliseconds = timestamp }
    let number = event.eventNumber
    event.userID = userId
    event.deviceID = deviceId
    if let sessionId { event.sessionID = sessionId == -1 ? nil : .number(sessionId) }
    event.context = event.context.rewritten(by: self)
    // The client's own count is not the app's.
    if eventId == number, number == event.sequence { event.context[.eventNumber] = nil }
    if let callback { event.onResult = told(callback, beside: event.onResult) }
    apply(isOther ? Set(Part.allCases) : changed, to: &event)
    return event
  }

  /// Tells a callback that a plugin put on the event, after whoever is told already.
  private func told(
    _ callback: @escaping EventCallback,
    beside other: (@Sendable (EventResult) -> Void)?
  ) -> @Sendable (EventResult) -> Void {
    let told = CallbackEvent(self, callback)
    return { result in
      other?(result)
      told.tell(result)
    }
  }

  private func apply(_ parts: Set<Part>, to event: inout Event) {
    if parts.contains(.eventProperties) {
      event.properties = Properties(untyped: eventProperties ?? [:])
    }
    if parts.contains(.userProperties) {
      event.userOperations = userProperties.map { .init(asWritten: Properties(untyped: $0)) }
    }
    if parts.contains(.groups) { event.groups = .init(untyped: groups ?? [:]) }
    if parts.contains(.groupProperties) {
      event.groupOperations = groupProperties.map { .init(asWritten: Properties(untyped: $0)) }
    }
  }

  /// A copy that nobody else changes, of the class it has in the document.
  func copy() -> BaseEvent {
    let copy = BaseEvent.make(eventType)
    copy.mergeEventOptions(eventOptions: self)
    copy.eventProperties = eventProperties
    copy.userProperties = userProperties
    copy.groups = groups
    copy.groupProperties = groupProperties
    return copy
  }
}

extension Event {
  /// Its number as it is sent.
  fileprivate var eventNumber: Int64 {
    if case .integer(let own) = context[.eventNumber] { own } else { sequence }
  }

  /// Its session as a number; -1 outside of any.
  fileprivate var sessionNumber: Int64 {
    if case .number(let number) = sessionID { number } else { -1 }
  }
}
