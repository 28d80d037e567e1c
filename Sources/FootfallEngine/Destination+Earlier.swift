import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// Takes over what another client left, before any event of this one.
extension Destination {
  /// Stores what lies in the places of all formats; what fails stays there for the next start.
  func takeOver(_ formats: [any EarlierFormat]) {
    // Another process of the app may be at it, which has the main folder.
    guard !formats.isEmpty, isCollecting, outbox?.folder == settings.folder else { return }
    let world = EarlierWorld(
      files: environment.files,
      log: environment.log,
      milliseconds: environment.clocks.moment.wallMilliseconds
    )
    for format in formats {
      for place in format.places(in: world) {
        do throws(EarlierFailure) { try takeOver(place) } catch {
          environment.log.error("\(place.name) was not taken over and is tried again: \(error)")
        }
      }
      format.finish(in: world)
    }
  }

  private func takeOver(_ place: any EarlierPlace) throws(EarlierFailure) {
    let found = try place.read()
    var losses = DropCounts()
    let events = encode(found.queued + merged(found.held), &losses)
    do throws(OutboxError) { try store(events, found.commonContent) } catch {
      throw EarlierFailure("\(error)")
    }
    losses.count(.damaged, found.damaged)
    count(losses)
    trace(.stored, events.map { $0[...] })
    environment.log.info("\(events.count) events were taken over from \(place.name).")
    for (reason, number) in losses.byReason {
      environment.log.warning("\(number) events of \(place.name) were dropped: \(reason).")
    }
    try place.remove()
  }

  /// In a batch of their own, as far as there is room for one.
  private func store(_ events: [[UInt8]], _ content: [UInt8]?) throws(OutboxError) {
    guard let outbox, !events.isEmpty else { return }
    outbox.commonContent = content ?? settings.codec.commonContent
    defer { outbox.commonContent = groupContent }
    try outbox.append(events)
    try outbox.sync()
    do throws(OutboxError) { try outbox.seal(includingRest: true) } catch {
      environment.log.debug("What was taken over is sealed later: \(error)")
    }
  }

  private func encode(_ events: [Event], _ losses: inout DropCounts) -> [[UInt8]] {
    events.compactMap { event in
      buffer.truncate()
      if let reason = settings.codec.encode(event, into: &buffer, losses: &losses) {
        losses.count(reason)
        return nil
      }
      return buffer.bytes
    }
  }

  private func merged(_ held: [Event]) -> [Event] {
    guard settings.mergesIdentifies else { return held }
    var merging = IdentifyCoalescer<Event>(at: now)
    var events: [Event] = []
    for event in held {
      let input = IdentifyCoalescer<Event>.Input.event(event, event.identifyKind, of: event.owner)
      events += released(merging.receive(input, at: now))
    }
    return events + released(merging.receive(.flush, at: now))
  }
}
