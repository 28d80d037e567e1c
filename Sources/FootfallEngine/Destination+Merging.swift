import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// Identifies that only set properties wait for others like them; `IdentifyCoalescer` decides.
extension Destination {
  /// Takes an event: it is written with the next `commit`, or held back.
  func receive(_ event: Event) {
    guard settings.codec.takes(event) else { return }
    guard settings.mergesIdentifies, settings.keeper == nil else { return queue(event) }
    let kind = event.identifyKind
    var bytes = 0
    switch kind {
    case .ordinary, .group:
      guard held.count > 0 else { return queue(event) }
    case .setsOnly, .clearsAll:
      // One that is dropped takes no other with it.
      guard let size = measure(event) else { return }
      bytes = size
    }
    let input = IdentifyCoalescer<Event>.Input.event(event, kind, of: event.owner, bytes: bytes)
    perform(held.coalescer.receive(input, at: now), because: event)
  }

  /// Queues what is held, if it is time to.
  func releaseDue() {
    if let due = held.coalescer.deadline, due <= now { release(.timePassed) }
  }

  /// Queues what is held.
  func releaseHeld() {
    if held.count > 0 { release(.flush) }
  }

  private func release(_ input: IdentifyCoalescer<Event>.Input) {
    perform(held.coalescer.receive(input, at: now), because: nil)
    commit()
  }

  /// The size of an event sent alone; nil if it is dropped.
  private func measure(_ event: Event) -> Int? {
    var losses = DropCounts()
    buffer.truncate()
    guard let reason = settings.codec.encode(event, into: &buffer, losses: &losses) else {
      return buffer.count
    }
    drop(event, reason, losses)
    return nil
  }

  /// Does what the rule says, the last of it because of `event` if there is one.
  func perform(
    _ effects: [IdentifyCoalescer<Event>.Effect],
    because event: Event?
  ) {
    for effect in effects {
      switch effect {
      case .hold(let new):
        if isMain, new.envelope.onResult != nil { reporter.expect(new.envelope) }
        held.unwritten.append(new.envelope)
      case .queue(let merged):
        held.leave()
        join(merged.others, to: merged.first.id)
        queue(merged.event)
      case .discard(let pointless):
        if !held.inStore.isEmpty { held.clearing = event }
        held.leave()
        join(pointless, to: event?.id ?? "")
      case .pass(let event): queue(event)
      }
    }
  }

  /// Events whose fate is that of another.
  private func join(_ events: [Event], to other: String) {
    counts.merged += events.count
    for event in events {
      if isMain { reporter.join(event.id, to: other) }
      guard reporter.wantsSteps else { continue }
      let place = settings.name
      reporter.tell(
        DeliveryStep(.merged, id: event.id, name: event.name, destination: place, other: other)
      )
    }
  }
}
