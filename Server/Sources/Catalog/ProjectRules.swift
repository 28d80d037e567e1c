/// How long a project's events are kept and how many it may send.
public struct ProjectRules: Sendable, Hashable {
  /// How long events of one name are kept.
  public struct NameRetention: Sendable, Hashable {
    /// The events' name.
    public let name: String
    /// Days by the event's own corrected time, 1 to 36,500.
    public let days: Int

    /// A rule from its parts.
    public init(name: String, days: Int) {
      self.name = name
      self.days = days
    }
  }

  /// Days for which events are kept, 1 to 36,500; nil for ever.
  public var retentionDays: Int?
  /// Names that are kept for another time, each once.
  public var names: [NameRetention]
  /// Events a day (UTC) that are taken; nil for any number.
  public var eventsPerDay: Int?

  /// Keeps everything for ever and takes any number.
  public init(
    retentionDays: Int? = nil,
    names: [NameRetention] = [],
    eventsPerDay: Int? = nil
  ) {
    self.retentionDays = retentionDays
    self.names = names
    self.eventsPerDay = eventsPerDay
  }
}

/// What the last run of the retention did for a project.
public struct RetentionRun: Sendable, Hashable {
  /// When it ended, in milliseconds since 1970.
  public let atMs: Int64
  /// Events it removed.
  public let removed: Int
  /// Events removed by all runs.
  public let removedInTotal: Int
}

/// What a project sent on one day.
public struct DayUsage: Sendable, Hashable {
  /// The project.
  public let project: UInt32
  /// Days since 1970, UTC.
  public let day: Int64
  /// Events that were taken.
  public var events: Int
  /// Bytes of their records.
  public var bytes: Int
  /// Events that were turned away because the day's number was reached.
  public var refused: Int

  /// A day's numbers.
  public init(project: UInt32, day: Int64, events: Int = 0, bytes: Int = 0, refused: Int = 0) {
    self.project = project
    self.day = day
    self.events = events
    self.bytes = bytes
    self.refused = refused
  }
}

/// How large the data folder was on a day.
public struct DiskDay: Sendable, Hashable {
  /// Days since 1970, UTC.
  public let day: Int64
  /// Bytes of all its files.
  public let bytes: Int64

  /// A day's size.
  public init(day: Int64, bytes: Int64) {
    self.day = day
    self.bytes = bytes
  }
}
