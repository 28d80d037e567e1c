import FootfallCore
import FootfallOutbox

/// What becomes of the events, for those who want to know; costs nothing while nobody does.
extension Destination {
  /// Whether events are to be told one by one when they end here.
  var reportsEnds: Bool { (isMain && reporter.wantsResults) || reporter.wantsSteps }

  /// An event ended before it was stored.
  func end(_ event: Event, _ reason: DropReason) {
    guard reportsEnds || event.onResult != nil else { return }
    end(event.id, event.name, .dropped(reason, status: nil, message: ""), event.onResult)
  }

  /// Events ended of which only their stored bytes are left.
  func end(_ events: some Sequence<ArraySlice<UInt8>>, _ outcome: EventResult.Outcome) {
    guard reportsEnds else { return }
    for event in events {
      guard let (id, name) = settings.codec.identity(of: event) else { continue }
      end(id, EventName(name), outcome, stored: event)
    }
  }

  func end(
    _ id: String,
    _ name: EventName,
    _ outcome: EventResult.Outcome,
    _ onResult: (@Sendable (EventResult) -> Void)? = nil,
    stored: ArraySlice<UInt8>? = nil
  ) {
    if isMain {
      let result = EventResult(id: id, name: name, outcome: outcome)
      reporter.end(result, onResult, stored: stored)
    }
    guard reporter.wantsSteps else { return }
    let place = settings.name
    switch outcome {
    case .delivered:
      reporter.tell(DeliveryStep(.delivered, id: id, name: name, destination: place))
    case .dropped(let reason, _, _):
      reporter.tell(
        DeliveryStep(.dropped, id: id, name: name, destination: place, reason: reason)
      )
    }
  }

  /// Tells a step of events of which there are the stored bytes.
  func trace(
    _ kind: DeliveryStep.Kind,
    _ events: @autoclosure () -> [ArraySlice<UInt8>],
    number: UInt64? = nil
  ) {
    guard reporter.wantsSteps else { return }
    for event in events() {
      guard let (id, name) = settings.codec.identity(of: event) else { continue }
      reporter.tell(
        DeliveryStep(
          kind,
          id: id,
          name: EventName(name),
          destination: settings.name,
          number: number
        )
      )
    }
  }

  /// Remembers and tells which events are in the batches with numbers above `newest`.
  func traceSealed(after newest: UInt64) {
    guard reportsEnds, let outbox else { return }
    eventsOfBatch = eventsOfBatch.filter { number, _ in
      outbox.batches.contains { $0.number == number }
    }
    for batch in outbox.batches where batch.number > newest {
      do throws(OutboxError) {
        let events = try outbox.read(batch).split
        trace(.sealed, events, number: batch.number)
        eventsOfBatch[batch.number] = events.compactMap { event in
          settings.codec.identity(of: event).map { ($0, EventName($1)) }
        }
      } catch {
        // It is found out, counted and logged when the batch is to be sent.
      }
    }
  }
}
