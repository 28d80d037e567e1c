public import EventRecord

/// One row of an answer; columns are numbered from 0 as in the statement.
public struct Row: Sendable, Hashable {
  /// The values in the order of the statement's columns.
  public var values: [SQLValue]

  /// A row from its values.
  public init(_ values: [SQLValue]) {
    self.values = values
  }

  /// A whole number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when the column holds something else.
  public func integer(_ column: Int) throws(StoreError) -> Int64 {
    guard case .integer(let value) = try value(column) else { throw unexpected(column, "integer") }
    return value
  }

  /// A text; empty when the column is NULL.
  ///
  /// - Throws: `StoreError.unexpectedValue` when the column holds something else.
  public func text(_ column: Int) throws(StoreError) -> String {
    switch try value(column) {
    case .text(let value): return value
    case .null: return ""
    default: throw unexpected(column, "text")
    }
  }

  /// A moment, in milliseconds since 1970 (UTC).
  ///
  /// - Throws: `StoreError.unexpectedValue` when the column holds something else.
  public func time(_ column: Int) throws(StoreError) -> Int64 {
    guard case .time(let value) = try value(column) else { throw unexpected(column, "time") }
    return value
  }

  /// A truth value.
  ///
  /// - Throws: `StoreError.unexpectedValue` when the column holds something else.
  public func boolean(_ column: Int) throws(StoreError) -> Bool {
    guard case .boolean(let value) = try value(column) else { throw unexpected(column, "boolean") }
    return value
  }

  /// An event key.
  ///
  /// - Throws: `StoreError.unexpectedValue` when the column holds something else.
  public func key(_ column: Int) throws(StoreError) -> EventKey {
    guard case .key(let value) = try value(column) else { throw unexpected(column, "key") }
    return value
  }

  private func value(_ column: Int) throws(StoreError) -> SQLValue {
    guard values.indices.contains(column) else { throw unexpected(column, "a value") }
    return values[column]
  }

  private func unexpected(_ column: Int, _ expected: String) -> StoreError {
    .unexpectedValue(column: column, expected: expected)
  }
}
