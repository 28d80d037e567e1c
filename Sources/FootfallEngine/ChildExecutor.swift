#if os(Linux)
import FootfallSystem

/// Runs the uploads of a forked child on a thread of its own.
///
/// The concurrency pool's threads stayed in the parent, and the pool would wait for them for good.
final class ChildExecutor: TaskExecutor {
  private let jobs = Monitor<[UnownedJob]>([])

  /// The executor of this process; nil where the pool works, and where there is no thread to be had.
  static var current: ChildExecutor? {
    let generation = ForkWatch.generation
    guard generation > 0 else { return nil }
    return known.withLock { known in
      if let known, known.generation == generation { return known.executor }
      // One of a parent process is left alone: its lock may be held for good.
      if let parents = known { _ = Unmanaged.passRetained(parents.executor) }
      known = nil
      let executor = ChildExecutor()
      do throws(SystemError) {
        _ = try SystemThread(atWork: "footfall-tasks") { executor.run() }
      } catch {
        return nil
      }
      known = (generation, executor)
      return executor
    }
  }

  private static let known = Lock<(generation: UInt32, executor: ChildExecutor)?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  private func run() {
    while true {
      let next = ForkGate.rest { jobs.wait { jobs in jobs.isEmpty ? nil : jobs.removeFirst() } }
      next.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
#endif
