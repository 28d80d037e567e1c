import Footfall
import FootfallSystem

/// A plugin that writes down what it is called with, in a journal that several can share.
final class ProbePlugin: Plugin {
  typealias Journal = Lock<[String]>

  let name: String?
  let stage: PluginStage
  let label: String
  let journal: Journal
  /// Changes what passes; nil drops it.
  private let change: @Sendable (Event) -> Event?
  private let onSetUp: @Sendable (any PluginHost) -> Void

  init(
    _ label: String,
    _ stage: PluginStage,
    name: String? = nil,
    journal: Journal = Lock([]),
    change: @escaping @Sendable (Event) -> Event? = { $0 },
    onSetUp: @escaping @Sendable (any PluginHost) -> Void = { _ in }
  ) {
    self.label = label
    self.stage = stage
    self.name = name
    self.journal = journal
    self.onSetUp = onSetUp
    self.change = change
  }

  /// What was written down so far.
  var calls: [String] { journal.withLock { $0 } }

  private func write(_ call: String) {
    journal.withLock { $0.append("\(label) \(call)") }
  }

  func setUp(_ host: any PluginHost) {
    write("setUp")
    onSetUp(host)
  }
  func tearDown() { write("tearDown") }
  func process(_ event: Event) -> Event? {
    write(event.name.text)
    return change(event)
  }
  func receive(_ event: Event) { write(event.name.text) }
  func flush() { write("flush") }
  func userChanged(_ userID: String?) { write("user \(userID ?? "-")") }
  func deviceChanged(_ deviceID: String?) { write("device \(deviceID ?? "-")") }
  func identityChanged(_ user: String?, _ device: String?, _ properties: Properties) {
    write("identity")
  }
  func sessionChanged(_ sessionID: SessionID?) {
    write(sessionID == nil ? "no session" : "session")
  }
  func collectionChanged(_ isOn: Bool) { write("collection \(isOn)") }
  func reset() { write("reset") }
}
