import FootfallCore
import FootfallPlatform

/// Whether events are collected, sent and kept.
///
/// `ConsentCore` decides; what it says of taking new events the inbox and the pipeline did already,
/// at the call and in its place among the events.
extension EngineLoop {
  /// Feeds the consent core and does what it says.
  func feed(_ input: ConsentCore.Input) {
    let effects = consent.receive(input, at: now)
    // First, since a last send must not be taken for a question that is to be cut off.
    remote?.receive(.collecting(consent.isCollecting))
    selfReporter?.receive(.collecting(consent.isCollecting))
    for effect in effects { perform(effect) }
    let mayKeep = consent.maySend
    guard mayKeep != isCollecting else { return }
    isCollecting = mayKeep
    guard mayKeep else { return }
    for destination in destinations { destination.switchOn() }
    isStateDue = true
  }

  private func perform(_ effect: ConsentCore.Effect) {
    switch effect {
    case .collect: break
    case .cancelSending:
      for destination in destinations { destination.cancelUpload() }
    case .discard:
      isCollecting = false
      for destination in destinations { destination.switchOff() }
      crashFile?.remove()
      remote?.silence()
      selfReporter?.silence()
    case .sendLast(let number):
      flush(.last) { [weak self] _ in self?.feed(.lastSendEnded(number)) }
    case .finishDisable: finishDisabling()
    }
  }

  /// Returns to everyone who wanted one last send.
  func finishDisabling() {
    let finished = disabling
    disabling = []
    for done in finished { answer(done) }
  }

  /// What was asked for up to the last switching-off, and what was asked for after it.
  ///
  /// The first part comes before the events: those are all of later, since the inbox dropped the
  /// ones before.
  static func split(
    _ commands: [Inbox.Command]
  ) -> (beforeEvents: ArraySlice<Inbox.Command>, afterEvents: ArraySlice<Inbox.Command>) {
    let off = commands.lastIndex { if case .disable = $0 { true } else { false } }
    guard let off else { return ([], commands[...]) }
    let next = commands[(off + 1)...].firstIndex { if case .enable = $0 { false } else { true } }
    let end = next ?? commands.endIndex
    return (commands[..<end], commands[end...])
  }
}
