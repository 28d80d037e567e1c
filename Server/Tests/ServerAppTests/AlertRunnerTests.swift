import Catalog
import EventRecord
import EventStore
import Foundation
import FootfallSystem
import HTTPServing
import IngestLog
import Testing
import Webhooks

@testable import ServerApp

/// Alerts from the question to the webhook, over a catalogue, a store in memory and a server on loopback.
@Suite(.timeLimit(.minutes(5))) struct `Looking after alerts` {
  private static let day: Int64 = 86_400_000

  private struct Taken: Sendable {
    var bodies: [String] = []
    var status = 200
  }

  /// What alerts are told to.
  private final class Hook: Sendable {
    let taken = Lock(Taken())
    let server: HTTPServer

    init() throws {
      var router = Router()
      router.post("/hook") { [taken] request in
        let text = String(decoding: request.body, as: UTF8.self)
        let status = taken.withLock {
          $0.bodies.append(text)
          return $0.status
        }
        return .now(.text("", status: status))
      }
      server = try HTTPServer(port: 0, router: router)
      try server.start()
    }

    deinit { server.stop(drainSeconds: 5) }

    var address: String { "http://127.0.0.1:\(server.port)/hook" }
  }

  /// Events of yesterday and the day before, by the machine's clock: the catalogue's is that one.
  private static func events(_ counts: (before: Int, yesterday: Int), nowMs: Int64) -> [StoredEvent]
  {
    let today = nowMs / day * day
    let times =
      Array(repeating: today - 2 * day + 1, count: counts.before)
      + Array(repeating: today - day + 1, count: counts.yesterday)
    return times.enumerated().map { number, at in
      StoredEvent(
        key: EventKey(high: 7, low: UInt64(number)),
        project: 1,
        name: "Bought",
        timestampMs: at,
        deviceID: "d"
      )
    }
  }

  private static func world(
    _ counts: (before: Int, yesterday: Int),
    rule: AlertRule,
    hook: Hook,
    allowsPrivate: Bool = true
  ) throws -> (FolderFixture, Catalog, AlertRunner, Int64) {
    let fixture = try FolderFixture()
    // What the fixture has is no key; one is made when it is needed.
    try FileManager.default.removeItem(atPath: fixture.data.path + "/master.key")
    let catalog = try Catalog(path: fixture.data.catalogue)
    _ = try catalog.prepareFirstStart()
    let now = WallClock.milliseconds()
    let alert = try catalog.createAlert(
      Alert.Terms(
        name: "Sales",
        question: "trend",
        parameters: "events=Bought&interval=day&range=7d",
        rule: rule,
        webhook: hook.address
      ),
      project: 1
    )
    let runner = AlertRunner(
      catalog: catalog,
      store: InMemoryEventStore(events(counts, nowMs: now)),
      sender: WebhookSender(allowsPrivate: allowsPrivate),
      // At noon: what a day has is judged some minutes after its end.
      nowMs: { now / day * day + day / 2 },
      report: { _ in }
    )
    return (fixture, catalog, runner, alert.alert.id)
  }

  @Test func `asks the question, and tells a fall once`() throws {
    let hook = try Hook()
    let (fixture, catalog, runner, id) = try Self.world((10, 4), rule: .fall(0.5), hook: hook)
    for _ in 0..<4 { runner.look() }
    let bodies = hook.taken.withLock { $0.bodies }
    #expect(bodies.count == 1)
    let body = try #require(bodies.first)
    for part in [
      #""kind":"firing""#, #""value":4"#, #""before":10"#, #""rule":"fall""#, #""amount":0.5"#,
      #""id":"\#(id)-1""#, #""project":{"id":1,"name":"Notes"}"#,
    ] { #expect(body.contains(part), "\(part) \(body)") }
    let state = try #require(try catalog.alert(id, project: 1)).state
    #expect(state.level == .firing && state.told == .firing && state.messages.isEmpty)
    #expect(try catalog.alertNotes(id).map(\.kind) == ["sent", "firing"])
    withExtendedLifetime(fixture) {}
  }

  @Test func `tells nothing of what is calm, and a test when asked`() throws {
    let hook = try Hook()
    let (fixture, catalog, runner, id) = try Self.world((10, 9), rule: .fall(0.5), hook: hook)
    for _ in 0..<2 { runner.look() }
    #expect(hook.taken.withLock { $0.bodies.isEmpty })
    #expect(try catalog.alert(id, project: 1)?.state.level == .calm)
    _ = try catalog.tellAlert(.test, id: id, by: .user("ada"))
    for _ in 0..<2 { runner.look() }
    let bodies = hook.taken.withLock { $0.bodies }
    #expect(bodies.count == 1 && bodies[0].contains(#""kind":"test""#))
    withExtendedLifetime(fixture) {}
  }

  @Test func `keeps what was not taken for another try`() throws {
    let hook = try Hook()
    hook.taken.withLock { $0.status = 500 }
    let (fixture, catalog, runner, id) = try Self.world((1, 9), rule: .over(5), hook: hook)
    for _ in 0..<4 { runner.look() }
    #expect(hook.taken.withLock { $0.bodies.count } == 1)
    let message = try #require(try catalog.alert(id, project: 1)?.state.messages.first)
    #expect(message.attempts == 1)
    #expect(
      try catalog.alertNotes(id).first?.detail
        == "message 1, attempt 1: it answered with status 500"
    )
    withExtendedLifetime(fixture) {}
  }

  @Test func `asks nothing in a private network unless that is allowed`() throws {
    let hook = try Hook()
    let (fixture, catalog, runner, id) = try Self.world(
      (1, 9),
      rule: .over(5),
      hook: hook,
      allowsPrivate: false
    )
    for _ in 0..<2 { runner.look() }
    #expect(hook.taken.withLock { $0.bodies.isEmpty })
    #expect(try catalog.alertNotes(id).first?.detail.contains("private network") == true)
    withExtendedLifetime(fixture) {}
  }

  @Test func `says why a question has no number`() throws {
    let hook = try Hook()
    let (fixture, catalog, runner, id) = try Self.world((1, 9), rule: .over(5), hook: hook)
    var terms = try #require(try catalog.alert(id, project: 1)).terms
    terms.parameters = "events=Bought&interval=day&range=today"
    try catalog.changeAlert(id, to: terms, project: 1)
    runner.look()
    let state = try #require(try catalog.alert(id, project: 1)).state
    #expect(state.level == .unknown && state.problem?.contains("no number") == true)
    withExtendedLifetime(fixture) {}
  }
}
