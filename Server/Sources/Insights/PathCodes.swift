internal import EventStore

/// How a statement about paths comes by them: names as numbers, in the order of the names.
///
/// A trail's first events are found by numbers that hold the moment and the name. Only where two events of
/// one millisecond are among them, the client's counter and the event's key are asked for the order.
struct PathCodes {
  private let paths: Paths
  private let isFrom: Bool

  init(_ paths: Paths) {
    self.paths = paths
    isFrom = paths.direction == .from
  }

  /// Up to tables `vocabulary` (name, code) and `paths` (who, c1, c2 …), the codes of each from the anchor on.
  func paths(_ statement: inout Statement) -> String {
    let scope = paths.scope
    let counted = paths.counted
    let isOfSession = paths.trail == .session
    let trail = isOfSession ? "e.session_id" : paths.days.number(of: "e.corrected_at")
    let anchors = paths.anchor.map { $0.sql(&statement) } ?? "true"
    let codeBits = codeBits(counted)
    let mark = codeBits.map { bits in
      "((epoch_us(e.corrected_at::TIMESTAMP) - \(counted.fromMs * 1_000)) // 1000 << \(bits)) | code"
    }
    let source = scope.source(others: paths.anchor?.all ?? [], needsPerson: scope.needsPerson)
    let text = """
      WITH vocabulary AS MATERIALIZED (
        SELECT name, row_number() OVER (ORDER BY name) - 1 AS code
        FROM (SELECT DISTINCT name FROM events WHERE project_id = \(scope.project) AND kind = 0)
      ), scoped AS NOT MATERIALIZED (
        SELECT \(scope.key) AS who, \(trail) AS trail, code, \(anchors) AS anchors, \(mark ?? "NULL") AS mark,
          {'at': e.corrected_at, 'seq': e.seq, 'key': e.event_key} AS place
        FROM \(source) JOIN vocabulary ON vocabulary.name = e.name
        WHERE \(scope.admission(&statement)) AND \(counted.time(&statement))
          AND \(scope.key) IS NOT NULL\(isOfSession ? " AND e.session_id IS NOT NULL" : "")
      )
      """
    guard let codeBits else { return text + byPlace() }
    return text + byMark(codeBits)
  }

  /// How many bits a mark has for the code; nil where marks do not do.
  private func codeBits(_ counted: Scope) -> Int? {
    guard paths.anchor == nil, !paths.mergesRepeats else { return nil }
    let (span, isTooLong) = counted.toMs.subtractingReportingOverflow(counted.fromMs)
    guard !isTooLong, span > 0, counted.fromMs >= EventTimes.startMs,
      counted.toMs <= EventTimes.endMs
    else { return nil }
    let bits = 62 - (Int64.bitWidth - span.leadingZeroBitCount)
    return bits >= 20 ? bits : nil
  }

  /// The columns `c1`, `c2` … of elements of a list.
  private func columns(_ element: (Int) -> String) -> String {
    (1...paths.steps).map { "\(element($0)) AS c\($0)" }.joined(separator: ", ")
  }

  private func byMark(_ bits: Int) -> String {
    let ties = (1...paths.steps).map { "marks[\($0)] >> \(bits) = marks[\($0 + 1)] >> \(bits)" }
    return """
      , trails AS MATERIALIZED (
        SELECT who, trail, \(isFrom ? "min" : "max")(mark, \(paths.steps + 1)) AS marks
        FROM scoped GROUP BY who, trail
      ), tied AS MATERIALIZED (
        SELECT who, trail FROM trails WHERE coalesce(\(ties.joined(separator: ", false) OR coalesce(")), false)
          OR (SELECT count(*) FROM vocabulary) > \(Int64(1) << Int64(bits))
      ), ordered AS (
        SELECT who, \(first("code")) AS path FROM scoped SEMI JOIN tied USING (who, trail) GROUP BY who, trail
      ), paths AS MATERIALIZED (
        SELECT who, \(columns { "marks[\($0)] & \((Int64(1) << Int64(bits)) - 1)" })
        FROM trails ANTI JOIN tied USING (who, trail)
        UNION ALL
        SELECT who, \(columns { "path[\($0)]" }) FROM ordered
      )
      """
  }

  private func first(_ column: String) -> String {
    "\(isFrom ? "arg_min" : "arg_max")(\(column), place, \(paths.steps))"
  }

  private func byPlace() -> String {
    var text = ""
    var source = "scoped"
    if paths.mergesRepeats {
      source = "merged"
      text += """
        , begun AS (
          SELECT *, code IS DISTINCT FROM lag(code) OVER way AS begins FROM scoped
          WINDOW way AS (PARTITION BY who, trail ORDER BY place)
        ), numbered AS (
          SELECT *, count(*) FILTER (WHERE begins)
            OVER (PARTITION BY who, trail ORDER BY place ROWS UNBOUNDED PRECEDING) AS run
          FROM begun
        ), merged AS (
          SELECT who, trail, any_value(code) AS code, bool_or(anchors) AS anchors, min(place) AS place
          FROM numbered GROUP BY who, trail, run
        )
        """
    }
    if paths.anchor == nil {
      text +=
        ", ordered AS (SELECT who, \(first("code")) AS path FROM \(source) GROUP BY who, trail)"
    } else {
      text += """
        , starts AS (
          SELECT who, trail, \(isFrom ? "min" : "max")(place) AS start FROM \(source)
          WHERE anchors GROUP BY who, trail
        ), ordered AS (
          SELECT who, \(first("code")) AS path FROM \(source) JOIN starts USING (who, trail)
          WHERE place \(isFrom ? ">=" : "<=") start GROUP BY who, trail
        )
        """
    }
    return text
      + ", paths AS MATERIALIZED (SELECT who, \(columns { "path[\($0)]" }) FROM ordered)"
  }
}
