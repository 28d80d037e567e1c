internal import FootfallSystem

/// A few threads for handlers that may wait for a disk or a database, with a bounded queue.
final class HandlerPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let state = Monitor(State())
  private let maxQueued: Int
  private let threads = Lock([SystemThread]())

  /// A pool without threads: nothing runs before `start`.
  init(maxQueued: Int) { self.maxQueued = maxQueued }

  /// Starts the threads.
  func start(threads count: Int) throws(SystemError) {
    let state = state
    for index in 0..<max(1, count) {
      let thread = try SystemThread(name: "ff-handler-\(index)") {
        while let job = Self.next(state) { job() }
      }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Queues a job; false if too many wait already.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      guard !state.isStopped, state.jobs.count < maxQueued else { return false }
      state.jobs.append(job)
      return true
    }
  }

  /// Lets what is queued finish and ends the threads.
  func stop() {
    state.change { $0.isStopped = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  private static func next(_ state: Monitor<State>) -> (@Sendable () -> Void)? {
    state.wait { state -> (@Sendable () -> Void)?? in
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      return state.isStopped ? .some(nil) : .none
    }
  }
}
