#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension AWSPinpointNotificationManager {
  /// Whether the app is registered for push messages.
  @MainActor
  public static func isNotificationEnabled() -> Bool {
    UIApplication.shared.isRegisteredForRemoteNotifications
  }

  /// A message came; see `interceptDidReceiveRemoteNotification(_:)`.
  ///
  /// - Parameters:
  ///   - userInfo: The message.
  ///   - handler: Called with `.newData` once it is recorded.
  @MainActor
  public func interceptDidReceiveRemoteNotification(
    _ userInfo: [AnyHashable: Any],
    fetchCompletionHandler handler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    interceptDidReceiveRemoteNotification(userInfo)
    handler(.newData)
  }
}
#else
extension AWSPinpointNotificationManager {
  /// Whether the app is registered for push messages: not on this system.
  public static func isNotificationEnabled() -> Bool { false }
}
#endif
