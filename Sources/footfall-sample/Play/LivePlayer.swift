import Footfall
import Foundation

/// Plays a live script in real time, until the task is cancelled.
actor LivePlayer {
  /// How often the numbers are told, in seconds.
  static let reportSeconds = 60.0

  private let server: Server
  private let console: Console
  private let period: Period
  private var clients: [String: DeviceClient] = [:]
  private var closing: [String: Task<Void, Never>] = [:]
  private var counts = DeliveryCounts()
  private var problem: DeliveryProblem?
  private var lastReport = Date()

  init(_ server: Server, period: Period, console: Console) {
    self.server = server
    self.period = period
    self.console = console
  }

  /// Plays until the task is cancelled; then everything left is sent.
  ///
  /// - Parameters:
  ///   - script: What happens.
  ///   - joined: Called with the next free number when somebody new has joined.
  /// - Returns: What became of the events, and why some were kept, if they were.
  func play(
    _ script: LiveScript,
    joined: @Sendable (Int) -> Void
  ) async -> (DeliveryCounts, DeliveryProblem?) {
    var script = script
    var number = script.nextPersonNumber
    while !Task.isCancelled {
      let step = script.next()
      if script.nextPersonNumber != number {
        number = script.nextPersonNumber
        joined(number)
      }
      let due = Date(timeIntervalSince1970: Double(step.action.atMs) / 1_000)
      await pause(seconds: due.timeIntervalSinceNow)
      guard !Task.isCancelled else { break }
      await perform(step)
      report()
    }
    await closeAll()
    return (counts, problem)
  }

  private func perform(_ step: LiveScript.Step) async {
    let name = step.device.name
    // The device's folder is free once the last visit's client has ended.
    if let earlier = closing.removeValue(forKey: name) { await earlier.value }
    let client = clients[name] ?? open(step)
    client.perform(step.action)
    if step.isLast {
      clients[name] = nil
      closing[name] = Task { await self.close(client) }
    }
  }

  private func open(_ step: LiveScript.Step) -> DeviceClient {
    let release = step.device.release(atMs: step.action.atMs, period: period)
    let client = DeviceClient(step.device, release, step.person.market, server)
    clients[step.device.name] = client
    return client
  }

  private func close(_ client: DeviceClient) async {
    let problem = await client.flush().problem
    await client.close()
    counts += client.counts
    if let problem { console.problem("\(problem) The events are kept for the next visit.") }
    self.problem = problem
  }

  private func closeAll() async {
    for (name, client) in clients { closing[name] = Task { await self.close(client) } }
    clients = [:]
    for task in closing.values { await task.value }
  }

  private func report() {
    guard Date().timeIntervalSince(lastReport) >= Self.reportSeconds else { return }
    lastReport = Date()
    var all = counts
    clients.values.forEach { all += $0.counts }
    console.say("Live: \(all.sent) events so far, \(all.delivered) delivered.")
  }
}
