import FootfallCore

/// An event that ended before it came to any destination, if someone wants to know.
struct Refusal: Sendable {
  let result: EventResult
  let onResult: (@Sendable (EventResult) -> Void)?
}

extension Refusal {
  /// The end of an event for a reason of the client's own.
  init(_ event: StampedEvent, _ reason: DropReason) {
    let id = event.details?.options.id ?? event.id.description
    self.init(
      result: EventResult(
        id: id,
        name: event.name,
        outcome: .dropped(reason, status: nil, message: "")
      ),
      onResult: event.details?.onResult
    )
  }
}
