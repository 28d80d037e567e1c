import FootfallCore

/// One last send of what was stored of a device that was left.
struct DeviceReset {
  let number: Int
  let devices: [String]
  /// When what is left is dropped at the latest, in seconds.
  let deadline: Double
  let done: @Sendable () -> Void
}

/// The client goes on as a new device: what the old one left is sent once more, then dropped. Events of
/// the new one are taken meanwhile, and stay.
extension EngineLoop {
  func reset(limitSeconds: Double, _ done: @escaping @Sendable () -> Void) {
    let number = (resets.last?.number ?? 0) + 1
    resets.append(
      DeviceReset(number: number, devices: leftDevices, deadline: now + limitSeconds, done: done)
    )
    leftDevices = []
    flush(.last) { [weak self] _ in self?.finishReset(number) }
  }

  /// Ends the resets that have taken as long as they may.
  func finishResets(dueBy time: Double) {
    for reset in resets where reset.deadline <= time { finishReset(reset.number) }
  }

  private func finishReset(_ number: Int) {
    guard let index = resets.firstIndex(where: { $0.number == number }) else { return }
    let reset = resets.remove(at: index)
    for destination in destinations { destination.forget(reset.devices) }
    saveState()
    answer(reset.done)
  }
}
