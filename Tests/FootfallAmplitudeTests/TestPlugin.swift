import Footfall
import FootfallSystem

/// A plugin that does as a test says and remembers what it was told.
final class TestPlugin: Plugin {
  let stage: PluginStage
  private let change: @Sendable (Event) -> Event?
  private let heard = Lock<[Event]>([])
  private let known = Lock<[Properties]>([])

  init(_ stage: PluginStage, change: @escaping @Sendable (Event) -> Event? = { $0 }) {
    self.stage = stage
    self.change = change
  }

  /// The events that passed, or arrived.
  var events: [Event] { heard.withLock { $0 } }

  /// The person's properties each time the identity changed.
  var identities: [Properties] { known.withLock { $0 } }

  func process(_ event: Event) -> Event? {
    heard.withLock { $0.append(event) }
    return change(event)
  }

  func receive(_ event: Event) {
    heard.withLock { $0.append(event) }
  }

  func identityChanged(_ userID: String?, _ deviceID: String?, _ userProperties: Properties) {
    known.withLock { $0.append(userProperties) }
  }
}
