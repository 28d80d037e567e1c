import Footfall
import Foundation

/// Sends a plan's history: one client per device and app version, a few devices at a time.
actor HistoryPlayer {
  /// How many devices send at once.
  static let devicesAtOnce = 4
  /// How often a device tries before the history is given up, a second or more apart.
  static let maxAttempts = 15

  private let server: Server
  private let console: Console
  private let total: Int
  private var counts = DeliveryCounts()
  private var problem: DeliveryProblem?
  private var lastReport = Date()
  private var lastTold: DeliveryProblem.Kind?

  init(_ server: Server, total: Int, console: Console) {
    self.server = server
    self.total = total
    self.console = console
  }

  /// Sends the history of all devices.
  ///
  /// - Returns: What became of the events, and why it was given up, if it was.
  func play(_ devices: [DeviceHistory]) async -> (DeliveryCounts, DeliveryProblem?) {
    await withTaskGroup(of: Void.self) { group in
      for (index, device) in devices.enumerated() {
        if index >= Self.devicesAtOnce { await group.next() }
        guard problem == nil, !Task.isCancelled else { break }
        group.addTask { await self.play(device) }
      }
    }
    return (counts, problem)
  }

  private nonisolated func play(_ history: DeviceHistory) async {
    for chapter in history.chapters {
      guard !Task.isCancelled, await problem == nil else { return }
      let client = DeviceClient(history.device, chapter.release, history.person.market, server)
      chapter.actions.forEach(client.replay)
      let problem = await deliver(client)
      await client.close()
      await note(client.counts, problem)
    }
  }

  /// Sends until everything is settled, or it is hopeless.
  private nonisolated func deliver(_ client: DeviceClient) async -> DeliveryProblem? {
    for attempt in 1... {
      guard let problem = await client.flush().problem else { return nil }
      await tell(problem)
      guard attempt < Self.maxAttempts, problem.kind != .keyRefused, !Task.isCancelled else {
        return problem
      }
      await pause(seconds: 1)
    }
    return nil
  }

  /// Says a problem, unless it was the last one said: all devices tend to have the same.
  private func tell(_ problem: DeliveryProblem) {
    guard problem.kind != lastTold else { return }
    lastTold = problem.kind
    console.problem("\(problem) Trying again.")
  }

  private func note(_ more: DeliveryCounts, _ problem: DeliveryProblem?) {
    counts += more
    self.problem = self.problem ?? problem
    guard Date().timeIntervalSince(lastReport) >= 2 else { return }
    lastReport = Date()
    let percent = total == 0 ? 100 : counts.delivered * 100 / total
    console.say("\(counts.delivered) of \(total) events delivered (\(percent) %)")
  }
}

/// Waits, or returns at once when the task is cancelled.
func pause(seconds: Double) async {
  do {
    try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1e9))
  } catch {
    // Cancelled: the caller looks at Task.isCancelled.
  }
}
