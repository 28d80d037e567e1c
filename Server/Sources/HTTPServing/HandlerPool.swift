internal import Dispatch
internal import FootfallSystem

/// A few threads for handlers that may wait for a disk or a database, with a bounded queue.
///
/// A job wakes one thread: with as many requests as a collector gets, waking all of them for each would cost
/// more than most jobs do.
final class HandlerPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// Jobs before this one have been taken.
    var next = 0
    var isStopped = false

    var count: Int { jobs.count - next }

    mutating func take() -> (@Sendable () -> Void)? {
      guard next < jobs.count else { return nil }
      defer {
        next += 1
        if next == jobs.count {
          jobs.removeAll(keepingCapacity: true)
          next = 0
        }
      }
      return jobs[next]
    }
  }

  private let state = Lock(State())
  /// Counts the jobs that wait, and once it stops one more for each thread.
  private let waiting = DispatchSemaphore(value: 0)
  private let maxQueued: Int
  private let threads = Lock([SystemThread]())

  /// A pool without threads: nothing runs before `start`.
  init(maxQueued: Int) { self.maxQueued = maxQueued }

  /// Starts the threads.
  func start(threads count: Int) throws(SystemError) {
    let (state, waiting) = (state, waiting)
    for index in 0..<max(1, count) {
      let thread = try SystemThread(name: "ff-handler-\(index)") {
        while let job = Self.next(state, waiting) { job() }
      }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Queues a job; false if too many wait already.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.count < maxQueued else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { waiting.signal() }
    return isTaken
  }

  /// Lets what is queued finish and ends the threads.
  func stop() {
    state.withLock { $0.isStopped = true }
    let threads = threads.withLock { $0 }
    for _ in threads { waiting.signal() }
    for thread in threads { thread.join() }
  }

  /// The next job; nil once there is none any more.
  private static func next(
    _ state: Lock<State>,
    _ waiting: DispatchSemaphore
  ) -> (@Sendable () -> Void)? {
    waiting.wait()
    return state.withLock { $0.take() }
  }
}
