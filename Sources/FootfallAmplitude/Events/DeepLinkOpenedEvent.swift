import FootfallCore
public import Foundation

/// A link opened the app: `[Amplitude] Deep Link Opened` with the link and where it was followed.
public final class DeepLinkOpenedEvent: BaseEvent {
  /// A link as text; a nil link is told as an empty text, a nil referrer left out.
  public convenience init(url: String?, referrer: String? = nil) {
    let content = EventVocabulary.amplitude.deepLinkOpened(url: url, referrer: referrer)
    self.init(eventType: content.name.text, eventProperties: content.properties.untyped)
  }

  /// A link, and the one it was followed from.
  public convenience init(url: URL?, referrer: URL? = nil) {
    self.init(url: url?.absoluteString, referrer: referrer?.absoluteString)
  }

  /// A link, and where it was followed as text.
  public convenience init(url: URL?, referrer: String?) {
    self.init(url: url?.absoluteString, referrer: referrer)
  }

  #if canImport(ObjectiveC)
  /// What the system hands over: a universal link or Handoff, by its `webpageURL` and `referrerURL`.
  public convenience init(activity: NSUserActivity) {
    self.init(url: activity.webpageURL, referrer: activity.referrerURL)
  }
  #endif
}
