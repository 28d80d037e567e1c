import FootfallCore

/// A screen was shown: `[Amplitude] Screen Viewed` with its name.
public final class ScreenViewedEvent: BaseEvent {
  /// A screen by its name.
  public convenience init(screenName: String) {
    let content = EventVocabulary.amplitude.screenView(screenName)
    self.init(eventType: content.name.text, eventProperties: content.properties.untyped)
  }
}
