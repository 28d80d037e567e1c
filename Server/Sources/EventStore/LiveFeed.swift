import FootfallSystem

/// Hands newly stored events to the pages that are open right now.
///
/// Any thread. The publisher never waits for a subscriber: each has its own bounded buffer, and what
/// does not fit is counted as skipped, oldest first.
public final class LiveFeed: Sendable {
  private struct State {
    var subscriptions: [UInt64: Weak] = [:]
    var nextID: UInt64 = 0
  }

  // Safety: the reference is only read, under the feed's lock.
  private struct Weak: @unchecked Sendable {
    let project: UInt32
    weak var subscription: Subscription?
  }

  private let state = Lock(State())

  /// A feed without subscribers.
  public init() {}

  /// The projects somebody looks at; a publisher need not build events of other projects.
  public var watchedProjects: Set<UInt32> {
    state.withLock { Set($0.subscriptions.values.map(\.project)) }
  }

  /// Gives events, in the order they were stored, to the subscribers of their projects.
  public func publish(_ events: [StoredEvent]) {
    guard !events.isEmpty else { return }
    // Released after the lock: the last reference's deinit takes it again.
    let subscriptions = state.withLock { $0.subscriptions.values.compactMap(\.subscription) }
    for subscription in subscriptions {
      subscription.receive(events.filter { $0.project == subscription.project })
    }
  }

  /// Starts to collect a project's new events.
  ///
  /// - Parameters:
  ///   - project: the project's number.
  ///   - capacity: how many events are kept until `take`, at least 1.
  ///   - onWake: called on the publisher's thread when the buffer stops being empty, once until the
  ///     next `take`; must not block.
  /// - Returns: the subscription; it ends with `cancel` or when it is no longer held.
  public func subscribe(
    project: UInt32,
    capacity: Int = 500,
    onWake: @escaping @Sendable () -> Void
  ) -> Subscription {
    state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      let subscription = Subscription(
        project: project,
        capacity: max(1, capacity),
        onWake: onWake,
        onCancel: { [weak self] in self?.remove(id) }
      )
      state.subscriptions[id] = Weak(project: project, subscription: subscription)
      return subscription
    }
  }

  private func remove(_ id: UInt64) {
    state.withLock { _ = $0.subscriptions.removeValue(forKey: id) }
  }
}

/// One open page's share of a `LiveFeed`.
public final class Subscription: Sendable {
  private struct State {
    var events: [StoredEvent] = []
    var skipped = 0
    var isCancelled = false
  }

  /// The project whose events arrive here.
  public let project: UInt32
  private let capacity: Int
  private let onWake: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void
  private let state = Lock(State())

  init(
    project: UInt32,
    capacity: Int,
    onWake: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.project = project
    self.capacity = capacity
    self.onWake = onWake
    self.onCancel = onCancel
  }

  deinit { onCancel() }

  /// What arrived since the last call, oldest first, and how many events did not fit.
  public func take() -> (events: [StoredEvent], skipped: Int) {
    state.withLock { state in
      defer {
        state.events = []
        state.skipped = 0
      }
      return (state.events, state.skipped)
    }
  }

  /// Ends the subscription; nothing arrives after it returns.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.events = []
    }
    onCancel()
  }

  fileprivate func receive(_ events: [StoredEvent]) {
    guard !events.isEmpty else { return }
    let mustWake = state.withLock { state in
      guard !state.isCancelled else { return false }
      let wasEmpty = state.events.isEmpty
      state.events += events
      let excess = state.events.count - capacity
      if excess > 0 {
        state.events.removeFirst(excess)
        state.skipped += excess
      }
      return wasEmpty
    }
    if mustWake { onWake() }
  }
}
