import EventRecord
import EventStore

/// What a question was broken down to: one value of a field.
public enum Group: Sendable, Hashable {
  /// A text; a truth value is `true` or `false`, an object and a list within a list are `(list)`, and a whole
  /// number that a decimal number cannot tell from its neighbours is its digits.
  case text(String)
  /// A number.
  case number(Double)
  /// Events that do not have the field.
  case missing

  /// Whether two groups are the same; texts by their bytes.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a.hasBytes(of: b)
    case (.number(let a), .number(let b)): a == b
    case (.missing, .missing): true
    default: false
    }
  }

  /// Mixes in the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): hasher.combine(ExactText(text))
    case .number(let number): hasher.combine(number)
    case .missing: hasher.combine(0 as UInt8)
    }
  }

  /// The group as people read it.
  public var title: String {
    switch self {
    case .text(""): "(empty)"
    case .text(let text): text
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    case .missing: "(not set)"
    }
  }

  /// The titles of some groups side by side, nil being all others: a text that reads like one of those that
  /// are none stands in quotes.
  static func titles(_ groups: [Group?]) -> [String] {
    let taken = Set(
      groups.compactMap { group -> String? in
        if case .text(let text)? = group, !text.isEmpty { nil } else { group?.title ?? others }
      }
    )
    return groups.map { group in
      guard let group else { return others }
      return taken.contains(group.title) && group.isText ? "“\(group.title)”" : group.title
    }
  }

  private static let others = "All others"

  /// What must be said of groups that come to more than everything together; `noun` is what counts.
  static func overlapNote(_ noun: String) -> String {
    " \(noun) with a list counts once for each value in it, so the lines come to more than the whole."
  }

  private var isText: Bool {
    if case .text(let text) = self { !text.isEmpty } else { false }
  }

  /// The groups that a value counts in: each that is in a list, or the one that it is.
  static func all(of value: PropertyValue?) -> Set<Group> {
    guard case .list(let values)? = value else { return [Group(value)] }
    let groups = Set(values.map { Group($0) }).subtracting([.missing])
    return groups.isEmpty ? [.missing] : groups
  }

  /// The one group of a value that is no list.
  private init(_ value: PropertyValue?) {
    switch value {
    case nil, .null?: self = .missing
    case .text(let text)?: self = .text(text)
    case .boolean(let truth)?: self = .text(truth ? "true" : "false")
    case .list?, .object?: self = .text("(list)")
    case .integer(let number)? where number.isBeyondWholes: self = .text(String(number))
    case .integer(let number)?: self = .number(Double(number))
    case .decimal(let number)?: self = .number(number)
    }
  }

  /// The group in two columns of a row.
  init(_ row: Row, at column: Int) throws {
    if case .double(let number) = row.values[column + 1] {
      self = .number(number)
    } else if row.values[column] == .null {
      self = .missing
    } else {
      self = .text(try row.text(column))
    }
  }

  /// The order of groups that are equally frequent: texts by their bytes, numbers, the missing.
  static func precedes(_ a: Group, _ b: Group) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): bytesAscend(a, b)
    case (.text, _): true
    case (.number(let a), .number(let b)): a < b
    case (.number, .missing): true
    default: false
    }
  }
}

extension Int64 {
  /// Whether a decimal number cannot tell it from its neighbours: from 2⁵³ on.
  var isBeyondWholes: Bool { magnitude >= 1 << 53 }
}

/// What tells the rows of a statement apart: what is read of each event, and the groups that it counts in.
struct GroupColumns {
  /// What is read of an event `e`.
  let field: String
  /// What it is called in tables.
  private let name: String
  private let isJSON: Bool

  /// The columns of a field, read of the event under a name.
  init(_ breakdown: Field?, _ statement: inout Statement, as name: String = "field") {
    self.name = name
    switch breakdown {
    case nil: (field, isJSON) = ("NULL::VARCHAR", false)
    case .name?: (field, isJSON) = ("e.name", false)
    case .person?: (field, isJSON) = ("e.person_id", false)
    case let other?: (field, isJSON) = (other.json(&statement), true)
    }
  }

  /// Tables, the last of them `lines` (field, place, label, amount): in which lines a value of `field` counts.
  ///
  /// The groups for which `weight` over the rows of a table is largest have a line each, by their place from 1
  /// on. All others share one, whose place is NULL, and in it a value that is of several counts once.
  func lines(of table: String, weight: String, limit: String) -> String {
    """
    labels AS MATERIALIZED (\(each(of: "SELECT DISTINCT field FROM \(table)"))),
    tops AS (
      SELECT label, amount,
        row_number() OVER (ORDER BY \(weight) DESC, label NULLS LAST, amount NULLS LAST) AS place
      FROM \(table) AS own JOIN labels ON own.field IS NOT DISTINCT FROM labels.field
      GROUP BY label, amount QUALIFY place <= \(limit)
    ), lines AS MATERIALIZED (
      SELECT DISTINCT field, place, tops.label, tops.amount
      FROM labels LEFT JOIN tops ON labels.label IS NOT DISTINCT FROM tops.label
        AND labels.amount IS NOT DISTINCT FROM tops.amount
    )
    """
  }

  /// The rows of a selection, each once for every group that it counts in: a text `label` or a number `amount`,
  /// or neither.
  func each(of selection: String) -> String {
    guard isJSON else {
      return "SELECT *, \(name) AS label, NULL::DOUBLE AS amount FROM (\(selection))"
    }
    return """
      SELECT * EXCLUDE (groups, own), own.label AS label, own.amount AS amount FROM (
        SELECT *, unnest(
          CASE WHEN len(groups) = 0 THEN [{'label': NULL, 'amount': NULL}] ELSE groups END
        ) AS own
        FROM (SELECT *, \(groups) AS groups FROM (\(selection)))
      )
      """
  }

  /// What is in a list, or the value itself.
  private var groups: String {
    """
    CASE json_type(\(name)) WHEN 'ARRAY' THEN list_distinct(list_transform(
      list_filter(json_extract(\(name), '$[*]')::VARCHAR[], lambda own: own <> 'null'),
      lambda own: \(Self.group("own"))
    )) ELSE [\(Self.group(name))] END
    """
  }

  /// The group of one value.
  private static func group(_ one: String) -> String {
    let digits =
      "CASE WHEN \(Condition.isBeyondWholes(one)) THEN \(Condition.whole(one))::VARCHAR END"
    // Adding nothing makes a negative zero a zero.
    return """
      {'label': CASE json_type(\(one)) WHEN 'VARCHAR' THEN json_extract_string(\(one), '$') \
      WHEN 'BOOLEAN' THEN \(one) WHEN 'ARRAY' THEN '(list)' WHEN 'OBJECT' THEN '(list)' ELSE \(digits) END,
      'amount': CASE WHEN NOT \(Condition.isBeyondWholes(one)) THEN \(Condition.number(one)) + 0.0 END}
      """
  }
}
