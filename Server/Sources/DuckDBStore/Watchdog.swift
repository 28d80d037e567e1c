import EventStore
import FootfallSystem

/// Stops statements that run too long or that nobody waits for any more; has a thread of its own.
final class Watchdog: Sendable {
  private struct Entry {
    let connection: Connection
    var deadline: MonotonicTime
    var reason: StoreError
    var isStopped = false
    /// Whether somebody still waits for the answer.
    var isWanted: (@Sendable () -> Bool)?

    mutating func stop(_ reason: StoreError) {
      self.reason = reason
      deadline = .now()
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var nextID: UInt64 = 0
    var stopsAll = false
    var isClosed = false
  }

  private let state = Monitor(State())

  /// - Throws: `.unavailable` when the system has no thread left.
  init() throws(StoreError) {
    do {
      _ = try SystemThread(name: "store-watchdog") { [state] in Self.watch(state) }
    } catch {
      throw .unavailable("the thread that limits queries did not start: \(error)")
    }
  }

  deinit {
    state.change { $0.isClosed = true }
  }

  /// Runs `body`, which uses the connection, and interrupts it when time is over.
  ///
  /// `body` is given whether it was stopped, for what it does beside the connection's statements.
  ///
  /// - Throws: `.timedOut` or `.cancelled` when it was stopped, else what `body` throws.
  func limit<Output>(
    _ connection: Connection,
    seconds: Double,
    cancellation: Cancellation?,
    _ body: (_ isStopped: () -> Bool) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let id = add(
      Entry(
        connection: connection,
        deadline: .now().advanced(bySeconds: seconds),
        reason: .timedOut(seconds: seconds),
        isWanted: cancellation?.isWanted
      )
    )
    defer {
      _ = cancellation?.whileRunning(nil)
      remove(id)
    }
    if let cancellation, !cancellation.whileRunning({ [state] in Self.cancel(id, in: state) }) {
      throw .cancelled
    }
    do {
      return try body { reasonOfStop(id) != nil }
    } catch {
      throw reasonOfStop(id) ?? error
    }
  }

  /// Why something was stopped; nil while it was not.
  private func reasonOfStop(_ id: UInt64) -> StoreError? {
    state.withLock { state in state.entries[id].flatMap { $0.isStopped ? $0.reason : nil } }
  }

  /// Stops all statements that run or are about to; they fail with `.closed`.
  func stopAll() {
    state.change { state in
      state.stopsAll = true
      for id in state.entries.keys { state.entries[id]?.stop(.closed) }
    }
  }

  private func add(_ entry: Entry) -> UInt64 {
    state.change { state in
      let id = state.nextID
      state.nextID += 1
      state.entries[id] = entry
      if state.stopsAll { state.entries[id]?.stop(.closed) }
      return id
    }
  }

  private func remove(_ id: UInt64) {
    state.change { _ = $0.entries.removeValue(forKey: id) }
  }

  private static func cancel(_ id: UInt64, in state: Monitor<State>) {
    state.change { state in
      state.entries[id]?.stop(.cancelled)
    }
  }

  private static func watch(_ state: Monitor<State>) {
    while true {
      let patience = state.withLock { state -> Double? in
        guard !state.isClosed else { return nil }
        let now = MonotonicTime.now()
        stopUnwanted(&state)
        interruptDue(&state, now: now)
        let nearest = state.entries.values.map(\.deadline).min()
        let patience = nearest.map { max(0, $0.seconds(since: now)) } ?? 3_600
        // How soon it is noticed that nobody waits any more.
        let isAsked = state.entries.values.contains { $0.isWanted != nil }
        return isAsked ? min(patience, 0.2) : patience
      }
      guard let patience else { return }
      let known = state.withLock { ($0.nextID, $0.entries.count) }
      _ = state.wait(timeoutSeconds: patience) { state -> Bool? in
        let due = state.entries.values.contains { $0.deadline <= .now() }
        return due || state.isClosed || (state.nextID, state.entries.count) != known ? true : nil
      }
    }
  }

  /// Under the lock, so that nothing is asked about a statement that is over.
  private static func stopUnwanted(_ state: inout State) {
    for (id, entry) in state.entries {
      guard let isWanted = entry.isWanted, !isWanted() else { continue }
      state.entries[id]?.isWanted = nil
      state.entries[id]?.stop(.cancelled)
    }
  }

  /// Under the lock, so that no interrupt reaches the statement after the one it is meant for.
  private static func interruptDue(_ state: inout State, now: MonotonicTime) {
    for (id, entry) in state.entries where entry.deadline <= now {
      entry.connection.interrupt()
      state.entries[id]?.isStopped = true
      // An interrupt that comes before the statement runs is forgotten, so it is repeated.
      state.entries[id]?.deadline = now.advanced(bySeconds: 0.02)
    }
  }
}
