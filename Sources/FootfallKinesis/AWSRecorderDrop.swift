/// Records that a recorder gave up, and why.
public struct AWSRecorderDrop: Sendable, Hashable {
  /// Why records were given up; may grow.
  public struct Reason: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The name, such as `backlog_full`.
    public let rawValue: String

    /// A reason by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name itself.
    public var description: String { rawValue }

    /// More was kept than `diskByteLimit` allows; the oldest went.
    public static let backlogFull = Reason(rawValue: "backlog_full")
    /// They were kept for longer than `diskAgeLimit` allows.
    public static let tooOld = Reason(rawValue: "too_old")
    /// The service did not take the record for now, more often than `maxRetryCount` allows.
    public static let triedTooOften = Reason(rawValue: "tried_too_often")
    /// The service took the request but not this record, for good.
    public static let rejected = Reason(rawValue: "rejected")
    /// The service could not make sense of the record, sent alone.
    public static let malformed = Reason(rawValue: "malformed")
    /// What had been stored could not be read back; how many records that were is not always known.
    public static let damaged = Reason(rawValue: "damaged")
    /// The disk had no room.
    public static let diskFull = Reason(rawValue: "disk_full")
    /// The folder could not be used.
    public static let storageFailed = Reason(rawValue: "storage_failed")
  }

  /// Why.
  public var reason: Reason
  /// How many.
  public var count: Int
  /// The stream they were for; nil if they were for several, or that is not known.
  public var streamName: String?
  /// The service's words, or the disk's; empty if there are none.
  public var message: String

  /// A loss from its parts.
  public init(_ reason: Reason, count: Int, streamName: String? = nil, message: String = "") {
    self.reason = reason
    self.count = count
    self.streamName = streamName
    self.message = message
  }
}
