public import EventStore

/// The tables that a console's statement may name: one project's own events, and who did them.
public enum ConsoleTables {
  /// A table's columns with what they hold, for who writes a statement.
  public struct Description: Sendable {
    /// The table's name.
    public let name: String
    /// Column by column: name, type and meaning.
    public let columns: [(name: String, type: String, about: String)]
  }

  /// What the tables hold.
  public static let descriptions = [
    Description(
      name: "events",
      columns: [
        ("time", "TIMESTAMP", "When it happened (UTC), without the error of the client's clock."),
        ("received_at", "TIMESTAMP", "When the server received it (UTC)."),
        ("name", "VARCHAR", "The event's name."),
        ("person", "VARCHAR", "Its user's id, or its device's where nobody signed in."),
        ("is_user", "BOOLEAN", "Whether person is a user's id: a device may have the same one."),
        ("user_id", "VARCHAR", "The user's id in the event itself."),
        ("device_id", "VARCHAR", "The device's id."),
        ("session_id", "VARCHAR", "The session's id."),
        ("test", "BOOLEAN", "Whether a test build sent it."),
        ("props", "VARCHAR", "Its properties as JSON: props ->> 'price'."),
        ("groups", "VARCHAR", "Its groups as JSON."),
        ("context", "VARCHAR", "What the event says of app and device, as JSON."),
        ("client", "VARCHAR", "What the client says of itself, as JSON."),
      ]
    ),
    Description(
      name: "people",
      columns: [
        ("person", "VARCHAR", "As in events."),
        ("is_user", "BOOLEAN", "As in events; people are one by both together."),
        ("first_seen", "TIMESTAMP", "The time of the first event that is no test (UTC)."),
        ("last_seen", "TIMESTAMP", "The time of the last one (UTC)."),
        ("events", "BIGINT", "How many of them there are; whoever has none is not in the table."),
      ]
    ),
  ]

  /// Events with whose they are, as `person_events` has it, and whether that is a user.
  private static let owned = (
    source: """
    main.events AS events LEFT JOIN main.device_users AS owner ON owner.device = events.person
      AND events.corrected_at >= owner.from_at AND events.corrected_at < owner.to_at
    """,
    person: "coalesce(events.user_id, owner.user_id, events.device_id)",
    truth: "coalesce(events.user_id, owner.user_id) IS NOT NULL"
  )

  /// The tables of a project.
  ///
  /// The number is all of it that goes into the text: there is no way to bind a value in a table.
  public static func tables(project: UInt32) -> [ConsoleQuery.Table] {
    [
      ConsoleQuery.Table(
        "events",
        """
        SELECT corrected_at::TIMESTAMP AS time, received_at::TIMESTAMP AS received_at, name,
          \(owned.person) AS person, \(owned.truth) AS is_user, events.user_id, events.device_id, session_id,
          is_test AS test, props, groups, context, client
        FROM \(owned.source) WHERE events.project_id = \(project) AND kind = 0
        """
      ),
      ConsoleQuery.Table(
        "people",
        """
        SELECT \(owned.person) AS person, \(owned.truth) AS is_user,
          min(corrected_at)::TIMESTAMP AS first_seen, max(corrected_at)::TIMESTAMP AS last_seen,
          count(*) AS events
        FROM \(owned.source) WHERE events.project_id = \(project) AND kind = 0
          AND NOT is_test AND coalesce(events.user_id, events.device_id) IS NOT NULL
        GROUP BY 1, 2
        """
      ),
    ]
  }
}

extension ConsoleAnswer {
  /// The answer as comma-separated values with a line of heads; a text that a spreadsheet would take for a
  /// formula gets an apostrophe.
  public var csv: String {
    let heads = columns.map { CSVField.text($0.name) }.joined(separator: ",")
    let lines = rows.map { row in
      zip(row, columns).map { CSVField.text($0 ?? "", isText: !$1.isNumber) }
        .joined(separator: ",")
    }
    return ([heads] + lines).map { $0 + "\r\n" }.joined()
  }
}
