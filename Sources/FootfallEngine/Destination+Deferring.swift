import FootfallCore
import FootfallOutbox

/// What waits in memory, for destinations that write at most so often.
struct DeferredWrite {
  /// What the client has to remember with the events.
  private var note: [UInt8]?
  private var isOneStep = false
  /// How much of the group was told to the policy.
  private(set) var told = (events: 0, bytes: 0)
  /// When events were last written, in seconds.
  private var writtenAt = -Double.infinity
  /// When they are written at the latest; nil while none wait.
  private(set) var deadline: Double?

  /// Whether something received now may wait, if so often is written at most.
  func mayWait(at now: Double, seconds: Double) -> Bool { now < writtenAt + seconds }

  mutating func wait(_ note: [UInt8]?, isOneStep: Bool, seconds: Double) {
    self.note = note ?? self.note
    self.isOneStep = self.isOneStep || isOneStep
    deadline = writtenAt + seconds
  }

  mutating func tell(events: Int, bytes: Int) {
    told = (told.events + events, told.bytes + bytes)
  }

  /// What goes along with a group that is written now.
  mutating func take(
    at now: Double
  ) -> (note: [UInt8]?, isOneStep: Bool, told: (events: Int, bytes: Int)) {
    let taken = (note, isOneStep, told)
    self = DeferredWrite()
    writtenAt = now
    return taken
  }
}

extension Destination {
  /// Lets what was received wait for more, if the settings want that and it may; whether it does.
  func defersWriting(_ note: [UInt8]?, isOneStep: Bool) -> Bool {
    let seconds = settings.writeSeconds
    guard seconds > 0, outbox != nil, !group.isEmpty || isNewestChanged,
      deferred.mayWait(at: now, seconds: seconds), keptEvents <= settings.outbox.keptEvents
    else { return false }
    deferred.wait(note, isOneStep: isOneStep, seconds: seconds)
    let new = group.dropFirst(deferred.told.events)
    let (events, bytes) = (new.count, new.reduce(0) { $0 + $1.count })
    deferred.tell(events: events, bytes: bytes)
    for effect in flushPolicy.receive(.stored(events: events, bytes: bytes), at: now) {
      perform(effect)
    }
    return true
  }

  /// Writes what waits.
  func writeDeferred() {
    guard deferred.deadline != nil else { return }
    commitNewest()
    // Without an event, what is to be remembered goes into the client's state.
    if group.isEmpty { _ = deferred.take(at: now) } else { write(note: nil, isOneStep: false) }
  }

  /// Forgets what waits; says how much that was to whoever wants to know.
  func dropDeferred() {
    guard !group.isEmpty else { return }
    for event in group where reporter.hasListeners {
      guard let (id, name) = settings.codec.identity(of: event[...]) else { continue }
      deleted.append((id, EventName(name)))
    }
    group = []
    _ = deferred.take(at: now)
  }
}
