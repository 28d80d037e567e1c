import CDuckDB
import EventRecord
import EventStore

/// What the writer knows of the tiers, as far as it does.
struct SortingState {
  /// Nil when the table was changed otherwise; counted anew when needed.
  var counts: TierCounts?
  /// The month that is being settled and where its next piece begins.
  var settling: Settling?

  /// How far settling a month is.
  struct Settling {
    let month: TierCounts.Month
    /// How many rows have persons of each range; the ranges in order.
    var ranges: [(range: Int64, rows: Int)]
    /// After which row the next piece begins; nil for the first.
    var after: Place?
  }

  /// A row's place in the order of a settled month.
  struct Place {
    var person: Int64
    var event: EventPlace
    /// Decides between repeats of a key that count, see `DuplicateRule`.
    var ownMs: Int64
  }
}

extension Writer {
  /// The columns by which sorted rows are ordered within a project's month.
  private static let order = "person, corrected_at, seq, event_key, ts"
  private static let month = "(year(corrected_at) * 12 + month(corrected_at) - 1)"
  /// Persons are told apart by their upper 12 bits when a month is cut into pieces.
  private static let rangeBits: Int64 = 52

  /// Does the next piece of sorting, if the rule has one, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - rule: when, and how much.
  ///   - moment: what else there is to do.
  ///   - beforeCommit: called when all is written and not yet committed.
  /// - Returns: how many rows were rewritten; nil when there is nothing to do.
  /// - Throws: `.engine` when nothing was changed.
  func sort(
    _ rule: SortingRule,
    _ moment: SortingRule.Moment,
    beforeCommit: () -> Void = {}
  ) throws(StoreError) -> Int? {
    do throws(StoreError) {
      let counts = try currentCounts()
      let rows: Int
      switch rule.next(counts, settling: sorting.settling?.month, moment) {
      case nil: return nil
      case .move(let count): rows = try move(count, beforeCommit)
      case .settle(let month):
        rows = try settle(month, pieceRows: rule.pieceRows, beforeCommit)
      }
      noteSorted(rows)
      return rows
    } catch {
      connection.rollBack()
      sorting = SortingState()
      throw error
    }
  }

  /// Notes new rows in the hot tier.
  func noteHot(_ rows: Int) { sorting.counts?.hot += rows }

  private func currentCounts() throws(StoreError) -> TierCounts {
    if let counts = sorting.counts { return counts }
    var counts = TierCounts()
    counts.hot = try count("tier = \(Tier.hot.rawValue)")
    for row in try connection.rows(
      SQL(
        """
        SELECT project_id, \(Self.month), tier, count(*) FROM events
        WHERE tier > \(Tier.hot.rawValue) GROUP BY ALL
        """
      )
    ) { try counts.add(row) }
    sorting.counts = counts
    return counts
  }

  private func count(_ condition: String) throws(StoreError) -> Int {
    let rows = try connection.rows(SQL("SELECT count(*) FROM events WHERE \(condition)"))
    return Int(try rows.first?.integer(0) ?? 0)
  }

  // MARK: - From the hot tier into a run

  private func move(_ rows: Int, _ beforeCommit: () -> Void) throws(StoreError) -> Int {
    try connection.run("BEGIN")
    let last = try connection.rows(
      SQL(
        """
        SELECT max(place) FROM (
          SELECT rowid AS place FROM events WHERE tier = \(Tier.hot.rawValue) ORDER BY rowid LIMIT $1
        )
        """,
        binding: [.integer(Int64(rows))]
      )
    )
    guard let row = last.first, row.values[0] != .null else {
      connection.rollBack()
      sorting.counts = nil
      return 0
    }
    let place = try row.integer(0)
    let condition = "tier = \(Tier.hot.rawValue) AND rowid <= \(place)"
    try connection.run(
      """
      CREATE TEMP TABLE piece AS
        SELECT * REPLACE (
          (CASE WHEN person IS NULL THEN \(Tier.settled.rawValue) ELSE \(Tier.run.rawValue) END)::UTINYINT AS tier)
        FROM events WHERE \(condition) ORDER BY \(Self.month), project_id, \(Self.order);
      """
    )
    var counts = sorting.counts ?? TierCounts()
    for row in try connection.rows(
      SQL("SELECT project_id, \(Self.month), tier, count(*) FROM piece GROUP BY ALL")
    ) { try counts.add(row) }
    let moved = try delete(condition)
    counts.hot -= moved
    try finish(beforeCommit)
    sorting.counts = counts
    return moved
  }

  // MARK: - A month's rows together

