/// A segment that was kept under a name.
public struct SavedSegment: Sendable, Hashable {
  /// Its number.
  public var id: Int64
  /// The project's number.
  public var project: UInt32
  /// What it is called; 1 to 100 characters.
  public var name: String
  /// Who belongs, in the spelling of whoever works it out; the catalogue does not read it.
  public var definition: String
  /// When it was made, in milliseconds since 1970.
  public var createdAtMs: Int64
  /// When it was changed last.
  public var changedAtMs: Int64
}

/// A list of users and devices that was imported; nothing in it says who they are.
public struct SavedList: Sendable, Hashable {
  /// A line that could not be read.
  public struct Failure: Sendable, Hashable, Codable {
    /// The line's number in the file, from 1 on.
    public var line: Int
    /// What is wrong, as a sentence.
    public var reason: String

    /// A failure from its parts.
    public init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// Its number.
  public var id: Int64
  /// The project's number.
  public var project: UInt32
  /// What it is called; 1 to 100 characters.
  public var name: String
  /// How many different users and devices are on it.
  public var count: Int
  /// How many lines could not be read.
  public var failed: Int
  /// Those of them that are told, the first ones.
  public var failures: [Failure]
  /// When it was imported, in milliseconds since 1970.
  public var createdAtMs: Int64
}
