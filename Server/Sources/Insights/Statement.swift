import EventRecord
internal import EventStore

/// The parameters of a statement while its text is put together.
struct Statement {
  private(set) var bindings: [SQLValue] = []

  /// Takes a value and tells how the text names it.
  mutating func bind(_ value: SQLValue) -> String {
    bindings.append(value)
    return "$\(bindings.count)"
  }

  /// Takes values that the text names by their places.
  mutating func bind(_ values: [SQLValue]) { bindings += values }

  /// The same for a text.
  mutating func bind(_ text: String) -> String { bind(.text(text)) }

  /// The statement of this text and the parameters so far.
  ///
  /// Mutating, so that the text, which binds on its way, is put together before the parameters are read.
  mutating func sql(_ text: String) -> SQL { SQL(text, binding: bindings) }
}

/// A column's moment in milliseconds since 1970, in SQL.
///
/// By way of microseconds: DuckDB 2.0.1 fails on `epoch_ms` of a TIMESTAMP_MS, and takes four times as long
/// for that of a TIMESTAMP.
func milliseconds(of column: String) -> String { "(epoch_us(\(column)::TIMESTAMP) // 1000)" }

extension Scope {
  /// The source of rows: the events `e`, with their people and those people's properties where a
  /// condition or one of these fields needs them.
  func source(for fields: [Field] = [], others: [Condition] = [], needsPerson: Bool) -> String {
    let fields = fields + (conditions + others).map(\.field)
    let isOfPerson = needsPerson || segment != nil || fields.contains(where: \.isOfPerson)
    let hasState = fields.contains(where: \.isOfState)
    let subject =
      includesTest
      ? "CASE WHEN e.is_test THEN xor(e.person, \(PersonNumber.saidByTestsMark)) ELSE e.person END"
      : "e.person"
    return (isOfPerson ? "person_events AS e" : "events AS e")
      + (hasState
        ? """
         LEFT JOIN current_properties AS holder
          ON holder.subject = \(subject) AND holder.project_id = e.project_id
        """ : "")
  }

  /// Whether whom the unit counts is known only by the mapping of devices to users.
  var needsPerson: Bool { unit == .people }

  /// Whom an event counts for, in SQL; NULL for nobody.
  var key: String {
    switch unit {
    case .people: "e.person"
    case .devices: "e.device_id"
    case .users: "e.user_id"
    }
  }

  /// Whose a session is, in SQL; NULL for nobody's.
  var sessionKey: String { hasSessionsOfDevices ? "e.device_id" : "e.person" }

  /// Everything but the time, in SQL.
  func admission(_ statement: inout Statement) -> String {
    var parts = [
      "e.project_id = \(statement.bind(.integer(Int64(project)))) AND e.kind = 0"
    ]
    if !includesTest { parts.append("NOT e.is_test") }
    parts += conditions.map { $0.sql(&statement) }
    if let segment { parts.append("e.person IN (\(segment.people(of: project, &statement)))") }
    return parts.joined(separator: "\n  AND ")
  }

  /// The time, in SQL.
  func time(_ statement: inout Statement) -> String {
    "e.corrected_at >= \(statement.bind(.time(fromMs))) AND e.corrected_at < \(statement.bind(.time(toMs)))"
  }
}

extension Field {
  /// The value as a text of JSON, in SQL, NULL where there is none; not for names and people.
  func json(_ statement: inout Statement) -> String {
    json(&statement) { column in
      switch column {
      case .state: "holder.properties"
      case .membership: "holder.groups"
      default: "e.\(column.rawValue)"
      }
    }
  }

  /// The same where a column's JSON lies elsewhere; places in columns without one are left out.
  func json(_ statement: inout Statement, in columns: (Column) -> String?) -> String {
    let values = places.compactMap { place -> String? in
      guard let column = columns(place.column) else { return nil }
      func member(_ name: String) -> String {
        "nullif(footfall_member(\(column), \(statement.bind(name))), 'null')"
      }
      let first = member(place.member)
      guard let suffix = place.suffix else { return first }
      let both = [first, member(suffix)].map { "json_extract_string(\($0), '$')" }
      return """
        CASE WHEN json_type(\(first)) = 'VARCHAR' AND json_type(\(member(suffix))) = 'VARCHAR' \
        AND \(both[1]) <> '' \
        THEN to_json(\(both[0]) || ' ' || \(both[1]))::VARCHAR ELSE \(first) END
        """
    }
    return values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
  }
}

