package import FootfallPlatform
import FootfallSystem

/// An end of the process that a test announces; the process goes on.
package final class ManualProcessEnd: ProcessEnd {
  private struct Entry {
    let ways: ProcessEndWays
    let body: @Sendable () -> Void
  }
  private struct State {
    var entries: [Int: Entry] = [:]
    var last = 0
  }
  private let state = Lock(State())

  /// A process that goes on.
  package init() {}

  /// How many closures wait for the end.
  package var registrations: Int { state.withLock { $0.entries.count } }

  /// Keeps a closure until the end is announced or the registration cancelled.
  package func register(
    for ways: ProcessEndWays,
    limitSeconds: Double,
    _ body: @escaping @Sendable () -> Void
  ) -> ProcessEndRegistration {
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(ways: ways, body: body)
      return state.last
    }
    return ProcessEndRegistration { [state] in state.withLock { $0.entries[number] = nil } }
  }

  /// Runs the closures that wait for one way, on the caller's thread, one after another.
  package func end(by way: ProcessEndWays = .exit) {
    let due = state.withLock { state in
      let due = state.entries.filter { $0.value.ways.contains(way) }
      due.keys.forEach { state.entries[$0] = nil }
      return due.sorted { $0.key < $1.key }
    }
    due.forEach { $0.value.body() }
  }
}
