package import FootfallCore

extension Engine {
  /// What counts of the server's configuration.
  package var remoteConfiguration: RemoteConfiguration { remote.current }

  /// What the library does by itself now, by the app's choice and the server's.
  ///
  /// For what captures events; any thread.
  package var features: FeatureSet { remote.features }

  /// What counts from here on, each time it changes; ends with the engine.
  package var remoteConfigurationChanges: AsyncStream<RemoteConfiguration> { remote.changes() }

  /// Asks the server again, unless it was asked in the last five minutes.
  package func refreshRemoteConfiguration() {
    inbox.post(.refreshConfiguration)
  }
}
