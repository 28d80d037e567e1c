import Footfall
import FootfallPlatform
import Foundation

/// The whole run: the history unless it was sent before, then the live part until it is ended.
struct SampleApp: Sendable {
  let options: Options
  let console: Console

  /// Plays, and returns the exit status: 0, or 1 if not everything was delivered.
  func run() async throws -> Int32 {
    guard let endpoint = URL(string: options.endpoint) else {
      console.problem("\(options.endpoint) is not an address.")
      return 2
    }
    let folder = options.folder ?? StorageLocation.standard(appID: "footfall-sample").path
    let server = Server(endpoint: endpoint, key: options.key, folder: folder)
    var record = try PlayRecord.load(options, folder: folder, nowMs: Self.nowMs)
    try record.save(options, folder: folder)
    let plan = DemoPlan(record.settings)

    if options.sendsHistory, !record.isHistorySent {
      guard await playHistory(plan, server) else { return 1 }
      record.isHistorySent = !Task.isCancelled
      try record.save(options, folder: folder)
    } else if options.sendsHistory {
      console.say("The history was sent before and is not sent again.")
    }
    guard options.goesLive, !Task.isCancelled else { return 0 }
    return await playLive(plan, server, record) ? 0 : 1
  }

  private static var nowMs: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  private func playHistory(_ plan: DemoPlan, _ server: Server) async -> Bool {
    let devices = plan.devices
    let total = devices.reduce(0) { $0 + $1.eventCount }
    console.say(
      "Sending \(plan.settings.days) days of history: \(total) events of "
        + "\(plan.settings.people) people on \(devices.count) devices."
    )
    let start = Date()
    let player = HistoryPlayer(server, total: total, console: console)
    let (counts, problem) = await player.play(devices)
    let seconds = (Date().timeIntervalSince(start) * 10).rounded() / 10
    guard problem == nil, counts.lost == 0 else {
      console.problem(
        "History: \(counts.delivered) of \(total) events delivered, \(counts.lost) refused. "
          + (problem.map { "\($0)" } ?? "")
      )
      return false
    }
    console.say("History: \(counts.delivered) events delivered in \(seconds) s.")
    return true
  }

  private func playLive(_ plan: DemoPlan, _ server: Server, _ record: PlayRecord) async -> Bool {
    console.say("Live from now on, until interrupted.")
    let script = LiveScript(plan: plan, startMs: Self.nowMs, newcomers: record.newcomers)
    let player = LivePlayer(server, period: plan.period, console: console)
    let (counts, problem) = await player.play(script) { next in
      var record = record
      record.isHistorySent = record.isHistorySent || options.sendsHistory
      record.newcomers = next - plan.settings.people - 1
      do {
        try record.save(options, folder: server.folder)
      } catch {
        console.problem("The record of this run could not be written: \(error)")
      }
    }
    console.say(
      "Live: \(counts.sent) events, \(counts.delivered) delivered, \(counts.lost) refused."
    )
    return problem == nil && counts.lost == 0
  }
}
