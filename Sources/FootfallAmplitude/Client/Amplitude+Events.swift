import Footfall
import FootfallCore

// What happened.
extension Amplitude {
  /// Says that something happened.
  ///
  /// - Parameters:
  ///   - event: What happened, with everything there is to say; read during the call.
  ///   - options: What this event says differently, over what it says itself; nothing unless given.
  ///   - callback: Hears what the server said of it, in the place of the event's own; nobody unless
  ///     given.
  /// - Returns: The client.
  @discardableResult public func track(
    event: BaseEvent,
    options: EventOptions? = nil,
    callback: EventCallback? = nil
  ) -> Amplitude {
    var said: EventOptions = event
    if let options {
      said = EventOptions()
      said.mergeEventOptions(eventOptions: event)
      said.mergeEventOptions(eventOptions: options)
    }
    send(
      Call(
        name: EventName(event.eventType),
        untyped: event.eventProperties,
        groups: event.groups.map { .init(untyped: $0) } ?? [:],
        operations: event.userProperties.map { .init(asWritten: Properties(untyped: $0)) },
        groupOperations: event.groupProperties.map { .init(asWritten: Properties(untyped: $0)) }
      ),
      said,
      callback ?? said.callback,
      of: event
    )
    return self
  }

  /// Says that something happened.
  ///
  /// - Parameters:
  ///   - eventType: What happened.
  ///   - eventProperties: What else there is to say; nothing unless given.
  ///   - options: What this event says differently; nothing unless given.
  /// - Returns: The client.
  @discardableResult public func track(
    eventType: String,
    eventProperties: [String: Any]? = nil,
    options: EventOptions? = nil
  ) -> Amplitude {
    let name = EventName(eventType)
    if let options {
      send(Call(name: name, untyped: eventProperties), options)
    } else if let eventProperties {
      client.track(name, unread: UntypedProperties(eventProperties))
    } else {
      client.track(name)
    }
    return self
  }

  /// The name of earlier versions for `track(event:)`.
  @available(*, deprecated, renamed: "track(event:)")
  @discardableResult public func logEvent(event: BaseEvent) -> Amplitude {
    track(event: event)
  }

  /// Says that money was earned, or with a negative price given back.
  ///
  /// Without a price nothing is tracked but a line in the log.
  ///
  /// - Parameters:
  ///   - revenue: What was bought, how often and for how much.
  ///   - options: What this event says differently; nothing unless given.
  /// - Returns: The client.
  @discardableResult public func revenue(
    revenue: Revenue,
    options: EventOptions? = nil
  ) -> Amplitude {
    guard let content = revenue.content.content else {
      client.refuse(.revenue, FootfallCore.Revenue.missingPrice)
      return self
    }
    send(Call(name: content.name, properties: content.properties), options)
    return self
  }

  /// Says that money was earned, by an event that was made by hand.
  @discardableResult public func revenue(event: RevenueEvent) -> Amplitude {
    track(event: event)
  }

  /// Does nothing: what it was is `revenue(revenue:options:)` now.
  @available(*, deprecated, message: "It has no effect; use revenue(revenue:).")
  @discardableResult public func logRevenue() -> Amplitude { self }
}

extension Amplitude: AnalyticsClient {
  /// Says that something happened; for plugins of several products.
  public func track(eventType: String, eventProperties: [String: Any]?) {
    track(eventType: eventType, eventProperties: eventProperties, options: nil)
  }
}

// MARK: - One way for all

extension Amplitude {
  /// What a call says, before its options.
  struct Call {
    var name: EventName
    var properties: Properties = [:]
    var untyped: [String: Any]?
    var groups: [String: [String]] = [:]
    var operations: IdentifyOperations?
    var groupOperations: IdentifyOperations?
  }

  /// Hands a call to the client.
  ///
  /// `event` is what a callback is told of; nil to make one of the call.
  func send(
    _ call: Call,
    _ options: EventOptions?,
    _ callback: EventCallback? = nil,
    of event: BaseEvent? = nil
  ) {
    var details = options?.details ?? FootfallCore.EventOptions()
    if !call.groups.isEmpty { details.groups = call.groups }
    var onResult: (@Sendable (EventResult) -> Void)?
    if let callback = callback ?? options?.callback {
      let told = CallbackEvent(event ?? self.event(of: call, options), callback)
      onResult = { result in told.tell(result) }
    }
    let said = EventDetails(
      options: details,
      operations: call.operations,
      groupOperations: call.groupOperations,
      onResult: onResult
    )
    if let untyped = call.untyped {
      client.track(call.name, unread: UntypedProperties(untyped), call.properties, said)
    } else {
      client.track(call.name, call.properties, said)
    }
  }

  /// The event that a call is about, for its callback.
  private func event(of call: Call, _ options: EventOptions?) -> BaseEvent {
    let event = BaseEvent.make(call.name.text)
    if let options { event.mergeEventOptions(eventOptions: options) }
    event.eventProperties =
      call.untyped ?? (call.properties.isEmpty ? nil : call.properties.untyped)
    event.userProperties = call.operations?.untyped
    event.groupProperties = call.groupOperations?.untyped
    if !call.groups.isEmpty { event.groups = call.groups.untyped }
    return event
  }
}
