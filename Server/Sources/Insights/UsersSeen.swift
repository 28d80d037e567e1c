public import EventStore

/// Whether a project ever had a user: where it had none, each device is a person of its own.
public struct UsersSeen: Insight {
  /// The project's number.
  public var project: UInt32

  /// Whether this project had one.
  public init(project: UInt32) {
    self.project = project
  }

  /// The statement: whose a device was is known for longer than its events are kept.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT EXISTS (SELECT 1 FROM events WHERE project_id = $1 AND user_id IS NOT NULL)
        OR EXISTS (SELECT 1 FROM device_users WHERE project_id = $1)
      """,
      binding: [.integer(Int64(project))]
    )
  }

  /// The answer.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Bool { try rows.first?.boolean(0) ?? false }

  /// The answer by definition.
  public func output(over events: [StoredEvent]) -> Bool {
    events.contains { $0.project == project && !$0.userID.isEmpty }
  }
}
