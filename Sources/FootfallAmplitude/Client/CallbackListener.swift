import Footfall
import FootfallCore
import FootfallEngine
import FootfallSystem

/// Tells the configuration's callback of every event that a server judged.
///
/// Listens only while there is one: telling of every event means to read each again.
final class CallbackListener: Sendable {
  private let configuration: Configuration
  private let state = Lock(State())

  private struct State {
    var isListening = false
    var subscription: Subscription?
  }

  init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Someone else subscribed for it.
  func isListening() {
    state.withLock { $0.isListening = true }
  }

  /// Begins to listen, if there is a callback and it does not yet.
  func listen(to client: FootfallClient) {
    guard configuration.callback != nil else { return }
    let begins = state.withLock { state in
      defer { state.isListening = true }
      return !state.isListening
    }
    guard begins else { return }
    let subscription = client.observeResults { [weak self] in self?.tell($0, $1) }
    state.withLock { $0.subscription = subscription }
  }

  /// Tells what became of an event.
  func tell(_ result: EventResult, _ stored: ArraySlice<UInt8>?) {
    guard let told = AmplitudeResult(result.outcome), let callback = configuration.callback else {
      return
    }
    let event: BaseEvent
    if let read = stored.flatMap({ AmplitudeEventReader.read($0) }) {
      event = BaseEvent.make(read)
    } else {
      event = BaseEvent.make(result.name.text)
      event.insertId = result.id
    }
    callback(event, told.status, told.message)
  }
}
