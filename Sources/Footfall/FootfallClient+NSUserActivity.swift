#if canImport(ObjectiveC)
public import Foundation

extension FootfallClient {
  /// Says that a link opened the app, by what the system hands over: a universal link or Handoff.
  ///
  /// The link is `webpageURL`, where it was followed `referrerURL`. Any thread; returns at once.
  ///
  /// - Parameter activity: What the app was asked to go on with.
  public func openedLink(_ activity: NSUserActivity) {
    openedLink(activity.webpageURL, referrer: activity.referrerURL)
  }
}
#endif
