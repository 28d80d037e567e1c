internal import EventStore

/// The people of a project in SQL, a row each, with all that rules look at.
///
/// First the rules are turned into conditions over `p` and `holder`, which says what the rows need;
/// then `sql` is the source. Whoever has an event or an identify that is no test is there.
struct PeopleRelation {
  let project: UInt32
  let setting: PeopleSetting
  private var columns: [String] = []
  private var conditions: [Condition] = []
  private var hasLastEvent = false

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
    let scope = Scope(project: project, fromMs: 0, toMs: 0)
    let people = """
      SELECT e.person AS person, any_value(e.person_id) AS who,
        count(*) FILTER (WHERE e.kind = 0) AS events,
        coalesce(min(e.corrected_at) FILTER (WHERE e.kind = 0), min(e.corrected_at)) AS first_seen,
        coalesce(max(e.corrected_at) FILTER (WHERE e.kind = 0), max(e.corrected_at)) AS last_seen,
        max(e.corrected_at) FILTER (WHERE e.kind = 0) AS last_active,
        max(e.corrected_at) AS last_told\(columns.map { ",\n  " + $0 }.joined())
      FROM \(scope.source(others: conditions, needsPerson: true))
      WHERE \(counted)
      GROUP BY e.person
      """
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
      let column = add("coalesce(bool_or(e.kind = 0 AND e.groups IS NOT NULL AND \(then)), false)")
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
    return add("count(*) FILTER (WHERE e.kind = 0 AND \(step.sql(&statement))\(time))")
  }

  private mutating func add(_ aggregate: String) -> String {
    columns.append("\(aggregate) AS c\(columns.count)")
    return "p.c\(columns.count - 1)"
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
