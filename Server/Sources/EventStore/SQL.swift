public import EventRecord

/// One value that goes into a statement or comes out of a row; texts are the same only if their bytes are.
public enum SQLValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// True or false.
  case boolean(Bool)
  /// A text.
  case text(String)
  /// A moment, in milliseconds since 1970 (UTC).
  case time(Int64)
  /// A 128-bit event key.
  case key(EventKey)

  /// Whether two values are the same.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.text(let a), .text(let b)): a.hasBytes(of: b)
    case (.time(let a), .time(let b)): a == b
    case (.key(let a), .key(let b)): a == b
    default: false
    }
  }

  /// Mixes in the kind and the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .boolean(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .text(let value):
      hasher.combine(4)
      hasher.combine(ExactText(value))
    case .time(let value):
      hasher.combine(5)
      hasher.combine(value)
    case .key(let value):
      hasher.combine(6)
      hasher.combine(value)
    }
  }
}

/// A statement: its text and, apart from it, the values for its numbered parameters.
///
/// `$1` in the text is the first binding. A value is never pasted into the text.
public struct SQL: Sendable, Hashable {
  /// The text, with numbered parameters.
  public var text: String
  /// The values of the parameters in their order.
  public var bindings: [SQLValue]

  /// A statement from its text and its bindings.
  public init(_ text: String, binding bindings: [SQLValue] = []) {
    self.text = text
    self.bindings = bindings
  }
}

/// The SQL a store speaks; an insight writes its text for it.
public enum Dialect: Sendable, Hashable {
  /// DuckDB 2.
  case duckDB
}
