import FootfallCore
import FootfallSystem

/// A plugin of the app's in the client's pipeline.
final class PluginAdapter: FootfallCore.Plugin, @unchecked Sendable {
  // Sendable by the document's promise: the plugin is called by one thread at a time. The reference to
  // the client is set once.
  let plugin: any UniversalPlugin
  let name: String?
  let stage: PluginStage
  private weak var amplitude: Amplitude?

  init(_ plugin: any UniversalPlugin, of amplitude: Amplitude) {
    self.plugin = plugin
    self.amplitude = amplitude
    name = plugin.name
    stage = PluginStage(plugin.stage)
  }

  func setUp(_ host: any PluginHost) {
    guard let amplitude else { return }
    if let plugin = plugin as? any Plugin {
      plugin.setup(amplitude: amplitude)
    } else {
      plugin.setup(analyticsClient: amplitude, amplitudeContext: amplitude.amplitudeContext)
    }
  }

  func tearDown() {
    plugin.teardown()
  }

  // MARK: Events

  func process(_ event: Event) -> Event? {
    let given = BaseEvent.make(event)
    return plugin.pass(given).map { $0.applied(to: event, isOther: $0 !== given) }
  }

  func receive(_ event: Event) {
    let given = BaseEvent.make(event)
    if let plugin = plugin as? any EventPlugin, !(plugin is DestinationPlugin) {
      _ = plugin.receive(given)
    } else {
      _ = plugin.pass(given)
    }
  }

  func flush() {
    (plugin as? any EventPlugin)?.flush()
  }

  // MARK: Changes

  func userChanged(_ userID: String?) {
    (plugin as? any Plugin)?.onUserIdChanged(userID)
  }

  func deviceChanged(_ deviceID: String?) {
    (plugin as? any Plugin)?.onDeviceIdChanged(deviceID)
  }

  func identityChanged(_ userID: String?, _ deviceID: String?, _ userProperties: Properties) {
    plugin.onIdentityChanged(
      Identity(userId: userID, deviceId: deviceID, userProperties: userProperties.untyped)
    )
  }

  func sessionChanged(_ sessionID: SessionID?) {
    plugin.onSessionIdChanged(sessionID.number)
  }

  func collectionChanged(_ isOn: Bool) {
    plugin.onOptOutChanged(!isOn)
  }

  func reset() {
    plugin.onReset()
  }
}

extension PluginStage {
  /// The stage by its documented name.
  fileprivate init(_ type: PluginType) {
    self =
      switch type {
      case .before: .before
      case .enrichment: .enrichment
      case .destination: .destination
      case .utility: .utility
      case .observe: .observe
      }
  }
}

extension SessionID? {
  /// The session as a number; -1 for none.
  var number: Int64 {
    if case .number(let number) = self { number } else { -1 }
  }
}
