package import FootfallCore
package import FootfallPlatform
import FootfallSystem

// What callers say besides events; each takes its place among the tracked events.
extension Engine {
  /// Takes a change for everything tracked after this call; false if the client was shut down.
  @discardableResult
  package func change(_ change: PipelineInput.Change) -> Bool {
    board.say(change)
    return inbox.add(change, at: clocks.moment)
  }

  /// Takes a change of the groups a person is in, or of a group itself.
  package func track(_ change: GroupChange, _ options: EventOptions?) {
    var options = options ?? EventOptions()
    options.groups.merge(change.groups) { _, new in new }
    let isOfGroup = change.name == .groupIdentify
    let details = EventDetails(
      options: options,
      operations: isOfGroup ? nil : change.operations,
      groupOperations: isOfGroup ? change.operations : nil
    )
    track(change.name, [:], details)
  }

  // MARK: Whose the events are

  /// Changes whose the events are that are tracked after this call.
  package func setIdentity(_ input: IdentityCore.Input) {
    // Said first: the thread must not have heard of more than was said.
    board.say(input)
    change(.identity(input))
  }

  /// The signed-in user: what was set last, or else what the engine knows.
  package var userID: String? { board.userID }

  /// The device's id: what was set last, or else what the engine has read or made.
  package var deviceID: String? { board.deviceID }

  /// The device's id, waited for while a started engine has not yet read or made one.
  ///
  /// Any thread. For faces whose client knows its device as soon as there is one.
  package func deviceID(limitSeconds: Double) -> String? {
    let (waits, deadline) = (waits, waits.now + limitSeconds)
    let hasThread = started.withLock { $0?.thread != nil }
    while hasThread, !board.isShown, board.deviceID == nil, waits.now < deadline {
      let isRead = waits.begin()
      inbox.post(.write { waits.end(isRead) })
      guard waits.wait(for: isRead, until: deadline) else { break }
    }
    return board.deviceID
  }

  /// Goes on as a new device: the session ends, what was tracked before is sent once more, at most
  /// so long, and the rest of it is dropped; tells when that is over.
  ///
  /// Events tracked after this call are of the new device. `limitSeconds` is 0 or more.
  package func reset(limitSeconds: Double, _ done: @escaping @Sendable () -> Void) {
    change(.reset)
    inbox.post(.reset(limitSeconds: limitSeconds, done))
  }

  // MARK: Sessions

  /// The open session; nil until one is.
  package var sessionID: SessionID? { board.sessionID }

  /// Begins a session in the place of the open one; without a name, only if none is open.
  ///
  /// A number below 0 only ends the open one.
  package func startSession(_ id: SessionID?) {
    let now = clocks.moment
    let input: SessionCore.Input =
      switch id {
      case nil: .start(atMilliseconds: now.wallMilliseconds)
      case .number(let start)?: .replace(startMilliseconds: start, id: id)
      case .text?: .replace(startMilliseconds: now.wallMilliseconds, id: id)
      }
    inbox.add(.session(input), at: now)
  }

  // MARK: What the app chose

  /// Says this of the app on everything tracked after this call.
  package func setAppContext(_ context: EventContext) {
    change(.appContext(context))
  }

  /// Makes requests of the client's own destination by another codec from here on; what is stored keeps
  /// the form it has.
  package func setCodec(_ codec: @escaping @Sendable (Environment) -> any WireCodec) {
    inbox.post(.adopt(codec))
  }

  // MARK: Delivery

  /// Whether the app holds back sending: what was set last, or else what the engine does.
  package var isOffline: Bool { board.isOffline }

  /// Switches sending off or on; events are stored all the same.
  package func setOffline(_ isOffline: Bool) {
    board.say(isOffline: isOffline)
    inbox.post(.offline(isOffline))
  }

  /// How many events wait for the thread at most, from now on until it begins; 1 at least.
  package func limitWaiting(to events: Int) {
    inbox.limitWaiting(to: events)
  }

  /// Hands out the oldest events kept for the client's own server, at most so many, as its codec stored
  /// them; on the engine's thread.
  package func kept(atMost limit: Int, _ tell: @escaping @Sendable ([[UInt8]]) -> Void) {
    inbox.post(.kept(atMost: limit, tell))
  }

  /// Drops every event kept for the client's own server, counted as `DropReason.removed`.
  package func dropKept(_ done: @escaping @Sendable () -> Void) {
    inbox.post(.dropKept(done))
  }

  // MARK: Calls that say nothing

  /// Counts a call that would have tracked an event, had it said anything, and logs why it does not.
  package func refuse(_ name: EventName, _ message: String) {
    inbox.refuse(.invalid, name, now: clocks.moment, details: nil)
    inbox.note(message)
  }

  /// Logs what is wrong with a call, and counts a loss of less than an event if a reason is given.
  package func note(_ message: String, counting reason: DropReason? = nil) {
    inbox.note(message, counting: reason)
  }

  // MARK: Consent

  /// The longest last send, in seconds: a day.
  private static let longestLastSend = 86_400.0

  /// Takes no more events, sends what was tracked before once more, deletes the rest, and tells when
  /// that is over; once.
  ///
  /// `limitSeconds` is how long sending may take; what is no number counts as 0.
  package func flushAndDisable(limitSeconds: Double, _ done: @escaping @Sendable () -> Void) {
    let limit = limitSeconds.isNaN ? 0 : min(max(0, limitSeconds), Self.longestLastSend)
    guard isStarted else {
      // There is nothing to send with, and what waits was never stored.
      inbox.disable(at: clocks.moment) {}
      return done()
    }
    inbox.flushAndDisable(limitSeconds: limit, at: clocks.moment, done)
  }
}
