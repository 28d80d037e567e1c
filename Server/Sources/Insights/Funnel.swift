import EventRecord
public import EventStore

/// How many people took one step after the other.
///
/// People count by when they entered, with the first step in the scope's time; the later steps may come
/// after it, within the window. Events of one person are in the order of their corrected times, then of
/// the client's counter; one event is one step, also where steps are alike or ask for the same event.
public struct Funnel: Insight {
  /// In what order steps are taken.
  public enum Order: String, Sendable, CaseIterable {
    /// One after the other; what happens in between does not matter.
    case ordered
    /// One directly after the other: nothing else of the scope in between.
    case strict
    /// In whatever order: a level is how many steps were taken within one window.
    case any
  }

  /// Up to when a step counts.
  public enum Window: String, Sendable, CaseIterable {
    /// A time after the first step.
    case fromStart = "start"
    /// A time after the step before.
    case fromStep = "step"
  }

  /// How far people came.
  public struct Level: Sendable, Hashable {
    /// How many took this step after all before it.
    public var count: Int
    /// How long half of them took at most since their first step, by their fastest way, in
    /// milliseconds; nil for nobody and in any order.
    public var medianMs: Double?
    /// How long they took on average, likewise.
    public var averageMs: Double?
  }

  /// One line of a breakdown.
  public struct Line: Sendable, Hashable {
    /// The value of the field at each person's first entry; someone with a list there is in a line for each
    /// that is in it.
    ///
    /// Nil for all other groups together.
    public var group: Group?
    /// A level for each step.
    public var levels: [Level]
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// A level for each step.
    public var levels: [Level]
    /// With a breakdown the largest groups, the largest first, and all others last, if there are any.
    public var lines: [Line]
  }

  /// How many steps there may be.
  public static let stepLimits = 1...10

  /// Which events, and whom the funnel counts.
  public var scope: Scope
  /// The steps; 1 to 10, further ones are left out.
  public var steps: [FunnelStep]
  /// In what order.
  public var order: Order
  /// How long the window is, in milliseconds; its last one included.
  public var windowMs: Int64
  /// From where the window is counted; in any order always from the first step.
  public var window: Window
  /// What ends the way of whoever does it between two steps; not in any order.
  public var exclusions: [FunnelStep]
  /// What must be the same in all steps of a way.
  ///
  /// Of events between them, those with another value are of other ways, and those without any are of each;
  /// an event with a list is of a way for each that is in it.
  public var holding: Field?
  /// By what lines are told apart.
  public var breakdown: Field?
  /// How many lines at most.
  public var limit: Int

  /// The question from its parts.
  public init(
    _ scope: Scope,
    steps: [FunnelStep],
    order: Order = .ordered,
    windowMs: Int64 = 7 * 86_400_000,
    window: Window = .fromStart,
    exclusions: [FunnelStep] = [],
    holding: Field? = nil,
    breakdown: Field? = nil,
    limit: Int = 8
  ) {
    self.scope = scope
    self.steps = Array(steps.prefix(Self.stepLimits.upperBound))
    self.order = order
    // A year and a day at most, so that sums of times stay in bounds.
    self.windowMs = min(max(1, windowMs), 366 * 86_400_000)
    self.window = window
    self.exclusions = exclusions
    self.holding = holding
    self.breakdown = breakdown
    self.limit = min(max(1, limit), 50)
  }

  /// Up to when later steps may come, this moment excluded.
  var horizonMs: Int64 {
    let windows = window == .fromStep && order != .any ? Int64(max(1, steps.count - 1)) : 1
    return scope.toMs.addingReportingOverflow(windows * windowMs + 1).overflow
      ? .max : scope.toMs + windows * windowMs + 1
  }

  // MARK: In SQL

  /// The bit of an event with which someone may enter; that of a step is its place, and below.
  static let enters: Int64 = 1 << 10
  /// The bit of an event that ends a way.
  static let ends: Int64 = 1 << 11

  /// What `footfall_funnel` wants, above the bits of an event.
  private var plan: Int64 {
    var plan = windowMs << 8 | Int64(steps.count)
    if window == .fromStep { plan |= 16 }
    if order == .strict { plan |= 32 }
    return plan << 12
  }

