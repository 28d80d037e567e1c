public import FootfallCore

/// Records that a recorder gave up, and why.
public struct AWSRecorderDrop: Sendable, Hashable {
  /// Why: over a limit of the disk, too old, refused, failed too often, or damaged.
  public var reason: DropReason
  /// How many.
  public var count: Int
  /// The stream they were for; nil if they were for several, or that is not known.
  public var streamName: String?
  /// The service's words, or the disk's; empty if there are none.
  public var message: String

  /// A loss from its parts.
  public init(_ reason: DropReason, count: Int, streamName: String? = nil, message: String = "") {
    self.reason = reason
    self.count = count
    self.streamName = streamName
    self.message = message
  }
}
