import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
public import Foundation

/// Takes push messages and their tokens, to tell whether messages were received and opened.
///
/// Call it from the app delegate's methods of the same names. Any thread.
public final class AWSPinpointNotificationManager: NSObject, Sendable {
  private let parts: PinpointParts

  init(_ parts: PinpointParts) {
    self.parts = parts
  }

  /// Where launch options have a push message that opened the app; UIKit's name for it.
  private static let remoteNotification = "UIApplicationLaunchOptionsRemoteNotificationKey"

  /// The app was launched: an opened message is recorded.
  ///
  /// - Parameter launchOptions: What it was launched with.
  /// - Returns: Always true, as the app delegate's method wants it.
  @discardableResult
  public func interceptDidFinishLaunching(options launchOptions: [AnyHashable: Any]?) -> Bool {
    noteLaunch(launchOptions)
    return true
  }

  /// Records the message that opened the app, if one did.
  func noteLaunch(_ options: [AnyHashable: Any]?) {
    let message = options?.first { "\($0.key.base)".contains(Self.remoteNotification) }?.value
    guard let payload = message as? [AnyHashable: Any] else { return }
    record(payload, .opened, "inactive")
  }

  /// The system gave the app a token: messages for the endpoint go there from now on.
  public func interceptDidRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
    let token = deviceToken.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let channel = parts.isDebug ? "APNS_SANDBOX" : "APNS"
    parts.store.change { endpoint in
      endpoint.address = token
      endpoint.channelType = channel
    }
    parts.client.change(.profile)
  }

  /// A message came: that it was received or opened is recorded.
  ///
  /// One that comes while the app is inactive was opened by the user.
  public func interceptDidReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) {
    let state = parts.place.name
    switch state {
    case "active": record(userInfo, .receivedInFront, state)
    case "inactive": record(userInfo, .opened, state)
    default: record(userInfo, .receivedInBackground, state)
    }
  }

  /// A message came, and it is known whether the user opened the app by it.
  ///
  /// - Parameters:
  ///   - userInfo: The message.
  ///   - pushEvent: Whether it was opened.
  ///   - shouldHandleNotificationDeepLink: Has no effect: links are the app's to follow.
  public func interceptDidReceiveRemoteNotification(
    _ userInfo: [AnyHashable: Any],
    pushEvent: AWSPinpointPushEvent,
    shouldHandleNotificationDeepLink: Bool
  ) {
    guard case .opened = pushEvent else { return interceptDidReceiveRemoteNotification(userInfo) }
    record(userInfo, .opened, parts.place.name)
  }

  private func record(
    _ payload: [AnyHashable: Any],
    _ occasion: PinpointPush.Occasion,
    _ state: String
  ) {
    guard parts.recordsEvents, parts.problem == nil, let push = PinpointPush(payload) else {
      return
    }
    let content = push.event(occasion, applicationState: state)
    parts.client.track(content.name, content.properties)
  }
}

/// What happened to a push message.
public enum AWSPinpointPushEvent: Int, Sendable {
  /// It came, whether the app was in front or not.
  case received
  /// The user opened the app by it.
  case opened
}
