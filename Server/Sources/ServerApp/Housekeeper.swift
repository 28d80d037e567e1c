import Catalog
import EventStore
import FootfallSystem
import Foundation
import Ingest
import IngestLog
import Places
import Synchronization

/// What a server does beside its requests, on a thread of its own: keeps the counts of usage, removes
/// what projects no longer keep, a little at a time, takes the file of places again where it changed, and
/// says when the log nears its cap.
final class Housekeeper: Sendable {
  /// How often and how much.
  struct Settings: Sendable {
    /// Seconds between two looks at usage and the log; 2.
    var intervalSeconds: Double = 2
    /// Seconds between two runs of the retention; an hour.
    var retentionSeconds: Double = 3_600
    /// Events that are removed in one go, while loading waits; 20,000.
    var slice = 20_000
    /// Slices of one rule in one run; 100, so that a run ends.
    var slices = 100
    /// The pause between two slices, in seconds; 0.1.
    var pauseSeconds = 0.1
  }

  private struct State {
    var isStopping = false
    var thread: SystemThread?
    var isNearCap = false
    var isDoubting = false
    var refusal: String?
  }

  /// Free bytes under which is tried whether anything can be written.
  private static let tightBytes: UInt64 = 8 << 20

  /// Events removed since the start.
  let removed = Atomic<Int>(0)

  private let catalog: Catalog
  private let store: any EventStore
  private let log: IngestLog
  private let usage: UsageMeter
  private let places: PlaceTable?
  private let data: DataFolder
  private let settings: Settings
  private let nowMs: @Sendable () -> Int64
  private let erasing: Erasing?
  private let report: @Sendable (String) -> Void
  private let attempts: Attempts
  private let state = Monitor(State())

  init(
    catalog: Catalog,
    store: any EventStore,
    log: IngestLog,
    usage: UsageMeter,
    places: PlaceTable? = nil,
    data: DataFolder,
    settings: Settings = Settings(),
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds,
    erasing: Erasing? = nil,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.erasing = erasing
    self.catalog = catalog
    self.store = store
    self.log = log
    self.usage = usage
    self.places = places
    self.data = data
    self.settings = settings
    self.nowMs = nowMs
    self.report = report
    attempts = Attempts(report: report)
  }

  func start() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.thread == nil, !state.isStopping else { return }
      state.thread = try SystemThread(name: "ff-housekeeper") { [self] in run() }
    }
  }

  /// Keeps the last counts and ends the thread.
  func stop() {
    let thread = state.change { state in
      state.isStopping = true
      return state.thread
    }
    thread?.join()
    keepUsage()
  }

  private func run() {
    var nextRetention = MonotonicTime.now()
    while !isStopping {
      keepUsage()
      endKeys()
      followClock()
      log.probe(isDiskTight: (DiskSpace.free(at: data.path) ?? .max) < Self.tightBytes)
      watchLog()
      refreshPlaces()
      if MonotonicTime.now() >= nextRetention {
        // First, because a clock that is not believed must not be what it is measured by.
        applyRetention()
        keepDisk()
        nextRetention = .now().advanced(bySeconds: settings.retentionSeconds)
      }
      wait(seconds: settings.intervalSeconds)
    }
  }

  /// Removes what no rule keeps; returns when nothing is left, or what one run may remove is.
  func applyRetention() {
    attempts.attempt("The retention of events") {
      let time = try retentionTime()
      for project in try catalog.projects() {
        let rules = try catalog.rules(project: project.id)
        let plan = RetentionPlan(rules, project: project.id, nowMs: time)
        guard !plan.expired.isEmpty else { continue }
        var count = 0
        // Also what an error leaves unfinished was removed.
        defer { removed.add(count, ordering: .relaxed) }
        for expired in plan.expired { try remove(expired, count: &count) }
        try catalog.noteRetention(project: project.id, removed: count)
      }
    }
  }

  /// By which time it goes; says so once when that is not what the clock shows.
  private func retentionTime() throws -> Int64 {
    let now = nowMs()
    var clock = try RetentionClock(of: catalog, nowMs: now)
    let time = clock.receive(nowMs: now)
    try clock.keep(in: catalog)
    let problem = clock.problem
    let changed = state.change { state in
      defer { state.isDoubting = problem != nil }
      return state.isDoubting != (problem != nil)
    }
    if changed {
      report(problem.map { "Retention: \($0)" } ?? "Retention: the clock is believed again.")
    }
    return time
  }

  private func remove(_ expired: ExpiredEvents, count: inout Int) throws {
    for _ in 0..<settings.slices where !isStopping {
      let removed = try store.remove(expired, limit: settings.slice)
      count += removed
      guard removed == settings.slice else { return }
      wait(seconds: settings.pauseSeconds)
    }
  }

  private func keepUsage() {
    attempts.attempt("Keeping the counts of usage") { try usage.flush(to: catalog) }
  }

  /// Ends what was replaced for good, before a clock that was ahead is set back.
  private func endKeys() {
    attempts.attempt("Ending keys that were replaced") { try catalog.endReplacedKeys() }
  }

  /// Goes by the clock once it is set back with what was erased while it was ahead.
  private func followClock() {
    attempts.attempt("Following the clock with erasures") {
      guard let count = try erasing?.followClock(), count > 0 else { return }
      report(
        "The clock was set back: \(Counted.text(count, "erasure")) asked for while it was ahead now go by the right time."
      )
    }
  }

  /// Takes the operator's file of places again if it changed.
  func refreshPlaces() {
    guard let places else { return }
    attempts.attempt("Reading the file of places") { try places.refresh() }
  }

  private func keepDisk() {
    attempts.attempt("Keeping the size of the data folder") {
      try catalog.noteDisk(bytes: DiskSpace.used(at: data.path))
    }
  }

  /// Says once when uploads are refused and once when they are taken again; likewise when the log nears
  /// its cap.
  func watchLog() {
    watchRefusal()
    watchCap()
  }

  private func watchRefusal() {
    let refusal = log.refusal
    let before = state.change { state in
      defer { state.refusal = refusal }
      return state.refusal
    }
    guard (before == nil) != (refusal == nil) else { return }
    report(refusal.map { "Uploads are refused: \($0)" } ?? "Uploads are taken again.")
  }

  private func watchCap() {
    let (waiting, cap) = (log.status.unloadedBytes, log.settings.retention.maxBytes)
    let isNear = LogRoom(unloadedBytes: waiting, maxBytes: cap).isShort
    let changed = state.change { state in
      defer { state.isNearCap = isNear }
      return state.isNearCap != isNear
    }
    guard changed else { return }
    report(
      isNear
        ? "The ingest log holds \(waiting) bytes that are not in the store, of \(cap) it may: over that nothing is accepted. See that the store works."
        : "The ingest log has room again."
    )
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func wait(seconds: Double) {
    _ = state.wait(timeoutSeconds: seconds) { $0.isStopping ? true : nil }
  }
}

/// How much of the ingest log's cap is used by what the store does not have yet.
struct LogRoom: Equatable {
  /// Bytes the store does not have yet.
  let unloadedBytes: UInt64
  /// Bytes over which nothing is accepted.
  let maxBytes: UInt64

  /// Whether four fifths of it are used: someone should look before events are turned away.
  var isShort: Bool { unloadedBytes > maxBytes / 5 * 4 }
}
