internal import Catalog

/// What projects lost since it was kept the last time, by day, kind, reason and library.
///
/// A value. Reasons and libraries are made by clients: what they invent must not grow our memory without
/// end, so beyond a number a day they are counted as `other`.
struct LossLedger {
  /// Reasons and libraries of a project and kind that are told apart on one day.
  static let maxWords = 64
  private static let other = "other"

  private struct Group: Hashable {
    var project: UInt32
    var day: Int64
    var kind: DayLosses.Kind
  }

  private struct Words {
    var reasons: Set<String> = []
    var libraries: Set<String> = []
  }

  private var counts: [DayLosses.Place: Int] = [:]
  /// What was told apart already; kept for a day, so that a flush does not start it anew.
  private var words: [Group: Words] = [:]

  /// Counts a loss.
  mutating func count(
    _ count: Int,
    _ kind: DayLosses.Kind,
    reason: String,
    library: String,
    project: UInt32,
    nowMs: Int64
  ) {
    guard count > 0 else { return }
    let day = nowMs / 86_400_000
    let group = Group(project: project, day: day, kind: kind)
    if words[group] == nil { words = words.filter { $0.key.day >= day - 1 } }
    var known = words[group, default: Words()]
    let place = DayLosses.Place(
      project: project,
      day: day,
      kind: kind,
      reason: Self.bounded(reason, in: &known.reasons),
      library: Self.bounded(library, in: &known.libraries)
    )
    words[group] = known
    // Wrapping is no danger: a client may claim any number, and often, so it is held down.
    let sum = counts[place, default: 0].addingReportingOverflow(min(count, 1 << 40))
    counts[place] = sum.overflow ? Int.max : sum.partialValue
  }

  /// What was counted since the last time.
  mutating func takePending() -> [DayLosses] {
    defer { counts = [:] }
    return counts.map { DayLosses($0.key, count: $0.value) }
  }

  /// Puts back what could not be kept.
  mutating func putBack(_ losses: [DayLosses]) {
    for loss in losses { counts[loss.place, default: 0] += loss.count }
  }

  private static func bounded(_ word: String, in known: inout Set<String>) -> String {
    if known.contains(word) { return word }
    guard known.count < maxWords, word.utf8.count <= 100 else { return other }
    known.insert(word)
    return word
  }
}
