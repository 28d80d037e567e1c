public import struct Foundation.Date

/// What one event says differently from its client.
///
/// Every field left out keeps the client's own value.
public struct EventOptions: Sendable, Hashable {
  /// An id of the app's own, so that tracking the same thing twice counts once.
  ///
  /// 1 to 128 bytes, compared without regard to case. An event with another length is dropped as
  /// `DropReason.invalid`. Default: a new id.
  public var id: String?

  /// When it happened, if not now: up to 3,650 days back; older is dropped as `DropReason.tooOld`.
  ///
  /// A time in the future makes it an event of now. Default: the moment of the call.
  public var time: Date?

  /// The device the event belongs to.
  ///
  /// Default: the client's device id.
  public var deviceID: String?

  /// The user the event belongs to.
  ///
  /// Default: the client's user id, if one is set.
  public var userID: String?

  /// The session the event belongs to: its start in milliseconds since 1970.
  ///
  /// Default: none.
  public var sessionID: Int64?

  /// Groups of this event only: names by group type, such as `["orgId": ["15"]]`.
  ///
  /// Default: none.
  public var groups: [String: [String]]

  /// Whether the event is marked as a test: shown live, hidden from charts.
  ///
  /// Default: nil, the client's `isTest`.
  public var isTest: Bool?

  /// Options for one event.
  public init(
    id: String? = nil,
    at time: Date? = nil,
    deviceID: String? = nil,
    userID: String? = nil,
    sessionID: Int64? = nil,
    groups: [String: [String]] = [:],
    isTest: Bool? = nil
  ) {
    self.id = id
    self.time = time
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.groups = groups
    self.isTest = isTest
  }
}
