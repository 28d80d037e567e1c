package import FootfallSystem
package import Foundation

/// A clock that stands still until a test moves it.
///
/// It gives both the wall time and the monotonic time, and wakes whoever sleeps by it. Any thread.
package final class ManualClock: Sendable {
  private struct Sleeper {
    let wakesAt: UInt64
    let wake: CheckedContinuation<Void, Never>
  }
  private struct Watcher {
    let count: Int
    let wake: CheckedContinuation<Void, Never>
  }
  private struct State {
    var now: Date
    var nanoseconds: UInt64 = 1_000_000_000
    var asleepNanoseconds: UInt64 = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
    var lastSleeper = 0
  }
  private let state: Lock<State>

  /// The moment tests begin at unless they say otherwise: 1 December 2025, 09:30:00.123 UTC.
  package static let start = Date(timeIntervalSince1970: 1_764_581_400.123)

  /// Makes a clock that shows `start`.
  package init(_ start: Date = ManualClock.start) { state = Lock(State(now: start)) }

  /// The wall time.
  package var now: Date { state.withLock { $0.now } }

  /// The monotonic time, which begins at one second.
  package var monotonic: MonotonicTime {
    MonotonicTime(nanoseconds: state.withLock { $0.nanoseconds })
  }

  /// The monotonic time without what was slept.
  package var awake: MonotonicTime {
    MonotonicTime(nanoseconds: state.withLock { $0.nanoseconds - $0.asleepNanoseconds })
  }

  /// Lets time pass while the machine sleeps: the awake clock stands still.
  package func sleepMachine(seconds: TimeInterval) {
    state.withLock { $0.asleepNanoseconds += UInt64(max(seconds, 0) * 1e9) }
    advance(bySeconds: seconds)
  }

  /// How many callers sleep by this clock.
  package var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Lets time pass: both clocks go forward, and sleepers whose time has come wake in its order.
  package func advance(bySeconds seconds: TimeInterval) {
    let due = state.withLock { state in
      state.now += seconds
      state.nanoseconds += UInt64(max(seconds, 0) * 1e9)
      let due = state.sleepers.filter { $0.value.wakesAt <= state.nanoseconds }
      due.keys.forEach { state.sleepers[$0] = nil }
      return due.values.sorted { $0.wakesAt < $1.wakesAt }
    }
    due.forEach { $0.wake.resume() }
  }

  /// Sets the wall clock as a user would, forward or back; the monotonic time stays.
  package func setWallClock(to date: Date) { state.withLock { $0.now = date } }

  /// Sleeps until the clock has been advanced far enough, or the task is cancelled.
  package func sleep(_ seconds: TimeInterval) async {
    let number = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { add($0, number: number, seconds: seconds) }
    } onCancel: {
      let sleeper = state.withLock { state in
        guard let sleeper = state.sleepers.removeValue(forKey: number) else {
          state.cancelled.insert(number)
          return nil as Sleeper?
        }
        return sleeper
      }
      sleeper?.wake.resume()
    }
  }

  private func add(
    _ wake: CheckedContinuation<Void, Never>,
    number: Int,
    seconds: TimeInterval
  ) {
    let awake = state.withLock { state in
      guard seconds > 0, state.cancelled.remove(number) == nil else { return [wake] }
      let wakesAt = state.nanoseconds + UInt64(min(seconds, 1e9) * 1e9)
      state.sleepers[number] = Sleeper(wakesAt: wakesAt, wake: wake)
      let satisfied = state.watchers.filter { $0.count <= state.sleepers.count }
      state.watchers.removeAll { $0.count <= state.sleepers.count }
      return satisfied.map(\.wake)
    }
    awake.forEach { $0.resume() }
  }

  /// Waits until at least `count` callers sleep by this clock, so that advancing it reaches them.
  package func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { wake in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append(Watcher(count: count, wake: wake))
        return false
      }
      if isThere { wake.resume() }
    }
  }
}
