/// Who the events belong to.
public struct Identity: AnalyticsIdentity {
  /// The signed-in user; nil for none.
  public var userId: String?
  /// The device; nil for none.
  public var deviceId: String?
  /// What is known of the user here: what was set on this device since the app was started.
  public var userProperties: [String: Any]

  /// An identity; nothing is known unless given.
  public init(
    userId: String? = nil,
    deviceId: String? = nil,
    userProperties: [String: Any] = [:]
  ) {
    self.userId = userId
    self.deviceId = deviceId
    self.userProperties = userProperties
  }
}
