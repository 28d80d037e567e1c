internal import Catalog
internal import FootfallJournal

/// How many events each project sent on each day, and who is over the day's number.
///
/// A value: it is told what was taken, and says who has to wait. A request is taken whole or not at
/// all, so a project may go over its number by the last one it sent. A day's use is not forgotten when the
/// next one begins: a clock that was set ahead is set back.
struct UsageLedger {
  /// The events a day (UTC) that each project may send; a project that is not there any number.
  var quotas: [UInt32: Int] = [:]
  /// The events of each project by the day; of its latest days.
  private var sent: [UInt32: [Int64: Int]] = [:]
  private var pending: [UInt32: [Int64: DayUsage]] = [:]
  /// Up to where of the ingest log everything is counted; nil until anything was.
  private(set) var upTo: JournalPosition?

  /// The longest time to wait that anyone is told, in seconds: a number that is raised is to help
  /// within the hour.
  static let maxWaitSeconds = 3_600
  /// The days of a project that are known; as many as the catalogue keeps.
  static let maxDays = Int(Catalog.usageDays)
  private static let dayMs: Int64 = 86_400_000

  /// Takes over what was counted before the start.
  mutating func restore(_ usage: [DayUsage]) {
    for day in usage { add(day.events, project: day.project, day: day.day) }
  }

  private mutating func add(_ events: Int, project: UInt32, day: Int64) {
    sent[project, default: [:]][day, default: 0] += events
    guard let days = sent[project], days.count > Self.maxDays,
      let oldest = days.keys.filter({ $0 != day }).min()
    else { return }
    sent[project]?[oldest] = nil
  }

  /// After how many seconds a project may send again; nil for now.
  func waitSeconds(project: UInt32, nowMs: Int64) -> Int? {
    let day = nowMs / Self.dayMs
    guard let quota = quotas[project], let events = sent[project]?[day], events >= quota else {
      return nil
    }
    let left = (day + 1) * Self.dayMs - nowMs
    return min(Self.maxWaitSeconds, Int((left + 999) / 1_000))
  }

  /// Counts what was taken; `position` is where its record ends in the log, whose records come in their order.
  mutating func took(
    events: Int,
    bytes: Int,
    project: UInt32,
    nowMs: Int64,
    upTo position: JournalPosition? = nil
  ) {
    if let position { upTo = max(upTo ?? .start, position) }
    let day = nowMs / Self.dayMs
    add(events, project: project, day: day)
    change(project, day) {
      $0.events += events
      $0.bytes += bytes
    }
  }

  /// Takes back what turned out to be there already: a client that sends again pays once.
  mutating func repeated(events: Int, project: UInt32, day: Int64) {
    if let known = sent[project]?[day] { sent[project]?[day] = max(0, known - events) }
    change(project, day) { $0.events -= events }
  }

  /// Counts what had to wait.
  mutating func refused(events: Int, project: UInt32, nowMs: Int64) {
    change(project, nowMs / Self.dayMs) { $0.refused += events }
  }

  /// What was counted since the last time.
  mutating func takePending() -> [DayUsage] {
    defer { pending = [:] }
    return pending.values.flatMap(\.values).sorted {
      ($0.day, $0.project) < ($1.day, $1.project)
    }
  }

  /// Puts back what could not be kept.
  mutating func putBack(_ usage: [DayUsage]) {
    for day in usage {
      change(day.project, day.day) {
        $0.events += day.events
        $0.bytes += day.bytes
        $0.refused += day.refused
      }
    }
  }

  private mutating func change(
    _ project: UInt32,
    _ day: Int64,
    _ change: (inout DayUsage) -> Void
  ) {
    change(&pending[project, default: [:]][day, default: DayUsage(project: project, day: day)])
  }
}
