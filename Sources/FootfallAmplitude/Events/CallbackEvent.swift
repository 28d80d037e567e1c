import FootfallCore

/// An event whose callback is to be told how it ended.
struct CallbackEvent: @unchecked Sendable {
  // Sendable: the copy is nobody else's until the callback gets it.
  private let event: BaseEvent
  private let callback: EventCallback

  /// Remembers the event as it is now.
  init(_ event: BaseEvent, _ callback: @escaping EventCallback) {
    self.event = event.copy()
    self.callback = callback
  }

  /// Tells the callback, if a server judged the event.
  func tell(_ result: EventResult) {
    guard let told = AmplitudeResult(result.outcome) else { return }
    event.insertId = result.id
    callback(event, told.status, told.message)
  }
}
