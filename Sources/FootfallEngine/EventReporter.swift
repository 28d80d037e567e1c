import FootfallCore

/// Tells what becomes of events: to the callback an event brought, and to those who listen to all.
///
/// What ended is told by `tell()`, once the step that ended it is done: a callback then finds the
/// event's file gone (`amplitude.md`, D25). Callbacks live in memory, for this run only. Belongs to
/// the engine's thread.
final class EventReporter {
  private struct Expected {
    let name: EventName
    var callbacks: [@Sendable (EventResult) -> Void]
  }

  private struct Ended {
    let result: EventResult
    let stored: ArraySlice<UInt8>?
    let callbacks: [@Sendable (EventResult) -> Void]
  }

  private let listeners: Listeners
  private var audience = Listeners.Audience()
  private var expected: [String: Expected] = [:]
  private var ended: [Ended] = []

  init(_ listeners: Listeners) {
    self.listeners = listeners
  }

  /// Looks who listens.
  func refresh() {
    audience = listeners.audience
  }

  /// Whether anyone wants to know how events end.
  var wantsResults: Bool { !expected.isEmpty || !audience.results.isEmpty }

  /// Whether anyone listens to all events.
  var hasListeners: Bool { !audience.results.isEmpty || wantsSteps }

  /// Whether anyone wants to know every step.
  var wantsSteps: Bool { !audience.steps.isEmpty }

  /// Remembers the callback of an event that is on its way; the event has one.
  func expect(_ event: Event) {
    guard let callback = event.onResult else { return }
    expected[event.id, default: Expected(name: event.name, callbacks: [])].callbacks
      .append(callback)
  }

  /// An identify became part of another: what becomes of that one is told to both.
  func join(_ id: String, to first: String) {
    guard let joined = expected.removeValue(forKey: id) else { return }
    expected[first, default: Expected(name: joined.name, callbacks: [])].callbacks +=
      joined.callbacks
  }

  /// An event ended, with its own callback or those remembered for it, and as it was stored.
  func end(
    _ result: EventResult,
    _ onResult: (@Sendable (EventResult) -> Void)? = nil,
    stored: ArraySlice<UInt8>? = nil
  ) {
    guard wantsResults || onResult != nil else { return }
    let callbacks = onResult.map { [$0] } ?? expected.removeValue(forKey: result.id)?.callbacks
    ended.append(Ended(result: result, stored: stored, callbacks: callbacks ?? []))
  }

  /// Every event whose callback is remembered ended.
  func endAll(_ reason: DropReason, _ message: String = "") {
    for (id, event) in expected {
      let outcome = EventResult.Outcome.dropped(reason, status: nil, message: message)
      let result = EventResult(id: id, name: event.name, outcome: outcome)
      ended.append(Ended(result: result, stored: nil, callbacks: event.callbacks))
    }
    expected = [:]
  }

  /// Tells of a step; only if `wantsSteps`.
  func tell(_ step: DeliveryStep) {
    for listener in audience.steps { listener(step) }
  }

  /// Tells of everything that ended since the last time.
  func tell() {
    while !ended.isEmpty {
      let ended = ended
      self.ended = []
      for event in ended {
        for callback in event.callbacks { callback(event.result) }
        for listener in audience.results { listener(event.result, event.stored) }
      }
    }
  }
}