extension Condition {
  /// The condition in SQL: true or false, never NULL.
  func sql(_ statement: inout Statement) -> String {
    if let plain = comparison.negated {
      return "NOT " + Condition(field, plain, value).sql(&statement)
    }
    switch field {
    case .name:
      // Every event has one. Without a `coalesce` a store looks names up among those of a stretch of events,
      // instead of comparing each event's.
      switch comparison {
      case .equals: return "(e.name = \(statement.bind(value)))"
      case .contains: return "contains(e.name, \(statement.bind(value)))"
      default: return textSQL("e.name", &statement)
      }
    case .person:
      let own = textSQL("e.person_id", &statement)
      return comparison == .equals
        ? "(\(own) OR coalesce(e.device_id = \(statement.bind(value)), false))" : own
    default: return sql(on: field.json(&statement), &statement)
    }
  }

  /// The condition on a value that is JSON or NULL: true or false, never NULL.
  func sql(on json: String, _ statement: inout Statement) -> String {
    if let plain = comparison.negated {
      return "NOT " + Condition(field, plain, value).sql(on: json, &statement)
    }
    if comparison == .isThere { return "(\(json) IS NOT NULL)" }
    return """
      coalesce(CASE json_type(\(json)) WHEN 'ARRAY'
        THEN len(list_filter(json_extract(\(json), '$[*]'), lambda x: \(one("x", &statement)))) > 0
        ELSE \(one(json, &statement)) END, false)
      """
  }

  private func textSQL(_ column: String, _ statement: inout Statement) -> String {
    switch comparison {
    case .equals: "coalesce(\(column) = \(statement.bind(value)), false)"
    case .contains: "coalesce(contains(\(column), \(statement.bind(value))), false)"
    case .isThere: "(\(column) IS NOT NULL)"
    default: "false"
    }
  }

  /// The condition on one JSON value that is no list.
  private func one(_ json: String, _ statement: inout Statement) -> String {
    let isText = "json_type(\(json)) = 'VARCHAR'"
    func compared(_ sign: String) -> String {
      guard let number else { return "false" }
      let decimal =
        "coalesce(\(Self.number(json)) \(sign) \(statement.bind(.double(number))), false)"
      guard let whole else { return decimal }
      return """
        CASE WHEN \(Self.whole(json)) IS NOT NULL \
        THEN \(Self.whole(json)) \(sign) \(statement.bind(.integer(whole))) ELSE \(decimal) END
        """
    }
    switch comparison {
    case .equals:
      let text = statement.bind(value)
      return """
        (CASE json_type(\(json)) WHEN 'VARCHAR' THEN json_extract_string(\(json), '$') = \(text)
          WHEN 'BOOLEAN' THEN \(json)::VARCHAR = \(text) ELSE \(compared("=")) END)
        """
    case .contains:
      return "(\(isText) AND contains(json_extract_string(\(json), '$'), \(statement.bind(value))))"
    case .over: return compared(">")
    case .under: return compared("<")
    default: return "false"
    }
  }

  /// A JSON number that is a whole one as a BIGINT, in SQL; of others whatever is near, or NULL.
  static func whole(_ json: String) -> String {
    """
    (CASE json_type(\(json)) WHEN 'BIGINT' THEN TRY_CAST(\(json) AS BIGINT) \
    WHEN 'UBIGINT' THEN TRY_CAST(\(json) AS BIGINT) \
    WHEN 'DOUBLE' THEN TRY_CAST(TRY_CAST(\(json) AS DOUBLE) AS BIGINT) END)
    """
  }

  /// Whether it is a whole number that a DOUBLE cannot tell from its neighbours.
  static func isBeyondWholes(_ json: String) -> String {
    "coalesce(\(whole(json)) NOT BETWEEN -9007199254740991 AND 9007199254740991, false)"
  }

  /// A JSON number as a DOUBLE, in SQL; NULL for anything else.
  static func number(_ json: String) -> String {
    """
    (CASE WHEN json_type(\(json)) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') \
    THEN TRY_CAST(\(json) AS DOUBLE) END)
    """
  }
}
