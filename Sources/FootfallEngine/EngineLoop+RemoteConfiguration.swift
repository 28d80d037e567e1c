import FootfallCore
import FootfallPlatform

extension EngineLoop: RemoteConfigurationHost {
  /// Shows what the server says, and does it for everything that comes after.
  func configured(_ document: RemoteDocument?, _ source: RemoteConfiguration.Source) {
    features.apply(document?.content)
    if features.ignored > 0 {
      environment.log.warning(
        "\(features.ignored) of the server's settings do not count: another kind of value, or looser."
      )
    }
    // Before anyone hears of the configuration: it is in force then.
    receive(.features(features))
    selfReporter?.follow(features)
    remoteBoard.show(RemoteConfiguration(document, source: source), features)
  }
}
