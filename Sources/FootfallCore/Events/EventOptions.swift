public import struct Foundation.Date

/// What one event says differently from its client.
///
/// Every field left out keeps the client's own value.
///
/// ```swift
/// footfall.track("Order Paid", [:], EventOptions(id: "order-17", context: [.country: "SE"]))
/// ```
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

  /// The session the event belongs to: its start in milliseconds since 1970, its name, or
  /// `SessionID.outside`.
  ///
  /// Default: the session that is open at the time.
  public var sessionID: SessionID?

  /// Groups of this event only: names by group type, such as `["orgId": ["15"]]`.
  ///
  /// Default: none.
  public var groups: [String: [String]]

  /// What this event says about app, device and place, such as `[.appVersion: "4.2.0"]`; a field
  /// of value `nil` takes back what the client says.
  ///
  /// Default: what the client says.
  public var context: EventContext

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
    sessionID: SessionID? = nil,
    groups: [String: [String]] = [:],
    context: EventContext = EventContext(),
    isTest: Bool? = nil
  ) {
    self.id = id
    self.time = time
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.groups = groups
    self.context = context
    self.isTest = isTest
  }

  /// These options with others on top: what the others say wins, field by field.
  ///
  /// Source: `amplitude.md` section 2.3, `mergeEventOptions`.
  public func merging(_ other: EventOptions) -> EventOptions {
    EventOptions(
      id: other.id ?? id,
      at: other.time ?? time,
      deviceID: other.deviceID ?? deviceID,
      userID: other.userID ?? userID,
      sessionID: other.sessionID ?? sessionID,
      groups: other.groups.isEmpty ? groups : other.groups,
      context: other.context.filled(from: context),
      isTest: other.isTest ?? isTest
    )
  }
}
