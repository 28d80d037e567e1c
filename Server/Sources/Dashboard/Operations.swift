/// How the server is doing and what an owner can do about it, told by whoever put it together.
public struct Operations: Sendable {
  /// Whether one part works.
  public struct Check: Sendable, Hashable {
    /// What it is about.
    public var name: String
    /// What was found, for people.
    public var detail: String
    /// Whether someone should do something.
    public var isProblem: Bool

    /// A check from its parts.
    public init(name: String, detail: String, isProblem: Bool) {
      self.name = name
      self.detail = detail
      self.isProblem = isProblem
    }
  }

  /// A record that the store refused.
  public struct SetAside: Sendable, Hashable {
    /// Its file's name.
    public var name: String
    /// Its size in bytes.
    public var bytes: Int
    /// Why it was refused.
    public var reason: String

    /// A record from its parts.
    public init(name: String, bytes: Int, reason: String) {
      self.name = name
      self.bytes = bytes
      self.reason = reason
    }
  }

  /// Every part's state.
  public var checks: @Sendable () -> [Check]
  /// The records that were set aside; at most as many as asked for, and how many there are.
  public var setAside: @Sendable (_ limit: Int) throws -> (records: [SetAside], count: Int)
  /// Hands every record that was set aside to the log again; returns how many.
  public var replay: @Sendable () throws -> Int

  /// Operations from their parts.
  public init(
    checks: @escaping @Sendable () -> [Check],
    setAside: @escaping @Sendable (Int) throws -> (records: [SetAside], count: Int),
    replay: @escaping @Sendable () throws -> Int
  ) {
    self.checks = checks
    self.setAside = setAside
    self.replay = replay
  }

  /// A server of which nothing is known.
  public static let none = Operations(
    checks: { [] },
    setAside: { _ in ([], 0) },
    replay: { 0 }
  )
}
