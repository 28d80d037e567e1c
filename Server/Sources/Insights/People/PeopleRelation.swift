internal import EventStore

/// The people of a project in SQL, a row each, with all that rules look at.
///
/// First the rules are turned into conditions over `p` and `holder`, which says what the rows need;
/// then `sql` is the source. Whoever has an event or an identify that is no test is there.
struct PeopleRelation {
  let project: UInt32
  let setting: PeopleSetting
  private var columns: [Column] = []
  private var conditions: [Condition] = []
  private var hasLastEvent = false

  /// What a rule looks at beside what every person has: counted of parts of their events, then of all.
  private struct Column {
    let part: String
    let whole: String
  }

  init(project: UInt32, setting: PeopleSetting) {
    self.project = project
    self.setting = setting
  }

  /// A rule as a condition: true or false, never NULL.
  mutating func condition(_ rule: PersonRule, _ statement: inout Statement) -> String {
    switch rule {
    case .holds(let condition): return holds(condition, &statement)
    case .didAtLeast(let times, let step, let days):
      return "\(count(step, days, &statement)) >= \(statement.bind(.integer(Int64(times))))"
    case .didAtMost(let times, let step, let days):
      return "\(count(step, days, &statement)) <= \(statement.bind(.integer(Int64(times))))"
    case .firstSeen(let span, let days):
      let moment = statement.bind(.time(setting.daysAgo(days)))
      return "p.first_seen \(span == .within ? ">=" : "<") \(moment)"
    case .active(let span, let days):
      let moment = statement.bind(.time(setting.daysAgo(days)))
      return "\(span == .within ? "" : "NOT ")coalesce(p.last_active >= \(moment), false)"
    case .inList(let list): return isOn(list, &statement)
    case .notInList(let list): return "NOT " + isOn(list, &statement)
    }
  }

  /// The rows as `p`, and `holder` beside them: what holds of the person now.
  func source(_ statement: inout Statement) -> String {
    let projectID = statement.bind(.integer(Int64(project)))
    let counted =
      "e.project_id = \(projectID) AND e.kind < 2 AND NOT e.is_test AND e.person IS NOT NULL"
    let people =
      conditions.contains(where: \.field.isOfPerson)
      ? byPerson(counted) : byNumber(counted, projectID)
    // What the last event says is read of it alone: texts of all events would cost many times more.
    let rows =
      hasLastEvent
      ? """
      WITH told AS MATERIALIZED (\(people)), latest AS (
        SELECT e.person, e.context, e.client
        FROM person_events AS e
          JOIN told ON told.person = e.person AND told.last_told = e.corrected_at
        WHERE \(counted)
        QUALIFY row_number() OVER (PARTITION BY e.person ORDER BY e.seq DESC, e.event_key DESC) = 1
      )
      SELECT told.*, latest.context AS last_context, latest.client AS last_client
      FROM told LEFT JOIN latest ON latest.person = told.person
      """ : people
    return """
      (\(rows)) AS p
      LEFT JOIN current_properties AS holder
        ON holder.subject = p.person AND holder.project_id = \(projectID)
      """
  }

  /// A row for each person, by the person of every event: for rules whose events are told apart by it.
  private func byPerson(_ counted: String) -> String {
    let scope = Scope(project: project, fromMs: 0, toMs: 0)
    return """
      SELECT person, any_value(who) AS who, \(Self.sums)\(columns.map { ", " + $0.whole }.joined())
      FROM (
        SELECT e.person AS person, any_value(e.person_id) AS who, \(parts)
        FROM \(scope.source(others: conditions, needsPerson: true))
        WHERE \(counted)
        GROUP BY e.person
      ) GROUP BY person
      """
  }

