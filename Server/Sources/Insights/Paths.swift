import EventRecord
public import EventStore
public import Foundation

/// What people did after an event, or before it.
///
/// A trail is what one person did in one session, or on one calendar day, in the order of corrected
/// times, then of the client's counter. Each trail has one path at most: from the first event that is
/// the anchor on, or from the last one backwards. Without an anchor a path starts with the trail itself,
/// or ends with it. Only events in the scope's time are part of a trail.
public struct Paths: Insight {
  /// Where paths lead.
  public enum Direction: String, Sendable, CaseIterable {
    /// From the anchor on.
    case from
    /// Up to the anchor.
    case to
  }

  /// What makes a trail.
  public enum Trail: String, Sendable, CaseIterable {
    /// One person under one session id; events outside any session are left out.
    case session
    /// One person on one calendar day.
    case day
  }

  /// One event of a path, by how far it is from the anchor; nil stands for all others there.
  public struct Place: Sendable, Hashable {
    /// How many steps from the anchor; the anchor itself is 0.
    public var step: Int
    /// The event's name; nil for all others.
    public var name: String?
    /// How many paths have it there.
    public var count: Int
    /// How many paths end there, or, leading to the anchor, begin there; of paths cut by the number of
    /// steps none is known to.
    public var ends: Int
  }

  /// How many paths have one name directly after another, seen from the anchor.
  public struct Link: Sendable, Hashable {
    /// How many steps from the anchor the near one is.
    public var step: Int
    /// The name nearer to the anchor; nil for all others.
    public var near: String?
    /// The name one step further; nil for all others.
    public var far: String?
    /// How many paths.
    public var count: Int
  }

  /// A path as a whole.
  public struct Path: Sendable, Hashable {
    /// The names in the order in which things happened.
    public var names: [String]
    /// How many trails took it.
    public var count: Int
    /// How many different people.
    public var people: Int
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// How many trails have a path.
    public var count: Int
    /// Of how many different people.
    public var people: Int
    /// What stands where: by step, then the most frequent first, all others last.
    public var places: [Place]
    /// What follows what: by step, then the most frequent first.
    public var links: [Link]
    /// The most frequent paths as a whole, cut by the number of steps.
    public var paths: [Path]
  }

  /// How many events a path may have.
  public static let stepLimits = 2...8
  /// How many whole paths are told.
  public static let maxPaths = 20

  /// Which events, and whom the question counts.
  public var scope: Scope
  /// Where days begin.
  public var timeZone: TimeZone
  /// What paths lead from or to; nil for the trail's own start or end.
  public var anchor: FunnelStep?
  /// Where they lead.
  public var direction: Direction
  /// What makes a trail.
  public var trail: Trail
  /// How many events a path has at most, the anchor among them; 2 to 8.
  public var steps: Int
  /// Whether an event that is repeated at once counts as one.
  public var mergesRepeats: Bool
  /// How many names a step has of its own; 1 to 20.
  public var limit: Int

  /// The question from its parts.
  public init(
    _ scope: Scope,
    timeZone: TimeZone = .gmt,
    anchor: FunnelStep? = nil,
    direction: Direction = .from,
    trail: Trail = .session,
    steps: Int = 5,
    mergesRepeats: Bool = false,
    limit: Int = 6
  ) {
    self.scope = scope
    self.timeZone = timeZone
    self.anchor = anchor
    self.direction = direction
    self.trail = trail
    self.steps = min(max(Self.stepLimits.lowerBound, steps), Self.stepLimits.upperBound)
    self.mergesRepeats = mergesRepeats
    self.limit = min(max(1, limit), 20)
  }

  var days: CalendarBuckets {
    CalendarBuckets(
      TimeAxis(.day, timeZone: timeZone),
      fromMs: scope.fromMs,
      toMs: scope.toMs
    )
  }

  /// The scope with the time that days can be counted in.
  var counted: Scope {
    let days = days
    return trail == .day ? scope.over(fromMs: days.fromMs, toMs: days.toMs) : scope
  }

  // MARK: In SQL

  /// What a row of the answer is about.
  private enum Part: Int64 {
    case whole
    case path
    case place
    case link
  }

