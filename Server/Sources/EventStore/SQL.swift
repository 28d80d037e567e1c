public import EventRecord

/// One value that goes into a statement or comes out of a row.
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
