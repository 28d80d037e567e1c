/// What reading a store's whole file came upon.
public struct StoreReading: Sendable, Hashable {
  /// How many tables there are.
  public internal(set) var tables = 0
  /// Rows that were read.
  public internal(set) var rows = 0
  /// What cannot be read: the first ten places.
  public internal(set) var damages: [StoreDamage] = []
  /// Pieces of tables beyond those that cannot be read either; up to a million rows each.
  public internal(set) var moreDamages = 0
  /// Whether DuckDB refused to go on before the end, after the last of the damages.
  public internal(set) var isCutShort = false
}

/// A place in a store's file that cannot be read.
public struct StoreDamage: Sendable, Hashable, CustomStringConvertible {
  /// The table.
  public let table: String
  /// Its column; nil where that is not known.
  public let column: String?
  /// The rows among which it lies, counted from 0 in the order in which they are kept; nil for the whole table.
  public let rows: ClosedRange<Int>?
  /// What DuckDB says, with the place in the file where it knows that.
  public let reason: String

  /// The place and the reason.
  public var description: String {
    let column = column.map { ".\($0)" } ?? ""
    let rows = rows.map { ", rows \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return "\(table)\(column)\(rows): \(reason)"
  }
}
