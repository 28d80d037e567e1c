package import FootfallCore

extension Engine {
  /// What counts of the server's configuration.
  package var remoteConfiguration: RemoteConfiguration { remote.current }

  /// What counts from here on, each time it changes; ends with the engine.
  package var remoteConfigurationChanges: AsyncStream<RemoteConfiguration> { remote.changes() }

  /// Asks the server again, unless it was asked in the last five minutes.
  package func refreshRemoteConfiguration() {
    inbox.post(.refreshConfiguration)
  }
}
