public import Foundation

/// What the system hands an app that is opened by a link.
public class NSUserActivity: NSObject {
  public let activityType: String
  public var webpageURL: URL?
  public var referrerURL: URL?

  public init(activityType: String) {
    self.activityType = activityType
  }
}
