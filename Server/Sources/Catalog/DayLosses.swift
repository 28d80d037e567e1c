/// What of a project came on one day and was not kept, or was lost before it came.
public struct DayLosses: Sendable, Hashable {
  /// What kind of loss it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// Single events that were refused, by reason.
    case rejected
    /// Requests that were refused as a whole, by reason.
    case refused
    /// Events that repeated another one of their request.
    case repeated
    /// Events that clients say they dropped before sending, by their reasons.
    case dropped
  }

  /// What is counted together.
  public struct Place: Sendable, Hashable {
    /// The project.
    public let project: UInt32
    /// Days since 1970, UTC.
    public let day: Int64
    /// What kind of loss it is.
    public let kind: Kind
    /// Why, in a word.
    public let reason: String
    /// The library with its version, as the client told; empty where it did not.
    public let library: String

    /// A place from its parts.
    public init(project: UInt32, day: Int64, kind: Kind, reason: String, library: String) {
      self.project = project
      self.day = day
      self.kind = kind
      self.reason = reason
      self.library = library
    }
  }

  /// What is counted.
  public let place: Place
  /// How many.
  public var count: Int

  /// A count from its parts.
  public init(_ place: Place, count: Int) {
    self.place = place
    self.count = count
  }
}

extension Catalog {
  /// Adds what was lost since the last time.
  public func addLosses(_ losses: [DayLosses]) throws(CatalogError) {
    guard !losses.isEmpty else { return }
    try write { (database) throws(CatalogError) in
      for loss in losses {
        try database.run(
          """
          INSERT INTO losses (project, day, kind, reason, library, count)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT (project, day, kind, reason, library) DO UPDATE SET count = count + ?6
          """,
          .integer(Int64(loss.place.project)),
          .integer(loss.place.day),
          .text(loss.place.kind.rawValue),
          .text(loss.place.reason),
          .text(loss.place.library),
          .integer(Int64(loss.count))
        )
      }
      let last = losses.map(\.place.day).max() ?? 0
      try database.run("DELETE FROM losses WHERE day < ?", .integer(last - Self.usageDays))
    }
  }

  /// What a project lost from a day on (days since 1970, UTC), oldest first.
  public func losses(project: UInt32, fromDay: Int64) throws(CatalogError) -> [DayLosses] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT day, kind, reason, library, count FROM losses
        WHERE project = ? AND day >= ? ORDER BY day, kind, reason, library
        """,
        .integer(Int64(project)),
        .integer(fromDay)
      ) { row in
        DayLosses(
          DayLosses.Place(
            project: project,
            day: row.integer(0),
            kind: DayLosses.Kind(rawValue: row.text(1)) ?? .rejected,
            reason: row.text(2),
            library: row.text(3)
          ),
          count: Int(row.integer(4))
        )
      }
    }
  }
}
