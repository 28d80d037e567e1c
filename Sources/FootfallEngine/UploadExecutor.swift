#if os(Linux)
import FootfallSystem

/// Runs the uploads of all clients of the process on one thread, which only sleeps and hands on.
///
/// The concurrency pool of Linux wakes once a second for good from its first task on; a client that has
/// nothing to do is to leave the machine alone. And after a fork the pool would wait for threads that
/// stayed in the parent.
final class UploadExecutor: TaskExecutor {
  private let jobs = Monitor<[UnownedJob]>([])

  /// The executor of this process; nil where there is no thread to be had.
  static var current: UploadExecutor? {
    let generation = ForkWatch.generation
    return known.withLock { known in
      if let known, known.generation == generation { return known.executor }
      // One of a parent process is left alone: its lock may be held for good.
      if let parents = known { _ = Unmanaged.passRetained(parents.executor) }
      known = nil
      let executor = UploadExecutor()
      do throws(SystemError) {
        _ = try SystemThread(atWork: "footfall-tasks") { executor.run() }
      } catch {
        return nil
      }
      known = (generation, executor)
      return executor
    }
  }

  private static let known = Lock<(generation: UInt32, executor: UploadExecutor)?>(nil)

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

/// Begins a task whose jobs run beside the engine's thread, on Linux without the concurrency pool.
func beginUpload(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  #if os(Linux)
  if let executor = UploadExecutor.current {
    return Task.detached(executorPreference: executor, priority: .utility, operation: body)
  }
  #endif
  return Task.detached(priority: .utility, operation: body)
}
