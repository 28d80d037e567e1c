import Catalog
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog
import Loader

/// Does the jobs that the catalogue has, one after the other, and tidies up between them.
///
/// A thread of its own asks for jobs and watches the one under way, which runs on another.
final class JobRunner: Sendable {
  /// How often it looks.
  struct Settings: Sendable {
    /// Seconds between two looks for jobs that other processes asked for, and at how far the one under
    /// way is; 0.5.
    var intervalSeconds = 0.5
    /// Seconds between two looks whether the one under way was cancelled; 0.1.
    var stopSeconds = 0.1
    /// Seconds between two times of tidying up; ten minutes.
    ///
    /// So long what arrives late of an erased person may lie in the log.
    var tidySeconds: Double = 600
  }

  private struct State {
    var isStopping = false
    var thread: SystemThread?
    var pulse: SystemThread?
    var current: JobControl?
    var sweptErased: Int?
  }

  private let catalog: Catalog
  private let worker: JobWorker
  private let settings: Settings
  private let report: @Sendable (String) -> Void
  private let attempts: Attempts
  private let state = Monitor(State())

  init(
    _ worker: JobWorker,
    settings: Settings = Settings(),
    report: @escaping @Sendable (String) -> Void
  ) {
    catalog = worker.data.catalog
    self.worker = worker
    self.settings = settings
    self.report = report
    attempts = Attempts(report: report)
  }

  func start() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.thread == nil, !state.isStopping else { return }
      state.thread = try SystemThread(name: "ff-jobs") { [self] in run() }
      state.pulse = try SystemThread(name: "ff-pulse") { [self] in beat() }
    }
  }

  /// Stops the job under way, which goes on at the next start, and ends the thread.
  ///
  /// An erasure is waited for.
  func stop() {
    let (thread, pulse, current) = state.change { state in
      state.isStopping = true
      return (state.thread, state.pulse, state.current)
    }
    current?.stop(.serverStops)
    catalog.wakeJobs()
    thread?.join()
    pulse?.join()
  }

  private func run() {
    attempts.attempt("Going on with jobs") { try catalog.resumeJobs() }
    var known = 0
    var nextTidying = MonotonicTime.now()
    while !isStopping {
      var isIdle = true
      attempts.attempt("Looking for jobs") {
        guard let job = try catalog.nextJob() else { return }
        isIdle = false
        try perform(job)
      }
      guard isIdle else { continue }
      if MonotonicTime.now() >= nextTidying {
        attempts.attempt("Tidying up after jobs") { try tidy() }
        nextTidying = .now().advanced(bySeconds: settings.tidySeconds)
      }
      guard !isStopping else { break }
      known = catalog.waitForJobs(after: known, seconds: settings.intervalSeconds)
    }
  }

  /// Shows whoever waits for a job that this server is there, on a thread that no job holds up.
  private func beat() {
    repeat {
      attempts.attempt("Looking for jobs that are waited for") {
        if try catalog.hasOpenJobs() { worker.folder.pulse.beat() }
      }
    } while state.wait(
      timeoutSeconds: ServerPulse.intervalSeconds,
      until: { $0.isStopping ? true : nil }
    ) == nil
  }

  /// Does a job and says what became of it.
  private func perform(_ job: Job) throws {
    let control = JobControl()
    worker.folder.pulse.beat()
    state.change { state in
      state.current = control
      if state.isStopping { control.stop(.serverStops) }
    }
    defer { state.change { $0.current = nil } }
    let outcome = Monitor<Result<[String: Int], any Error>?>(nil)
    let thread = try SystemThread(name: "ff-job") { [worker] in
      let result = Result { try worker.run(job, control) }
      outcome.change { $0 = result }
    }
    var result: Result<[String: Int], any Error>?
    var nextLook = MonotonicTime.now().advanced(bySeconds: settings.intervalSeconds)
    while result == nil {
      result = outcome.wait(timeoutSeconds: settings.stopSeconds) { $0 }
      guard result == nil else { break }
      let isDue = MonotonicTime.now() >= nextLook
      if isDue { nextLook = .now().advanced(bySeconds: settings.intervalSeconds) }
      watch(job, control, tells: isDue)
    }
    thread.join()
    if case .failure(let error) = result, control.stopped == nil {
      report("Job \(job.id), \(job.kind), failed: \(error)")
    }
    settle {
      switch (result, control.stopped) {
      case (.success(let counts), _): try catalog.endJob(job.id, .done, counts: counts)
      case (_, .serverStops): try catalog.putBackJob(job.id)
      case (_, .cancelled): try catalog.endJob(job.id, .cancelled)
      case (.failure(let error), nil):
        // Whoever may see jobs reads it; the whole of it stands in the log.
        try catalog.endJob(job.id, .failed, problem: ClientText.of(error))
      case (nil, nil): break
      }
    }
  }

  /// Says what became of a job; again and again while the catalogue cannot be written.
  private func settle(_ end: () throws -> Void) {
    var isSettled = false
    repeat {
      attempts.attempt("Keeping what became of a job") {
        try end()
        isSettled = true
      }
      guard !isSettled else { return }
      _ = catalog.waitForJobs(after: .max, seconds: settings.intervalSeconds)
    } while !isStopping
  }

  private func watch(_ job: Job, _ control: JobControl, tells: Bool) {
    attempts.attempt("Watching a job") {
      let progress = tells ? control.progress.fraction.map { Int($0 * 1_000) } : nil
      if try catalog.noteJob(job.id, progress: progress) { control.stop(.cancelled) }
    }
  }

  /// Finishes erasures, takes late arrivals of what was erased out of the log, removes old files.
  func tidy() throws {
    _ = try worker.data.erasing.resume()
    let erased = worker.loader.status.erased
    // What an earlier run of the server left is not known: the first time the log is looked over.
    if state.withLock({ $0.sweptErased }) != erased {
      _ = try worker.data.erasing.sweep()
      state.change { $0.sweptErased = erased }
    }
    try worker.removeOldFiles(nowMs: WallClock.milliseconds())
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }
}