  /// The statement: all paths counted; the most frequent as a whole; names and links by step.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let columns = (1...steps).map { "c\($0)" }
    let most = Self.stepLimits.upperBound
    func padded(_ codes: [String]) -> String {
      (codes + [String](repeating: "NULL", count: most - codes.count)).joined(separator: ", ")
    }
    let stepped = (1...steps).map { step in
      """
      SELECT \(step) AS step, c\(step) AS near, \(step < steps ? "c\(step + 1)" : "NULL::BIGINT") AS far,
        sum(trails)::BIGINT AS trails
      FROM alike WHERE c\(step) IS NOT NULL GROUP BY near, far
      """
    }
    let paths = PathCodes(self).paths(&statement)
    // Of codes a list that ends sooner comes before one that goes on, as with names.
    let order = columns.map { "\($0) NULLS FIRST" }.joined(separator: ", ")
    let same = columns.map { "ranked.\($0) IS NOT DISTINCT FROM paths.\($0)" }
    return statement.sql(
      """
      \(paths), alike AS MATERIALIZED (
        SELECT \(columns.joined(separator: ", ")), count(*) AS trails FROM paths GROUP BY ALL
      ), ranked AS MATERIALIZED (
        SELECT * FROM alike ORDER BY trails DESC, \(order) LIMIT \(Self.maxPaths)
      ), stepped AS MATERIALIZED (
        \(stepped.joined(separator: "\nUNION ALL\n"))
      ), names AS (
        SELECT step, near AS code, sum(trails)::BIGINT AS trails,
          coalesce(sum(trails) FILTER (WHERE far IS NULL AND step < \(steps)), 0)::BIGINT AS ends
        FROM stepped GROUP BY ALL
      ), tops AS (
        SELECT step, code, row_number() OVER (PARTITION BY step ORDER BY trails DESC, code) AS place
        FROM names QUALIFY place <= \(statement.bind(.integer(Int64(limit))))
      ), told(part, step, trails, other, \((1...most).map { "k\($0)" }.joined(separator: ", "))) AS (
        SELECT \(Part.whole.rawValue), NULL::BIGINT, count(*), count(DISTINCT who),
          \(padded(["NULL::BIGINT"])) FROM paths
        UNION ALL
        SELECT \(Part.path.rawValue), NULL, any_value(ranked.trails), count(DISTINCT paths.who),
          \(padded(columns.map { "ranked." + $0 }))
        FROM ranked JOIN paths ON \(same.joined(separator: " AND "))
        GROUP BY \(columns.map { "ranked." + $0 }.joined(separator: ", "))
        UNION ALL
        SELECT \(Part.place.rawValue), names.step, sum(trails)::BIGINT, sum(ends)::BIGINT,
          \(padded(["tops.code"]))
        FROM names LEFT JOIN tops USING (step, code) GROUP BY names.step, tops.code
        UNION ALL
        SELECT \(Part.link.rawValue), stepped.step, sum(trails)::BIGINT, 0,
          \(padded(["near.code", "far.code"]))
        FROM stepped LEFT JOIN tops AS near ON near.step = stepped.step AND near.code = stepped.near
          LEFT JOIN tops AS far ON far.step = stepped.step + 1 AND far.code = stepped.far
        WHERE stepped.far IS NOT NULL GROUP BY stepped.step, near.code, far.code
      )
      SELECT part, step, trails, other, \((1...most).map { "names[k\($0) + 1]" }.joined(separator: ", "))
      FROM told, (SELECT list(name ORDER BY code) AS names FROM vocabulary)
      """
    )
  }

  /// The paths.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    var output = Output(count: 0, people: 0, places: [], links: [], paths: [])
    for row in rows {
      func name(_ place: Int) throws -> String? {
        row.values[4 + place] == .null ? nil : try row.text(4 + place)
      }
      let count = Int(try row.integer(2))
      switch Part(rawValue: try row.integer(0)) {
      case .whole?:
        output.count = count
        output.people = Int(try row.integer(3))
      case .path?:
        let names = try (0..<steps).compactMap { try name($0) }
        output.paths.append(
          Path(names: inOrder(names), count: count, people: Int(try row.integer(3)))
        )
      case .place?:
        output.places.append(
          Place(
            step: Int(try row.integer(1)) - 1,
            name: try name(0),
            count: count,
            ends: Int(try row.integer(3))
          )
        )
      case .link?:
        output.links.append(
          Link(step: Int(try row.integer(1)) - 1, near: try name(0), far: try name(1), count: count)
        )
      case nil: throw StoreError.unexpectedValue(column: 0, expected: "a part of the answer")
      }
    }
    return sorted(output)
  }

  private func inOrder(_ names: [String]) -> [String] {
    direction == .from ? names : names.reversed()
  }

  private func sorted(_ output: Output) -> Output {
    var output = output
    output.places.sort { a, b in
      if a.step != b.step { return a.step < b.step }
      if (a.name == nil) != (b.name == nil) { return b.name == nil }
      return a.count == b.count ? bytesAscend(a.name ?? "", b.name ?? "") : a.count > b.count
    }
    output.links.sort { a, b in
      if a.step != b.step { return a.step < b.step }
      if a.count != b.count { return a.count > b.count }
      return Self.precede([a.near, a.far], [b.near, b.far])
    }
    output.paths.sort { a, b in
      // As the store has them: by names from the anchor on.
      a.count == b.count
        ? Self.precede(inOrder(a.names), inOrder(b.names)) : a.count > b.count
    }
    return output
  }

  /// Lists of names by the bytes of the first that differ; what is missing comes last, but what is
  /// shorter first.
  private static func precede(_ a: [String?], _ b: [String?]) -> Bool {
    for (a, b) in zip(a, b) where a != b {
      guard let a else { return false }
      guard let b else { return true }
      return bytesAscend(a, b)
    }
    return a.count < b.count
  }

  // MARK: By definition

  /// The paths by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let trails = trails(events)
    var whole: [[String]: [String]] = [:]
    for (who, names) in trails { whole[names, default: []].append(who) }
    let ranked = whole.sorted { a, b in
      a.value.count == b.value.count
        ? Self.precede(a.key, b.key) : a.value.count > b.value.count
    }
    var output = Output(
      count: trails.count,
      people: Set(trails.map(\.who)).count,
      places: [],
      links: [],
      paths: ranked.prefix(Self.maxPaths).map { names, people in
        Path(names: inOrder(names), count: people.count, people: Set(people).count)
      }
    )
    let own = (0..<steps).map { step in
      let names = trails.compactMap { $0.names.count > step ? $0.names[step] : nil }
      let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
      return Set(
        counts.sorted { $0.value == $1.value ? bytesAscend($0.key, $1.key) : $0.value > $1.value }
          .prefix(limit).map(\.key)
      )
    }
    for step in 0..<steps {
      let there = trails.filter { $0.names.count > step }
      func told(_ names: [String], _ step: Int) -> String? {
        own[step].contains(names[step]) ? names[step] : nil
      }
      for (name, group) in Dictionary(grouping: there, by: { told($0.names, step) }) {
        let ends = group.count { $0.names.count == step + 1 && step + 1 < steps }
        output.places.append(Place(step: step, name: name, count: group.count, ends: ends))
      }
      let going = there.filter { $0.names.count > step + 1 }
      let pairs = Dictionary(grouping: going) {
        [told($0.names, step), told($0.names, step + 1)]
      }
      for (pair, group) in pairs {
        output.links.append(Link(step: step, near: pair[0], far: pair[1], count: group.count))
      }
    }
    return sorted(output)
  }

  /// The path of each trail that has one, from the anchor on.
  private func trails(_ events: [StoredEvent]) -> [(who: String, names: [String])] {
    struct Key: Hashable {
      var who: String
      var trail: String
    }
    let days = days
    let reading = ScopeReading(counted, events)
    var own: [Key: [StoredEvent]] = [:]
    for event in reading.admitted(events) {
      let trailKey =
        trail == .session
        ? event.sessionID : days.index(of: event.correctedMs).map(String.init) ?? ""
      guard let who = reading.key(of: event), !trailKey.isEmpty else { continue }
      own[Key(who: who, trail: trailKey), default: []].append(event)
    }
    return own.compactMap { key, events in
      var steps: [(name: String, anchors: Bool)] = []
      for event in events.sorted(by: { EventPlace(of: $0) < EventPlace(of: $1) }) {
        let anchors = anchor?.all.allSatisfy { reading.meets($0, event) } ?? true
        if mergesRepeats, let last = steps.last, last.name == event.name {
          steps[steps.count - 1].anchors = last.anchors || anchors
        } else {
          steps.append((event.name, anchors))
        }
      }
      if direction == .to { steps.reverse() }
      guard let start = steps.firstIndex(where: \.anchors) else { return nil }
      return (key.who, steps[start...].prefix(self.steps).map(\.name))
    }
  }
}