  private func settle(
    _ month: TierCounts.Month,
    pieceRows: Int,
    _ beforeCommit: () -> Void
  ) throws(StoreError) -> Int {
    var settling: SortingState.Settling
    if let begun = sorting.settling { settling = begun } else { settling = try begin(month) }
    // Enough ranges for a piece; where one person has more, several pieces.
    var rows = 0
    let ranges = settling.ranges.prefix { range in
      defer { rows += range.rows }
      return rows < pieceRows
    }
    guard let first = ranges.first, let last = ranges.last else {
      sorting = SortingState()
      return 0
    }
    let source = try source(month, first.range, last.range, after: settling.after)
    try connection.run("BEGIN")
    _ = try connection.rows(
      SQL(
        """
        CREATE TEMP TABLE places AS SELECT rowid AS place FROM events WHERE \(source.text)
        ORDER BY \(Self.order) LIMIT \(pieceRows)
        """,
        binding: source.bindings
      )
    )
    try connection.run(
      """
      CREATE TEMP TABLE piece AS
        SELECT * REPLACE (\(Tier.settled.rawValue)::UTINYINT AS tier) FROM events
        WHERE rowid IN (SELECT place FROM places) ORDER BY \(Self.order);
      """
    )
    let end = try connection.rows(
      SQL(
        "SELECT \(Self.order) FROM piece ORDER BY \(Self.order.replacing(",", with: " DESC,")) DESC LIMIT 1"
      )
    )
    var counts = sorting.counts ?? TierCounts()
    let places = "rowid IN (SELECT place FROM places)"
    let fromRuns = try delete("tier = \(Tier.run.rawValue) AND \(places)")
    let settled = try delete("tier = \(Tier.settled.rawValue) AND \(places)")
    counts.months[month, default: TierCounts.Sorted()].runs -= fromRuns
    counts.months[month, default: TierCounts.Sorted()].settled += fromRuns
    try connection.run("DROP TABLE places")
    try finish(beforeCommit)
    if fromRuns + settled < pieceRows {
      settling.ranges.removeFirst(ranges.count)
      settling.after = nil
    } else if let row = end.first {
      let place = SortingState.Place(
        person: try row.integer(0),
        event: EventPlace(
          correctedMs: try row.time(1),
          sequence: try row.integer(2),
          key: try row.key(3)
        ),
        ownMs: try row.time(4)
      )
      settling.after = place
      settling.ranges.removeAll { $0.range < place.person >> Self.rangeBits }
    }
    sorting.counts = counts
    sorting.settling = settling.ranges.isEmpty ? nil : settling
    // What was nobody's has been settled before; what came in between is counted.
    if settling.ranges.isEmpty { sorting.counts = nil }
    return fromRuns + settled
  }

  private func begin(_ month: TierCounts.Month) throws(StoreError) -> SortingState.Settling {
    var ranges: [(range: Int64, rows: Int)] = []
    for row in try connection.rows(
      SQL(
        """
        SELECT person >> \(Self.rangeBits) AS range, count(*) FROM events
        WHERE \(Self.condition(month)) AND person IS NOT NULL GROUP BY range ORDER BY range
        """
      )
    ) { ranges.append((try row.integer(0), Int(try row.integer(1)))) }
    return SortingState.Settling(month: month, ranges: ranges)
  }

  private func source(
    _ month: TierCounts.Month,
    _ first: Int64,
    _ last: Int64,
    after: SortingState.Place?
  ) throws(StoreError) -> SQL {
    let lowest = max(first << Self.rangeBits, after?.person ?? .min)
    let highest = last << Self.rangeBits | (1 << Self.rangeBits - 1)
    var text = "\(Self.condition(month)) AND person >= $1 AND person <= $2"
    var bindings: [SQLValue] = [.integer(lowest), .integer(highest)]
    if let after {
      text += " AND (\(Self.order)) > ($3, $4, $5, $6, $7)"
      bindings += [
        .integer(after.person), .time(after.event.correctedMs), .integer(after.event.sequence),
        .key(after.event.key), .time(after.ownMs),
      ]
    }
    return SQL(text, binding: bindings)
  }

  /// The sorted rows of a month.
  private static func condition(_ month: TierCounts.Month) -> String {
    func start(_ number: Int) -> String {
      "make_timestamp(\(number / 12), \(number % 12 + 1), 1, 0, 0, 0)::TIMESTAMP_MS"
    }
    return """
      tier > \(Tier.hot.rawValue) AND project_id = \(month.project)
        AND corrected_at >= \(start(month.number)) AND corrected_at < \(start(month.number + 1))
      """
  }

  // MARK: - Both

  private func delete(_ condition: String) throws(StoreError) -> Int {
    try connection.query(SQL("DELETE FROM events WHERE \(condition)")) { $0.rowsChanged }
  }

  /// Adds the piece's rows and commits.
  private func finish(_ beforeCommit: () -> Void) throws(StoreError) {
    try connection.run("INSERT INTO events BY NAME FROM piece; DROP TABLE piece")
    beforeCommit()
    try connection.run("COMMIT")
  }
}

extension TierCounts {
  /// Adds a row of project, month, tier and number of rows.
  fileprivate mutating func add(_ row: Row) throws(StoreError) {
    let month = Month(
      project: UInt32(clamping: try row.integer(0)),
      number: Int(try row.integer(1))
    )
    let rows = Int(try row.integer(3))
    if try row.integer(2) == Int64(Tier.run.rawValue) {
      months[month, default: Sorted()].runs += rows
    } else {
      months[month, default: Sorted()].settled += rows
    }
  }
}
