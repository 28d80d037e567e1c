import FootfallJournal

extension Outbox {
  /// Removes the oldest events over the caps, never the batch with number `inFlight`.
  ///
  /// Whole batches first, then events that are in none yet. Returns the number of events that went,
  /// after telling `onDrop` the bytes of each that can be read.
  package func enforceCaps(
    sparing inFlight: UInt64?,
    onDrop: ((ArraySlice<UInt8>) -> Void)? = nil
  ) throws(OutboxError) -> Int {
    var excess = (
      events: keptEvents - limits.keptEvents,
      bytes: keptBytes - limits.keptBytes,
      batches: batches.count - limits.keptBatches
    )
    var gone: [BatchName] = []
    for batch in batches where excess.events > 0 || excess.bytes > 0 || excess.batches > 0 {
      guard batch.number != inFlight else { continue }
      gone.append(batch)
      excess.events -= batch.events
      excess.bytes -= batch.bytes
      excess.batches -= 1
    }
    if let onDrop { for batch in gone { tell(batch, to: onDrop) } }
    if !gone.isEmpty { try remove(gone) }
    let dropped = gone.reduce(0) { $0 + $1.events }
    guard excess.events > 0 || excess.bytes > 0, unsealedEvents > 0 else { return dropped }
    return dropped + (try dropUnsealed(events: excess.events, bytes: excess.bytes, onDrop))
  }

  /// Removes the oldest batches of earlier launches, whole, as long as newer ones reach the cap for
  /// that (`OutboxLimits.launchEvents`).
  ///
  /// To be called once, after opening. Returns and tells as `enforceCaps` does.
  package func enforceLaunchCap(
    onDrop: ((ArraySlice<UInt8>) -> Void)? = nil
  ) throws(OutboxError) -> Int {
    var kept = unsealedEvents
    var gone: [BatchName] = []
    for batch in batches.reversed() {
      if kept >= limits.launchEvents { gone.append(batch) } else { kept += batch.events }
    }
    guard !gone.isEmpty else { return 0 }
    gone.reverse()
    if let onDrop { for batch in gone { tell(batch, to: onDrop) } }
    try remove(gone)
    return gone.reduce(0) { $0 + $1.events }
  }

  /// Shows the oldest events kept, at most so many, as far as they can be read.
  package func eachKept(atMost limit: Int, _ body: (ArraySlice<UInt8>) -> Void) {
    var left = limit
    func show(_ event: ArraySlice<UInt8>) {
      guard left > 0 else { return }
      left -= 1
      body(event)
    }
    for batch in batches where left > 0 { tell(batch, to: show) }
    guard left > 0, unsealedEvents > 0 else { return }
    var reader = cursor
    var frameStart = cursor.readFrom
    do throws(JournalError) {
      _ = try journal.read(from: cursor.readFrom, upTo: journal.end) { frame, end in
        reader.pass(frame, from: frameStart, to: end) { event, _ in show(Array(event)[...]) }
        frameStart = end
      }
    } catch {
      // What cannot be read cannot be shown.
    }
  }

  private func tell(_ batch: BatchName, to onDrop: (ArraySlice<UInt8>) -> Void) {
    do throws(OutboxError) {
      for event in try read(batch).split { onDrop(event) }
    } catch {
      // It goes all the same, and its events are counted.
    }
  }

  /// Passes over the oldest events of the journal, at least so many and with so many bytes.
  private func dropUnsealed(
    events: Int,
    bytes: Int,
    _ onDrop: ((ArraySlice<UInt8>) -> Void)?
  ) throws(OutboxError) -> Int {
    var reader = cursor
    var kept = cursor
    var dropped = (events: 0, bytes: 0)
    var position = cursor.readFrom
    while dropped.events < events || dropped.bytes < bytes {
      var frameStart = position
      let read = try onJournal { () throws(JournalError) in
        try journal.read(from: position, maxBytes: 64 << 10) { frame, end in
          reader.pass(frame, from: frameStart, to: end) { event, next in
            guard dropped.events < events || dropped.bytes < bytes else { return }
            onDrop?(Array(event)[...])
            dropped.events += 1
            dropped.bytes += event.count
            kept = next
          }
          frameStart = end
        }
      }
      position = read.next
      guard read.reachedEnd else { continue }
      // Only what is durable has a place that stays.
      guard journal.durableEnd < journal.end else { break }
      try sync()
    }
    cursor = kept
    unsealedEvents -= min(unsealedEvents, dropped.events)
    unsealedBytes -= min(unsealedBytes, dropped.bytes)
    try writeMark()
    try tidy()
    return dropped.events
  }
}