  /// The same where that does not matter: events are counted by the number that stands in them, and
  /// only the few numbers are taken together by the person they belong to.
  ///
  /// A device with several users is the exception: its events are each of the user at their time.
  private func byNumber(_ counted: String, _ projectID: String) -> String {
    """
    WITH several AS MATERIALIZED (
      SELECT device FROM device_users WHERE project_id = \(projectID)
      GROUP BY device HAVING count(*) > 1
    ), numbers AS (
      SELECT e.person AS number, NULL::BIGINT AS owner, NULL::VARCHAR AS owner_id,
        any_value(coalesce(e.user_id, e.device_id)) AS who, \(parts)
      FROM events AS e
      WHERE \(counted) AND e.person NOT IN (SELECT device FROM several)
      GROUP BY e.person
      UNION ALL
      SELECT e.person, holding.person, holding.user_id, NULL, \(parts)
      FROM events AS e JOIN device_users AS holding ON holding.device = e.person
        AND e.corrected_at >= holding.from_at AND e.corrected_at < holding.to_at
      WHERE \(counted) AND e.person IN (SELECT device FROM several)
      GROUP BY e.person, holding.person, holding.user_id
    )
    SELECT coalesce(numbers.owner, single.person, numbers.number) AS person,
      any_value(coalesce(numbers.owner_id, single.user_id, numbers.who)) AS who,
      \(Self.sums)\(columns.map { ", " + $0.whole }.joined())
    FROM numbers LEFT JOIN device_users AS single
      ON single.device = numbers.number AND numbers.owner IS NULL
    GROUP BY coalesce(numbers.owner, single.person, numbers.number)
    """
  }

  /// What is counted of each part of a person's events.
  private var parts: String {
    """
    count(*) FILTER (WHERE e.kind = 0) AS events,
      min(e.corrected_at) FILTER (WHERE e.kind = 0) AS first_active,
      max(e.corrected_at) FILTER (WHERE e.kind = 0) AS last_active,
      min(e.corrected_at) AS first_told, max(e.corrected_at) AS last_told\
    \(columns.map { ", " + $0.part }.joined())
    """
  }

  /// What the parts come to.
  private static let sums = """
    sum(events)::BIGINT AS events,
      coalesce(min(first_active), min(first_told)) AS first_seen,
      coalesce(max(last_active), max(last_told)) AS last_seen,
      max(last_active) AS last_active, max(last_told) AS last_told
    """

  private mutating func holds(_ condition: Condition, _ statement: inout Statement) -> String {
    switch condition.field {
    case .user: return condition.sql(&statement)
    case .group:
      // Whoever is not in a group now may have done something in it, so the negation is of both.
      if let plain = condition.comparison.negated {
        return "NOT "
          + holds(Condition(condition.field, plain, condition.value), &statement)
      }
      let now = condition.sql(
        on: json(condition.field, .membership, "holder.groups", &statement),
        &statement
      )
      let then = condition.sql(
        on: json(condition.field, .groups, "e.groups", &statement),
        &statement
      )
      let column = add(
        "coalesce(bool_or(e.kind = 0 AND e.groups IS NOT NULL AND \(then)), false)",
        taken: "bool_or"
      )
      return "(\(now) OR \(column))"
    default:
      hasLastEvent = true
      let json = condition.field.json(&statement) { column in
        switch column {
        case .context: "p.last_context"
        case .client: "p.last_client"
        default: nil
        }
      }
      return condition.sql(on: json, &statement)
    }
  }

  private func json(
    _ field: Field,
    _ column: Field.Column,
    _ text: String,
    _ statement: inout Statement
  ) -> String {
    field.json(&statement) { $0 == column ? text : nil }
  }

  private mutating func count(
    _ step: FunnelStep,
    _ days: Int?,
    _ statement: inout Statement
  ) -> String {
    conditions += step.conditions
    let time =
      days.map { " AND e.corrected_at >= \(statement.bind(.time(setting.daysAgo($0))))" } ?? ""
    return add(
      "count(*) FILTER (WHERE e.kind = 0 AND \(step.sql(&statement))\(time))",
      taken: "sum"
    )
  }

  private mutating func add(_ aggregate: String, taken whole: String) -> String {
    let name = "c\(columns.count)"
    let sum = "\(whole)(\(name))" + (whole == "sum" ? "::BIGINT" : "")
    columns.append(Column(part: "\(aggregate) AS \(name)", whole: "\(sum) AS \(name)"))
    return "p.\(name)"
  }

  private func isOn(_ list: Int64, _ statement: inout Statement) -> String {
    let numbers = setting.lists[list] ?? []
    guard !numbers.isEmpty else { return "false" }
    let text = statement.bind(numbers.map(String.init).joined(separator: ","))
    let project = statement.bind(.integer(Int64(project)))
    let members = "unnest(string_split(\(text), ',')::BIGINT[])"
    return """
      (p.person IN (SELECT \(members) UNION SELECT d.person FROM device_users AS d
        WHERE d.project_id = \(project) AND d.person IS NOT NULL AND d.device IN (SELECT \(members))))
      """
  }
}
