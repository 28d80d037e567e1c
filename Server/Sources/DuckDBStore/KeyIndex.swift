import EventRecord
import EventStore

/// The keys that decide about duplicates, in memory: exactly those of the table where it matters.
///
/// Loose keys are all here (about 27 bytes each). Fresh keys are kept by the minute of their id and
/// Amplitude's by day; such a set is read from the table when it is first needed and forgotten when
/// it was not used for long. What a failed transaction had added is forgotten with the whole index.
/// One thread at a time.
final class KeyIndex {
  /// Reads keys of one plan with own times in ranges from the table.
  typealias Load = (
    _ plan: UInt8, _ ownMs: [ClosedRange<Int64>], _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) -> Void

  /// Reads when some keys of Amplitude's were stored with own times in a range.
  typealias LoadTimes = (
    _ keys: Set<EventKey>, _ ownMs: ClosedRange<Int64>, _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) -> Void

  private struct KeyOfDay: Hashable {
    let key: EventKey
    let day: Int64
  }

  private var minutes: [Int64: KeySet] = [:]
  private var days: [Int64: KeySet] = [:]
  private var briefMinutes: [Int64: KeySet] = [:]
  private let loose: KeySet
  private var storedTimes: [UInt8: ClosedRange<Int64>]
  private var batch: UInt64 = 0
  /// The own times of keys that this batch added, or that stand seven days from one of its own.
  private var exactTimes: [KeyOfDay: Int64] = [:]
  // Most events of a batch are of one minute.
  private var latest: (minute: Int64, keys: KeySet)?

  /// - Parameters:
  ///   - loose: all loose keys of the table.
  ///   - storedTimes: the own times in the table for each plan's number; nothing lies outside.
  init(loose: KeySet, storedTimes: [UInt8: ClosedRange<Int64>]) {
    self.loose = loose
    self.storedTimes = storedTimes
  }

  /// Reads the sets that these plans need and that are not here.
  func prepare(_ plans: some Sequence<KeyPlan>, load: Load) throws(StoreError) {
    var missingMinutes: Set<Int64> = []
    var missingDays: Set<Int64> = []
    var missingBriefs: Set<Int64> = []
    var previous: KeyPlan?
    for plan in plans where plan != previous {
      previous = plan
      switch plan {
      case .fresh(let minute), .loose(.some(let minute)):
        if minutes[minute] == nil { missingMinutes.insert(minute) }
      case .windowed(let day):
        for day in day - 7...day + 7 where days[day] == nil { missingDays.insert(day) }
      case .brief(let minute):
        for minute in Self.around(minute) where briefMinutes[minute] == nil {
          missingBriefs.insert(minute)
        }
      case .loose(nil):
        continue
      }
    }
    try fill(missingBriefs, of: .briefMinutes, load: load)
    try fill(missingMinutes, of: .minutes, load: load)
    try fill(missingDays, of: .days, load: load)
  }

  /// Reads when those of these events' keys were stored that stand seven calendar days away: that is
  /// where the day does not tell whether they are seven days apart.
  ///
  /// One question for all of them, since a client may send a week's repeats by the thousand. Call
  /// `prepare` with their plans before.
  func prepareEdges(
    _ events: some Sequence<(key: EventKey, plan: KeyPlan)>,
    load: LoadTimes
  ) throws(StoreError) {
    var keys: Set<EventKey> = []
    var edges: ClosedRange<Int64>?
    for event in events {
      guard case .windowed(let day) = event.plan else { continue }
      for edge in [day - 7, day + 7] where use(&days, edge).contains(event.key) {
        keys.insert(event.key)
        edges = min(edges?.lowerBound ?? edge, edge)...max(edges?.upperBound ?? edge, edge)
      }
    }
    guard let edges else { return }
    let first = edges.lowerBound * KeyPlan.dayMs
    try load(keys, first...(edges.upperBound + 1) * KeyPlan.dayMs - 1) { key, ownMs in
      exactTimes[KeyOfDay(key: key, day: ownMs.floorDivided(by: KeyPlan.dayMs))] = ownMs
    }
  }

  /// Adds the key unless it is a duplicate; call `prepare` and `prepareEdges` before.
  ///
  /// - Parameters:
  ///   - key: the event's key.
  ///   - plan: where a repeat is looked for.
  ///   - ownMs: the event's own time.
  /// - Returns: false for a duplicate.
  func insert(
    _ key: EventKey,
    plan: KeyPlan,
    ownMs: Int64
  ) -> Bool {
    switch plan {
    case .fresh(let minute):
      guard !loose.contains(key) else { return false }
      return keys(ofMinute: minute).insert(key)
    case .loose(let minute):
      if let minute, keys(ofMinute: minute).contains(key) { return false }
      return loose.insert(key)
    case .windowed(let day):
      guard !isRepeated(key, day: day, ownMs: ownMs) else { return false }
      exactTimes[KeyOfDay(key: key, day: day)] = ownMs
      return use(&days, day).insert(key)
    case .brief(let minute):
      for minute in Self.around(minute) where use(&briefMinutes, minute).contains(key) {
        return false
      }
      return use(&briefMinutes, minute).insert(key)
    }
  }

  /// The minutes in which a key made of content may repeat.
  private static func around(_ minute: Int64) -> ClosedRange<Int64> {
    minute - DuplicateRule.contentMinutes + 1...minute + DuplicateRule.contentMinutes - 1
  }

  /// Notes that an event goes into the table.
  func noteStored(plan: UInt8, ownMs: Int64) {
    guard let range = storedTimes[plan] else {
      storedTimes[plan] = ownMs...ownMs
      return
    }
    guard !range.contains(ownMs) else { return }
    storedTimes[plan] = min(range.lowerBound, ownMs)...max(range.upperBound, ownMs)
  }

