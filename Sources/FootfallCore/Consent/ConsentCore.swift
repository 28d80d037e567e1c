/// Decides what is collected, sent and deleted as the user's choice changes.
///
/// The choice is not stored; the app makes it at every launch, and without one collection is on.
/// Times are seconds on a clock that only goes forward. Source: `simpledatalogs.md` section 8.
package struct ConsentCore: Sendable {
  /// What becomes of events stored before collection was switched off.
  package enum Rule: Sendable, Equatable {
    /// They are deleted, and nothing leaves the device any more.
    case deletesStored
    /// They are still sent; only new ones are not taken. Source: `amplitude.md`, P10.
    case sendsStored
  }

  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The client starts; choices may have been made before.
    case start
    /// The app switches collection on or off.
    case setEnabled(Bool)
    /// The app wants one last send, at most so many seconds long, and then collection off.
    case flushAndDisable(limitSeconds: Double)
    /// The last send with this number ended, whatever came of it.
    case lastSendEnded(Int)
    /// Time went by: `deadline` is due.
    case timePassed
  }

  /// What is to be done, in the order given.
  package enum Effect: Sendable, Equatable {
    /// From here on take new events, or ignore them. Sessions are told likewise.
    case collect(Bool)
    /// Cut the request in flight and ignore its answer.
    case cancelSending
    /// Delete every unsent event, in memory and on disk, and a saved crash.
    case discard
    /// Send everything once more, whatever wait or pause is pending, and tell when that is over.
    case sendLast(Int)
    /// Return to everyone who called `flushAndDisable`.
    case finishDisable
  }

  private enum Choice: Equatable {
    case on
    case off
    /// One last send is on its way; `disables` until the app switches collection on again.
    case sendingLast(until: Double, disables: Bool)
  }

  private let rule: Rule
  private var choice = Choice.on
  private var hasStarted = false
  private var sends = 0

  /// How often everything was deleted.
  ///
  /// An event that was taken under an earlier number and is not stored yet must not be.
  package private(set) var discards: UInt64 = 0

  /// A core that collects.
  package init(rule: Rule = .deletesStored) {
    self.rule = rule
  }

  /// Whether new events are taken.
  package var isCollecting: Bool {
    switch choice {
    case .on, .sendingLast(_, disables: false): true
    case .off, .sendingLast(_, disables: true): false
    }
  }

  /// Whether anything may leave the device.
  package var maySend: Bool { hasStarted && (choice != .off || rule == .sendsStored) }

  /// When `timePassed` is due; nil while nothing waits for time.
  package var deadline: Double? {
    if case .sendingLast(let until, _) = choice { until } else { nil }
  }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .start:
      guard !hasStarted else { return [] }
      hasStarted = true
      return isCollecting ? [] : discard()
    case .setEnabled(true): return switchOn()
    case .setEnabled(false): return switchOff()
    case .flushAndDisable(let limit): return sendLast(for: limit, at: now)
    case .lastSendEnded(let number):
      guard number == sends, deadline != nil else { return [] }
      return endLastSend()
    case .timePassed:
      guard let deadline, deadline <= now else { return [] }
      return endLastSend(isTimeUp: true)
    }
  }

  private mutating func switchOn() -> [Effect] {
    guard !isCollecting else { return [] }
    // The last call wins: what was collected before still gets its last send.
    if case .sendingLast(let until, _) = choice {
      choice = .sendingLast(until: until, disables: false)
    } else {
      choice = .on
    }
    return [.collect(true)]
  }

  private mutating func switchOff() -> [Effect] {
    guard choice != .off else { return [] }
    let stop: [Effect] = isCollecting ? [.collect(false)] : []
    let finish: [Effect] = deadline == nil ? [] : [.finishDisable]
    choice = .off
    return stop + (hasStarted && rule == .deletesStored ? [.cancelSending] : []) + discard()
      + finish
  }

  private mutating func sendLast(for limit: Double, at now: Double) -> [Effect] {
    guard choice != .off else { return [.finishDisable] }
    guard hasStarted, limit > 0 else {
      let isWaiting = deadline != nil
      return switchOff() + (isWaiting ? [] : [.finishDisable])
    }
    let wasCollecting = isCollecting
    choice = .sendingLast(until: now + limit, disables: true)
    guard wasCollecting else { return [] }
    sends += 1
    return [.collect(false), .sendLast(sends)]
  }

  private mutating func endLastSend(isTimeUp: Bool = false) -> [Effect] {
    guard !isCollecting else {
      choice = .on
      return [.finishDisable]
    }
    choice = .off
    let cut: [Effect] = isTimeUp && rule == .deletesStored ? [.cancelSending] : []
    return cut + discard() + [.finishDisable]
  }

  private mutating func discard() -> [Effect] {
    guard rule == .deletesStored else { return [] }
    discards += 1
    return [.discard]
  }
}
