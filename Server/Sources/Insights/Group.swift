import EventRecord
import EventStore

/// What a question was broken down to: one value of a field.
public enum Group: Sendable, Hashable {
  /// A text; a truth value is `true` or `false`, lists and objects are `(list)`, and a whole number that a
  /// decimal number cannot tell from its neighbours is its digits.
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

  private var isText: Bool {
    if case .text(let text) = self { !text.isEmpty } else { false }
  }

  /// The group of a value; a list of one is what is in it.
  init(_ value: PropertyValue?) {
    var value = value
    if case .list(let values)? = value, values.count == 1 { value = values[0] }
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

/// The columns by which a statement breaks down, in three parts: what is read of the event as `field`,
/// and what of that is text and number.
struct GroupColumns {
  let field: String
  let text: String
  let number: String

  /// The columns of a field, read of the event under a name.
  init(_ breakdown: Field?, _ statement: inout Statement, as name: String = "field") {
    switch breakdown {
    case nil: (field, text, number) = ("NULL", "NULL::VARCHAR", "NULL::DOUBLE")
    case .name?: (field, text, number) = ("e.name", name, "NULL::DOUBLE")
    case .person?: (field, text, number) = ("e.person_id", name, "NULL::DOUBLE")
    case let other?:
      field = other.json(&statement)
      let one = """
        CASE WHEN json_type(\(name)) = 'ARRAY' AND json_array_length(\(name)) = 1 \
        THEN nullif(json_extract(\(name), '/0')::VARCHAR, 'null') ELSE \(name) END
        """
      text = """
        CASE json_type(\(one)) WHEN 'VARCHAR' THEN json_extract_string(\(one), '$') \
        WHEN 'BOOLEAN' THEN (\(one))::VARCHAR WHEN 'ARRAY' THEN '(list)' WHEN 'OBJECT' THEN '(list)' \
        ELSE CASE WHEN \(Condition.isBeyondWholes("(\(one))")) THEN \(Condition.whole("(\(one))"))::VARCHAR END END
        """
      // Adding nothing makes a negative zero a zero.
      number = """
        CASE WHEN NOT \(Condition.isBeyondWholes("(\(one))")) THEN \(Condition.number("(\(one))")) + 0.0 END
        """
    }
  }
}
