import Footfall
import FootfallPlatform

/// Does at once what takes effect when it is set on a client's configuration.
///
/// The configuration knows this object weakly, and not the client: references to what is known weakly are
/// counted in a table beside it, which every call would pay for.
final class ConfigurationFollower: Sendable {
  private let configuration: Configuration
  private let client: FootfallClient
  private let relay: LogRelay
  private let listener: CallbackListener

  init(
    _ configuration: Configuration,
    _ client: FootfallClient,
    _ relay: LogRelay,
    _ listener: CallbackListener
  ) {
    self.configuration = configuration
    self.client = client
    self.relay = relay
    self.listener = listener
  }

  /// Follows from now on, for as long as the object is kept.
  func begin() {
    configuration.attach(
      Configuration.Listener(
        change: { [weak self] change in self?.follow(change) },
        isOffline: { [weak self] in self?.client.isOffline }
      )
    )
  }

  private func follow(_ change: Configuration.Change) {
    switch change {
    case .optOut(let isOut): if isOut == client.isEnabled { client.setEnabled(!isOut) }
    case .offline(let isOffline): client.isOffline = isOffline
    case .callback: listener.listen(to: client)
    case .logger: relay.log = configuration.loggerProvider
    case .wire:
      client.use { [configuration] in AmplitudeOptions(configuration.values).codec(in: $0) }
    case .context: client.setAppContext(AmplitudeOptions(configuration.values).context)
    }
  }
}