  /// The statement: counts and times by group and level.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let reached = reached(&statement)
    let times = "level, count(*), quantile_cont(took, 0.5)::DOUBLE, avg(took)::DOUBLE"
    guard breakdown != nil else {
      return statement.sql(
        """
        \(reached)
        SELECT 0 AS place, NULL::VARCHAR, NULL::DOUBLE, \(times) FROM reached GROUP BY level
        """
      )
    }
    return statement.sql(
      """
      \(reached)
      SELECT 0 AS place, NULL::VARCHAR, NULL::DOUBLE, \(times) FROM reached GROUP BY level
      UNION ALL
      SELECT coalesce(place, \(limit + 1)), any_value(label), any_value(amount), \(times)
      FROM reached JOIN entries USING (who) JOIN lines ON entries.field IS NOT DISTINCT FROM lines.field
      GROUP BY place, level
      """
    )
  }

  /// Up to tables `reached` (who, level, took) and, with a breakdown, `entries` (who, field) and the `lines` of their groups.
  func reached(_ statement: inout Statement) -> String {
    let columns = GroupColumns(breakdown, &statement)
    let held = GroupColumns(holding, &statement, as: "held")
    let wide = scope.over(fromMs: scope.fromMs, toMs: horizonMs)
    let kinds = FunnelKinds(steps: steps, exclusions: order == .any ? [] : exclusions)
    // In strict order whatever happens counts, else only what is a step or ends the way.
    let only = order == .strict ? "true" : kinds.any(&statement)
    let enters = "e.corrected_at < \(statement.bind(.time(scope.toMs)))"
    let marks =
      order == .any
      ? "\(enters) AS enters, "
        + steps.enumerated().map { "\($1.sql(&statement)) AS m\($0)" }.joined(separator: ", ")
      : "CASE WHEN \(enters) THEN \(plan | Self.enters) ELSE \(plan) END | \(kinds.bits(&statement)) AS mask"
    let fields = [breakdown, holding].compactMap { $0 }
    let entries = """
      , entries AS MATERIALIZED (
        SELECT who, arg_min([field], place)[1] AS field FROM scoped
        WHERE \(order == .any ? "enters" : "mask & \(Self.enters | 1) = \(Self.enters | 1)") \(isHeld)
        GROUP BY who
      ), \(columns.lines(of: "entries", weight: "count(*)", limit: "\(limit)"))
      """
    let scoped = """
      SELECT \(scope.key) AS who, e.corrected_at AS moment, e.seq, e.event_key,
        {'at': e.corrected_at, 'seq': e.seq, 'key': e.event_key} AS place,
        \(columns.field) AS field, \(held.field) AS held, \(marks)
      FROM \(scope.source(
        for: fields,
        others: (steps + exclusions).flatMap(\.all),
        needsPerson: scope.needsPerson
      ))\(kinds.join(keepsAll: order == .strict, &statement))
      WHERE \(scope.admission(&statement)) AND \(wide.time(&statement))
        AND \(scope.key) IS NOT NULL AND (\(only))
      """
    return """
      WITH scoped AS NOT MATERIALIZED (\(holding == nil ? scoped : held.each(of: scoped))),
      \(order == .any ? inAnyOrder(&statement) : inOrder)\(breakdown == nil ? "" : entries)
      """
  }

  /// What people are told apart by beside themselves.
  private var ways: String { holding == nil ? "who" : "who, label, amount" }

  private var isHeld: String {
    holding == nil ? "" : "AND (label IS NOT NULL OR amount IS NOT NULL)"
  }

  /// Whether events without what must be the same matter to ways that have it.
  private var isLoose: Bool {
    holding != nil && order != .any && (order == .strict || !exclusions.isEmpty)
  }

  /// A table `told_of`: `scoped` with events that do not have what must be the same in each way of their
  /// person, where they are no step.
  private var eachWay: String {
    guard isLoose else { return "" }
    let has = "(label IS NOT NULL OR amount IS NOT NULL)"
    return """
      kinds AS (SELECT DISTINCT who, label, amount FROM scoped WHERE \(has)),
      told_of AS NOT MATERIALIZED (
        SELECT * FROM scoped WHERE \(has)
        UNION ALL
        SELECT loose.* REPLACE (kinds.label AS label, kinds.amount AS amount, mask & \(-Self.enters) AS mask)
        FROM (SELECT * FROM scoped WHERE NOT \(has)) AS loose JOIN kinds ON kinds.who = loose.who
      ),

      """
  }

  /// The store's own aggregate goes through a person's events once; `FunnelFold` says what it wants.
  ///
  /// Keys are only read where two events of one person have the same time and counter: they take as long to
  /// read as everything else together.
  private var inOrder: String {
    let own = "GROUP BY \(ways)"
    let levels = """
      SELECT who, unnest(took) AS took, unnest(range(1, len(took) + 1)) AS level FROM ways
      """
    return """
      \(eachWay)told AS MATERIALIZED (
        SELECT who, footfall_funnel(moment, seq, mask) AS took FROM \(isLoose ? "told_of" : "scoped")
        WHERE true \(isHeld) \(own)
      ),
      placed AS (
        SELECT *, row_number() OVER (PARTITION BY who ORDER BY moment, seq, event_key) AS nth
        FROM \(isLoose ? "told_of" : "scoped") WHERE who IN (SELECT who FROM told WHERE took IS NULL)
      ),
      ways AS (
        SELECT who, took FROM told WHERE took IS NOT NULL
        UNION ALL
        SELECT who, footfall_funnel(moment, nth, mask) AS took FROM placed
        WHERE true \(isHeld) \(own)
      ),
      reached AS (\(holding == nil ? levels
        : "SELECT who, level, min(took) AS took FROM (\(levels)) GROUP BY who, level"))
      """
  }

  /// For each event as the first of a window, how many steps lie in it, an event being one of them at most.
  ///
  /// Of steps that the same event can be, as many are taken as the scarcest choice of them allows: all
  /// steps outside of the choice and all events that are any step in it (the theorem of Kőnig and Hall).
  private func inAnyOrder(_ statement: inout Statement) -> String {
    let parts = Dictionary(grouping: distinctSteps) { ExactText(steps[$0.step].name) }.values.map {
      kinds in
      let all = kinds.reduce(0) { $0 + $1.times }
      let choices = (1..<1 << kinds.count).map { choice in
        let chosen = kinds.indices.filter { choice >> $0 & 1 == 1 }.map { kinds[$0] }
        let isAny = chosen.map { "m\($0.step)" }.joined(separator: " OR ")
        let others = all - chosen.reduce(0) { $0 + $1.times }
        return "\(others) + count(*) FILTER (WHERE \(isAny)) OVER win"
      }
      return "least(\(all), \(choices.joined(separator: ", ")))"
    }
    return """
      levels AS (
        SELECT who, enters, \(parts.joined(separator: " + ")) AS level FROM scoped
        WHERE true \(isHeld)
        WINDOW win AS (PARTITION BY \(ways) ORDER BY \(milliseconds(of: "moment"))
          RANGE BETWEEN CURRENT ROW AND \(statement.bind(.integer(windowMs))) FOLLOWING)
      ),
      furthest AS (SELECT who, max(level) AS highest FROM levels WHERE enters GROUP BY who),
      reached AS (
        SELECT who, level, NULL::BIGINT AS took
        FROM furthest, (SELECT unnest(range(1, \(steps.count + 1))) AS level)
        WHERE level <= highest
      )
      """
  }

  /// Steps that differ, by the place of the first of their kind, with how often each is there.
  private var distinctSteps: [(step: Int, times: Int)] {
    steps.indices.filter { steps.firstIndex(of: steps[$0]) == $0 }.map { first in
      (first, steps.count { $0 == steps[first] })
    }
  }

  /// The levels.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let none = steps.map { _ in Level(count: 0) }
    var lines: [Int64: Line] = [:]
    for row in rows {
      let place = try row.integer(0)
      let isOthers = place > limit
      var line = try lines[place] ?? Line(group: isOthers ? nil : Group(row, at: 1), levels: none)
      func time(_ column: Int) -> Double? {
        if case .double(let value) = row.values[column] { value } else { nil }
      }
      line.levels[Int(try row.integer(3)) - 1] = Level(
        count: Int(try row.integer(4)),
        medianMs: time(5),
        averageMs: time(6)
      )
      lines[place] = line
    }
    let places = lines.keys.filter { $0 > 0 }.sorted()
    return Output(
      levels: lines[0]?.levels ?? none,
      lines: places.compactMap { lines[$0] }
    )
  }

  // MARK: By definition

  /// The levels by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let ways = ways(events)
    guard breakdown != nil else {
      return Output(levels: levels(Array(ways.values)), lines: [])
    }
    let groups = GroupedMembers(Array(ways.values), by: \.groups)
    let others = groups.others(limit)
    return Output(
      levels: levels(Array(ways.values)),
      lines: groups.largest(limit).map { Line(group: $0.group, levels: levels($0.members)) }
        + (others.isEmpty ? [] : [Line(group: nil, levels: levels(others))])
    )
  }

  /// How one person went.
  struct Way {
    var groups: Set<Group>
    /// For each level reached, how long it took at least; nil in any order.
    var took: [Int64?]
    var id = ""
  }

  private func levels(_ ways: [Way]) -> [Level] {
    steps.indices.map { level in
      let reached = ways.filter { $0.took.count > level }
      let times = reached.compactMap { $0.took[level].map(Double.init) }.sorted()
      return Level(
        count: reached.count,
        medianMs: percentile(times, 0.5),
        averageMs: times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
      )
    }
  }

  /// Everyone who entered.
  func ways(_ events: [StoredEvent]) -> [String: Way] {
    let reading = ScopeReading(scope.over(fromMs: scope.fromMs, toMs: horizonMs), events)
    var own: [String: [StoredEvent]] = [:]
    for event in reading.admitted(events) {
      if let key = reading.key(of: event) { own[key, default: []].append(event) }
    }
    return own.compactMapValues { events in
      let events = events.sorted { EventPlace(of: $0) < EventPlace(of: $1) }
      func isStep(_ step: Int, _ event: StoredEvent) -> Bool {
        steps[step].all.allSatisfy { reading.meets($0, event) }
      }
      func held(_ event: StoredEvent) -> Set<Group> {
        Group.all(of: holding.flatMap { reading.value(of: $0, event) })
      }
      let entries = events.filter { event in
        event.correctedMs < scope.toMs
          && (order == .any
            ? steps.indices.contains { isStep($0, event) } : isStep(0, event))
      }
      let first = entries.first { holding == nil || held($0) != [.missing] }
      guard let first else { return nil }
      let took = best(
        Set(events.flatMap(held)).filter { holding == nil || $0 != .missing }.map { kind in
          guard order != .any else {
            return mostInAnyOrder(events.filter { held($0).contains(kind) }, isStep)
          }
          let own = events.filter { !held($0).isDisjoint(with: [kind, .missing]) }
          return fastest(own, { held($1).contains(kind) && isStep($0, $1) }, reading)
        }
      )
      let groups = Group.all(of: breakdown.flatMap { reading.value(of: $0, first) })
      let id = scope.unit == .people ? reading.people.personID(of: first) : reading.key(of: first)
      return Way(groups: groups, took: took, id: id ?? "")
    }
  }

  /// The furthest of several ways, with the least time for each level.
  private func best(_ ways: [[Int64?]]) -> [Int64?] {
    (0..<(ways.map(\.count).max() ?? 0)).map { level in
      ways.compactMap { $0.count > level ? $0[level] : nil }.min()
    }
  }

  /// Tries every way through a person's events.
  private func fastest(
    _ events: [StoredEvent],
    _ isStep: (Int, StoredEvent) -> Bool,
    _ reading: ScopeReading
  ) -> [Int64?] {
    struct State: Hashable {
      var at: Int
      var start: Int
    }
    let ends = events.map { event in
      exclusions.contains { $0.all.allSatisfy { reading.meets($0, event) } }
    }
    var states = Set(
      events.indices.filter { isStep(0, events[$0]) && events[$0].correctedMs < scope.toMs }
        .map { State(at: $0, start: $0) }
    )
    guard !states.isEmpty else { return [] }
    var took: [Int64?] = [0]
    for step in steps.indices.dropFirst() {
      var next: Set<State> = []
      for state in states {
        for at in events.indices.dropFirst(state.at + 1) where isStep(step, events[at]) {
          let from = window == .fromStart ? state.start : state.at
          let isNear = events[at].correctedMs - events[from].correctedMs <= windowMs
          let isDirect = order != .strict || at == state.at + 1
          let isOpen = !ends[(state.at + 1)..<at].contains(true)
          if isNear, isDirect, isOpen { next.insert(State(at: at, start: state.start)) }
        }
      }
      let times = next.map { events[$0.at].correctedMs - events[$0.start].correctedMs }
      guard let least = times.min() else { break }
      took.append(least)
      states = next
    }
    return took
  }

  private func mostInAnyOrder(
    _ events: [StoredEvent],
    _ isStep: (Int, StoredEvent) -> Bool
  ) -> [Int64?] {
    let events = events.filter { event in steps.indices.contains { isStep($0, event) } }
    let most = events.filter { $0.correctedMs < scope.toMs }.map { first -> Int in
      let inWindow = events.filter {
        $0.correctedMs >= first.correctedMs && $0.correctedMs - first.correctedMs <= windowMs
      }
      return mostTaken(inWindow, isStep)
    }
    return Array(repeating: nil, count: most.max() ?? 0)
  }

  /// The most steps that have an event of their own: each step takes one, and who had it takes another.
  private func mostTaken(
    _ events: [StoredEvent],
    _ isStep: (Int, StoredEvent) -> Bool
  ) -> Int {
    var holder: [Int: Int] = [:]
    func takes(_ step: Int, _ tried: inout Set<Int>) -> Bool {
      for at in events.indices where isStep(step, events[at]) && tried.insert(at).inserted {
        if let other = holder[at], !takes(other, &tried) { continue }
        holder[at] = step
        return true
      }
      return false
    }
    return steps.indices.count { step in
      var tried: Set<Int> = []
      return takes(step, &tried)
    }
  }
}
