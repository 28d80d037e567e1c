import FootfallCore
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@testable import footfall_sample

@Suite(.timeLimit(.minutes(5))) struct `Playing to a server` {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("footfall-sample-\(UUID().uuidString)").path
  let plan = DemoPlan(DemoPlan.Settings(people: 6, days: 20, anchorMs: 1_764_581_400_000))
  let console = Console(isQuiet: true)

  /// The real SDK and the real transport, but bodies that can be read.
  func server(_ loopback: LoopbackServer) throws -> Server {
    Server(
      endpoint: try #require(URL(string: loopback.url(""))),
      key: "ff_pub_test",
      folder: folder,
      intervalSeconds: 0.05,
      environment: {
        var environment = Environment.live(log: .silent)
        environment.gzip = .none
        return environment
      }
    )
  }

  func removeFolder() {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      Issue.record(error)
    }
  }

  @Test func `the whole history arrives with its ids, times, people and devices`() async throws {
    let loopback = try LoopbackServer()
    defer { loopback.stop() }
    defer { removeFolder() }
    let devices = plan.devices
    let total = devices.reduce(0) { $0 + $1.eventCount }
    let player = HistoryPlayer(try server(loopback), total: total, console: console)
    let (counts, problem) = await player.play(devices)

    #expect(problem == nil)
    #expect(total > 100)
    #expect(counts.sent == total && counts.delivered == total && counts.lost == 0)
    let planned = devices.flatMap { $0.chapters.flatMap(\.actions) }.filter(\.isEvent)
    let received = try loopback.requests.flatMap { try Received.events(in: $0.body) }
    #expect(Set(received.map(\.id)) == Set(planned.map(\.id)))
    #expect(Set(received.map(\.ts)) == Set(planned.map(\.atMs)))
    #expect(received.count == total)
    #expect(Set(received.map(\.device_id)).count == devices.count)
    #expect(received.contains { $0.user_id?.hasPrefix("person-00") == true })
    let apps = try loopback.requests.map { try Received(in: $0.body).client.app }
    #expect(Set(apps).count > 1)
  }

  @Test func `a server that refuses the key ends the history with its reason`() async throws {
    let loopback = try LoopbackServer(.status(401))
    defer { loopback.stop() }
    defer { removeFolder() }
    let player = HistoryPlayer(try server(loopback), total: 1, console: console)
    let (counts, problem) = await player.play(plan.devices)
    #expect(problem?.kind == .keyRefused)
    #expect(counts.delivered == 0)
  }

  @Test func `ending the live part sends what is left`() async throws {
    let loopback = try LoopbackServer()
    defer { loopback.stop() }
    defer { removeFolder() }
    let server = try server(loopback)
    let nowMs = Int64(Date().timeIntervalSince1970 * 1_000)
    let script = LiveScript(plan: plan, startMs: nowMs)
    let player = LivePlayer(server, period: plan.period, console: console)
    let playing = Task { await player.play(script) { _ in } }
    #expect(await loopback.waitForRequests(1))
    playing.cancel()
    let (counts, problem) = await playing.value
    #expect(problem == nil)
    #expect(counts.sent > 0 && counts.delivered == counts.sent)
    let received = try loopback.requests.flatMap { try Received.events(in: $0.body) }
    #expect(received.count == counts.sent)
    #expect(received.allSatisfy { $0.ts >= nowMs })
  }

  @Test func `a record is kept for one server, key and plan`() throws {
    defer { removeFolder() }
    var options = Options()
    options.endpoint = "http://127.0.0.1:4001"
    options.key = "ff_pub_a"
    var record = try PlayRecord.load(options, folder: folder, nowMs: 1_000)
    #expect(record.settings.anchorMs == 1_000 && !record.isHistorySent)
    record.isHistorySent = true
    record.newcomers = 3
    try record.save(options, folder: folder)
    #expect(try PlayRecord.load(options, folder: folder, nowMs: 2_000) == record)

    var other = options
    other.key = "ff_pub_b"
    #expect(try PlayRecord.load(other, folder: folder, nowMs: 2_000).isHistorySent == false)
    other = options
    other.seed = 2
    #expect(try PlayRecord.load(other, folder: folder, nowMs: 2_000).isHistorySent == false)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!names.contains { $0.contains("ff_pub") })
  }
}

/// A request's body as far as these tests look at it.
private struct Received: Decodable {
  struct Client: Decodable { let app: String? }
  struct Event: Decodable {
    let id: String
    let ts: Int64
    let device_id: String
    let user_id: String?
  }
  let client: Client
  let events: [Event]

  init(in body: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(body)) }

  static func events(in body: [UInt8]) throws -> [Event] { try Received(in: body).events }
}
