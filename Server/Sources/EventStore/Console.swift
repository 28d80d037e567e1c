/// A statement that somebody wrote, over tables that hold nothing but one project's events.
public struct ConsoleQuery: Sendable, Hashable {
  /// A table that the statement may name.
  public struct Table: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The statement that it stands for; never holds text from outside.
    public var sql: String

    /// A table from its parts.
    public init(_ name: String, _ sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// What was written: one SELECT.
  public var text: String
  /// The tables that it may name.
  public var tables: [Table]
  /// The most rows that are answered.
  public var maxRows: Int
  /// How many rows are passed over first.
  public var skippedRows: Int
  /// After how many seconds it is stopped.
  public var seconds: Double
  /// The most bytes that are answered: those of the values' texts and eight for each value; one that has more is
  /// refused.
  public var maxBytes: Int

  /// The most bytes of an answer unless told.
  public static let usualMaxBytes = 32 << 20

  /// A query from its parts.
  public init(
    text: String,
    tables: [Table],
    maxRows: Int = 1_000,
    skippedRows: Int = 0,
    seconds: Double = 30,
    maxBytes: Int = Self.usualMaxBytes
  ) {
    self.text = text
    self.tables = tables
    self.maxRows = maxRows
    self.skippedRows = skippedRows
    self.seconds = seconds
    self.maxBytes = maxBytes
  }
}

/// What a console's statement answered.
public struct ConsoleAnswer: Sendable, Hashable {
  /// A column of it.
  public struct Column: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its type as the store calls it, such as `BIGINT`.
    public var type: String

    /// A column from its parts.
    public init(_ name: String, _ type: String) {
      self.name = name
      self.type = type
    }

    /// Whether its values are numbers.
    public var isNumber: Bool {
      let words = [
        "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL",
      ]
      // Lists and structures of numbers end otherwise.
      return !type.hasSuffix("]") && !type.hasSuffix(")") && words.contains { type.hasSuffix($0) }
        || type.hasPrefix("DECIMAL(") && type.hasSuffix(")")
    }
  }

  /// The columns.
  public var columns: [Column]
  /// The rows as texts; nil where there is no value.
  public var rows: [[String?]]
  /// Whether there are more rows than were asked for.
  public var isCut: Bool

  /// An answer from its parts.
  public init(columns: [Column], rows: [[String?]], isCut: Bool) {
    self.columns = columns
    self.rows = rows
    self.isCut = isCut
  }
}

/// Why a console's statement was not run, or what was wrong with it; a sentence for who wrote it.
public struct ConsoleProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// A problem that says this.
  public init(_ description: String) {
    self.description = description
  }
}
