public import FootfallCore
import FootfallEngine

extension FootfallClient {
  /// What the server says about how the app is to behave, as the client knows it now.
  ///
  /// Empty unless `Configuration.remote` is switched on, and until something is known. Any thread.
  ///
  /// ```swift
  /// let rows = footfall.remoteConfiguration.integer("checkout.rows") ?? 3
  /// ```
  public var remoteConfiguration: RemoteConfiguration { engine.remoteConfiguration }

  /// What the server says from here on, each time that changes; ends when the client does.
  ///
  /// Each call gives a stream of its own. A reader who is slow gets the newest, not each one.
  public var remoteConfigurationChanges: AsyncStream<RemoteConfiguration> {
    engine.remoteConfigurationChanges
  }

  /// Asks the server again, unless it was asked within the last five minutes.
  ///
  /// Returns at once, any thread. The client also asks by itself: at the start, and when the app
  /// comes to the front.
  public func refreshRemoteConfiguration() {
    engine.refreshRemoteConfiguration()
  }
}
