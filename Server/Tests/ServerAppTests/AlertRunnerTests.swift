import EventRecord
import EventStore
import Foundation
import FootfallSystem
import HTTPServing
import IngestLog
import Testing
import Webhooks

@testable import Catalog
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
    let isTaken = Monitor(false)
    let server: HTTPServer

    init() throws {
      var router = Router()
      router.post("/hook") { [taken, isTaken] request in
        let text = String(decoding: request.body, as: UTF8.self)
        let status = taken.withLock {
          $0.bodies.append(text)
          return $0.status
        }
        isTaken.change { $0 = true }
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
      // Not before noon: what a day has is judged some minutes after its end.
      nowMs: { max(now / day * day + day / 2, WallClock.milliseconds()) },
      report: { _ in }
    )
    return (fixture, catalog, runner, alert.alert.id)
  }

  /// Looks, and waits for what is told.
  private static func look(_ runner: AlertRunner, times: Int) {
    for _ in 0..<times {
      runner.look()
      runner.waitUntilTold()
    }
  }

  @Test func `asks the question, and tells a fall once`() throws {
    let hook = try Hook()
    let (fixture, catalog, runner, id) = try Self.world((10, 4), rule: .fall(0.5), hook: hook)
    Self.look(runner, times: 4)
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
    Self.look(runner, times: 2)
    #expect(hook.taken.withLock { $0.bodies.isEmpty })
    #expect(try catalog.alert(id, project: 1)?.state.level == .calm)
    _ = try catalog.tellAlert(.test, id: id, by: .user("ada"))
    Self.look(runner, times: 2)
    let bodies = hook.taken.withLock { $0.bodies }
    #expect(bodies.count == 1 && bodies[0].contains(#""kind":"test""#))
    withExtendedLifetime(fixture) {}
  }

  @Test func `keeps what was not taken for another try`() throws {
    let hook = try Hook()
    hook.taken.withLock { $0.status = 500 }
    let (fixture, catalog, runner, id) = try Self.world((1, 9), rule: .over(5), hook: hook)
    Self.look(runner, times: 4)
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
    Self.look(runner, times: 2)
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

  /// As many alerts wait for a webhook that does not answer as there are hands, and more.
  @Test func `tells others at once while one webhook does not answer, and each alert once`() throws
  {
    let isAnswered = Monitor(false)
    let asked = Monitor(0)
    var router = Router()
    router.post("/hook") { _ in
      asked.change { $0 += 1 }
      isAnswered.wait { $0 ? () : nil }
      return .now(.text("", status: 204))
    }
    let silent = try HTTPServer(port: 0, router: router)
    try silent.start()
    let hook = try Hook()
    // The first is looked after last.
    let (fixture, catalog, runner, good) = try Self.world((1, 9), rule: .over(5), hook: hook)
    var terms = try #require(try catalog.alert(good, project: 1)).terms
    terms.webhook = "http://127.0.0.1:\(silent.port)/hook"
    let held = try (0..<24).map { _ in try catalog.createAlert(terms, project: 1).alert.id }
    runner.look()
    runner.look()
    asked.wait { $0 > 0 ? () : nil }
    hook.isTaken.wait { $0 ? () : nil }
    // Rounds go on, and begin nothing anew.
    for _ in 0..<3 { runner.look() }
    #expect(asked.withLock { $0 } == 1)
    #expect(hook.taken.withLock { $0.bodies.count } == 1)
    for id in held { #expect(try catalog.alertNotes(id).map(\.kind) == ["firing"]) }
    isAnswered.change { $0 = true }
    Self.look(runner, times: 2)
    #expect(try catalog.alertNotes(good).map(\.kind) == ["sent", "firing"])
    for id in held { #expect(try catalog.alertNotes(id).map(\.kind) == ["sent", "firing"]) }
    #expect(asked.withLock { $0 } == 24)
    #expect(hook.taken.withLock { $0.bodies.count } == 1)
    silent.stop(drainSeconds: 5)
    withExtendedLifetime(fixture) {}
  }
}

@Suite struct `Whose turn it is to be told` {
  private static func receivers(_ hosts: [String]) -> [WebhookReceiver] {
    hosts.map { WebhookReceiver(of: alert("https://\($0)/hook")) }
  }

  private static func alert(_ webhook: String) -> Alert {
    Alert(
      id: 1,
      project: 1,
      terms: Alert.Terms(
        name: "x",
        question: "trend",
        parameters: "",
        rule: .over(1),
        webhook: webhook
      ),
      state: AlertState(),
      createdAtMs: 0
    )
  }

  @Test func `is one after the other of a host, and of all those that one hand is free for`() {
    var turns = WebhookTurns()
    let all = Self.receivers((0..<20).map { "h\($0).example" })
    #expect(turns.begin(all, among: Set(all)) == Array(all.prefix(16)))
    #expect(turns.begin(all, among: Set(all)).isEmpty)
    turns.end(all[3], wasTaken: true)
    #expect(turns.begin(all, among: Set(all)) == [all[3]])
    turns.end(all[4], wasTaken: nil)
    #expect(turns.begin(Array(all.dropFirst(16)), among: Set(all)) == [all[16]])
  }

  @Test func `comes later to those that took nothing, who leave hands free`() {
    var turns = WebhookTurns()
    let all = Self.receivers((0..<20).map { "h\($0).example" })
    for receiver in turns.begin(all, among: Set(all)) { turns.end(receiver, wasTaken: false) }
    #expect(turns.begin(all, among: Set(all)) == Array(all[16...]) + Array(all.prefix(12)))
    turns.end(all[0], wasTaken: true)
    #expect(turns.begin([all[0]], among: Set(all)) == [all[0]])
    // Who is no receiver any more is forgotten.
    _ = turns.begin([], among: [])
    #expect(turns.failing.isEmpty)
  }

  @Test(arguments: [
    ("https://a.example/x", "https://A.example:443/y", true),
    ("https://a.example/", "http://a.example/", false), ("none", "neither", true),
  ])
  func `is that of a host and port`(one: String, other: String, isSame: Bool) {
    let (one, other) = (Self.alert(one), Self.alert(other))
    #expect((WebhookReceiver(of: one) == WebhookReceiver(of: other)) == isSame)
  }
}