  /// Ends a batch that was stored: forgets the longest unused sets until `maxBytes` are kept.
  func endBatch(maxBytes: Int) {
    exactTimes.removeAll(keepingCapacity: true)
    latest = nil
    defer { batch += 1 }
    // Adding it all up is not worth doing for every small batch.
    guard batch % 16 == 0 else { return }
    var bytes = minutes.values.reduce(0) { $0 + Self.cost($1) }
    bytes += days.values.reduce(0) { $0 + Self.cost($1) }
    bytes += briefMinutes.values.reduce(0) { $0 + Self.cost($1) }
    if bytes > maxBytes {
      Self.forget(&minutes, bytes: &bytes, maxBytes: maxBytes, notUsedIn: batch)
      Self.forget(&briefMinutes, bytes: &bytes, maxBytes: maxBytes, notUsedIn: batch)
      Self.forget(&days, bytes: &bytes, maxBytes: maxBytes, notUsedIn: batch)
    }
  }

  private func isRepeated(_ key: EventKey, day: Int64, ownMs: Int64) -> Bool {
    // Less than seven calendar days apart is less than seven days apart.
    for day in day - 6...day + 6 where use(&days, day).contains(key) { return true }
    for edge in [day - 7, day + 7] where use(&days, edge).contains(key) {
      let other = exactTimes[KeyOfDay(key: key, day: edge)]
      if let other, DuplicateRule(.amplitude).areSame(other, ownMs) { return true }
    }
    return false
  }

  private func keys(ofMinute minute: Int64) -> KeySet {
    if let latest, latest.minute == minute { return latest.keys }
    let keys = use(&minutes, minute)
    latest = (minute, keys)
    return keys
  }

  private func use(_ sets: inout [Int64: KeySet], _ number: Int64) -> KeySet {
    if let keys = sets[number] {
      keys.lastBatch = batch
      return keys
    }
    let keys = KeySet()
    keys.lastBatch = batch
    sets[number] = keys
    return keys
  }
}

// MARK: - Reading sets from the table

extension KeyIndex {
  /// A kind of set: its length in time, how far beyond it its rows may lie, its plan.
  private enum Unit {
    case minutes
    case days
    case briefMinutes

    var ms: Int64 { self == .days ? KeyPlan.dayMs : KeyPlan.minuteMs }
    var reachMs: Int64 { self == .minutes ? KeyPlan.freshnessMs : 0 }
    var plan: UInt8 {
      switch self {
      case .minutes: KeyPlan.freshNumber
      case .days: KeyPlan.windowedNumber
      case .briefMinutes: KeyPlan.briefNumber
      }
    }
    /// Sets further apart than this are read as ranges of their own.
    var maxGap: Int64 { self == .days ? 1 : 60 }
  }

  private func fill(_ missing: Set<Int64>, of unit: Unit, load: Load) throws(StoreError) {
    guard !missing.isEmpty else { return }
    for number in missing {
      switch unit {
      case .minutes: _ = use(&minutes, number)
      case .days: _ = use(&days, number)
      case .briefMinutes: _ = use(&briefMinutes, number)
      }
    }
    guard let stored = storedTimes[unit.plan] else { return }
    let wanted = missing.filter { ownTimes(of: $0, unit).overlaps(stored) }.sorted()
    // All by one statement: where rows lie sorted by person, each reads its months whole.
    let ranges = Self.runs(wanted, maxGap: unit.maxGap).map { run in
      ownTimes(of: run.lowerBound, unit)
        .lowerBound...ownTimes(of: run.upperBound, unit)
        .upperBound
    }
    guard !ranges.isEmpty else { return }
    try load(unit.plan, ranges) { key, ownMs in
      let first = (ownMs - unit.reachMs).floorDivided(by: unit.ms)
      let last = (ownMs + unit.reachMs).floorDivided(by: unit.ms)
      for number in first...last where missing.contains(number) {
        let keys =
          switch unit {
          case .minutes: minutes[number]
          case .days: days[number]
          case .briefMinutes: briefMinutes[number]
          }
        _ = keys?.insert(key)
      }
    }
  }

  /// The own times that the rows of one set may have.
  private func ownTimes(of number: Int64, _ unit: Unit) -> ClosedRange<Int64> {
    let start = number * unit.ms
    return start - unit.reachMs...start + unit.ms - 1 + unit.reachMs
  }

  /// Joins ascending numbers that lie close together; at most 32 runs, however scattered they are.
  static func runs(_ numbers: [Int64], maxGap: Int64) -> [ClosedRange<Int64>] {
    var maxGap = maxGap
    while true {
      var runs: [ClosedRange<Int64>] = []
      for number in numbers {
        if let last = runs.last, number - last.upperBound <= maxGap {
          runs[runs.count - 1] = last.lowerBound...number
        } else {
          runs.append(number...number)
        }
      }
      if runs.count <= 32 { return runs }
      maxGap *= 4
    }
  }

  private static func cost(_ keys: KeySet) -> Int {
    keys.bytes + 4_096
  }

  private static func forget(
    _ sets: inout [Int64: KeySet],
    bytes: inout Int,
    maxBytes: Int,
    notUsedIn batch: UInt64
  ) {
    for (number, keys) in sets.sorted(by: { $0.value.lastBatch < $1.value.lastBatch }) {
      guard bytes > maxBytes, keys.lastBatch < batch else { return }
      bytes -= cost(keys)
      sets[number] = nil
    }
  }
}
