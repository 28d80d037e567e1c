import Catalog
import Foundation
import Testing

/// What an alert does, told a history.
@Suite struct `An alert` {
  private static let t0: Int64 = 1_764_581_400_000
  private static let minute: Int64 = 60_000

  private static func core(_ rule: AlertRule = .over(10)) -> AlertCore {
    AlertCore(rule: rule, everyMinutes: 15, state: AlertState())
  }

  private static func finding(_ value: Double, before: Double? = nil) -> AlertCore.Input {
    .found(AlertState.Finding(value: value, before: before, bucketMs: nil))
  }

  /// What is to be sent, as kinds.
  private static func sends(_ effects: [AlertCore.Effect]) -> [AlertState.Message.Kind] {
    effects.compactMap { if case .send(let message) = $0 { message.kind } else { nil } }
  }

  @Test(
    arguments: [
      (AlertRule.over(10), 10, nil, false), (.over(10), 10.1, nil, true),
      (.under(10), 10, nil, false),
      (.under(10), 9.9, nil, true), (.rise(0.5), 15, 10, false), (.rise(0.5), 15.1, 10, true),
      (.rise(0), 5, 0, false), (.rise(0.5), 5, nil, false), (.fall(0.5), 5, 10, false),
      (.fall(0.5), 4.9, 10, true), (.fall(1), 0, 10, false), (.fall(0.2), 0, 0, false),
    ] as [(AlertRule, Double, Double?, Bool)]
  )
  func `is broken just past its limit`(rule: AlertRule, value: Double, before: Double?, is: Bool) {
    #expect(rule.isBroken(by: value, before: before) == `is`)
  }

  @Test(arguments: [
    ("over", Double.nan), ("over", .infinity), ("fall", 1.5), ("rise", -1), ("above", 1), ("", 1),
  ])
  func `has no rule of such words and numbers`(word: String, amount: Double) {
    #expect(AlertRule(word, amount) == nil)
  }

  @Test func `looks at once, then when its time is over`() {
    var core = Self.core()
    #expect(core.receive(.time, at: Self.t0) == [.look])
    #expect(core.receive(.time, at: Self.t0 + 15 * Self.minute - 1).isEmpty)
    #expect(core.receive(.time, at: Self.t0 + 15 * Self.minute) == [.look])
    // A clock that was put back by a day does not stop it.
    #expect(core.receive(.time, at: Self.t0 - 86_400_000) == [.look])
  }

  @Test func `tells each change once, however often it looks`() {
    var core = Self.core()
    var told: [AlertState.Message.Kind] = []
    for (index, value) in [5, 11, 12, 50, 3, 2, 20, 1].enumerated() {
      let now = Self.t0 + Int64(index) * 15 * Self.minute
      _ = core.receive(Self.finding(Double(value)), at: now)
      let effects = core.receive(.time, at: now)
      told += Self.sends(effects)
      for case .send(let message) in effects {
        _ = core.receive(.sent(message.number), at: now)
      }
    }
    #expect(told == [.firing, .calm, .firing, .calm])
    #expect(core.state.messages.isEmpty && core.state.lastNumber == 4)
  }

  /// Looks and messages do not wait for each other.
  @Test func `looks and tells apart from each other`() {
    var core = Self.core()
    #expect(core.receive(.timeToTell, at: Self.t0).isEmpty)
    #expect(core.receive(.timeToLook, at: Self.t0) == [.look])
    #expect(core.receive(.timeToLook, at: Self.t0).isEmpty)
    _ = core.receive(Self.finding(20), at: Self.t0)
    #expect(core.receive(.timeToLook, at: Self.t0).isEmpty)
    // One that waits for its turn has not left: what is over before is not told.
    var other = core
    _ = other.receive(Self.finding(1), at: Self.t0 + 1)
    #expect(other.state.messages.isEmpty && other.state.told != .unknown)
    #expect(core.receive(.timeToTell, at: Self.t0).count == 1)
    #expect(core.receive(.timeToTell, at: Self.t0).isEmpty)
    #expect(core.receive(.timeToLook, at: Self.t0 + 15 * Self.minute) == [.look])
  }

  /// The server was down for some buckets: what was too far in one of them is told, and that it is over.
  @Test(
    arguments: [
      ([1, 20, 3], [.firing, .calm]), ([20, 30], [.firing]), ([1, 2], []),
      ([20, 3, 20], [.firing, .calm, .firing]),
    ] as [([Double], [AlertState.Message.Kind])]
  )
  func `tells of every bucket since its last look`(
    values: [Double],
    told: [AlertState.Message.Kind]
  ) {
    var core = Self.core()
    _ = core.receive(Self.finding(1), at: Self.t0)
    let findings = values.enumerated().map { number, value in
      AlertState.Finding(value: value, before: nil, bucketMs: Int64(number))
    }
    _ = core.receive(.foundSince(findings), at: Self.t0 + 1)
    #expect(core.state.messages.map(\.kind) == told)
    var changes: [Double] = []
    for (value, before) in zip(values, [1] + values) where (value > 10) != (before > 10) {
      changes.append(value)
    }
    #expect(core.state.messages.compactMap { $0.finding?.value } == changes)
    var sent: [AlertState.Message.Kind] = []
    for _ in told {
      for case .send(let message) in core.receive(.time, at: Self.t0 + 1) {
        sent.append(message.kind)
        _ = core.receive(.sent(message.number), at: Self.t0 + 1)
      }
    }
    #expect(sent == told && core.state.messages.isEmpty)
    // What is so now is known to be told.
    _ = core.receive(Self.finding(values.last ?? 0), at: Self.t0 + 2)
    #expect(core.state.messages.isEmpty)
  }

  /// What versions before wrote, which knew fewer members.
  @Test(arguments: [
    ("{}", AlertState.Level.unknown, 0), (#"{"level":"firing"}"#, .firing, 0),
    (
      #"{"level":"calm","told":"firing","messages":[{"number":3,"kind":"calm","atMs":5}],"lastNumber":3}"#,
      .calm, 1
    ),
  ])
  func `reads a state of an older version`(
    json: String,
    level: AlertState.Level,
    messages: Int
  )
    throws
  {
    let state = try JSONDecoder().decode(AlertState.self, from: Data(json.utf8))
    #expect(state.level == level && state.messages.count == messages && !state.isPaused)
    #expect(state.messages.allSatisfy { $0.attempts == 0 && $0.nextMs == $0.atMs })
    let again = try JSONDecoder().decode(AlertState.self, from: JSONEncoder().encode(state))
    #expect(again == state)
  }

  @Test func `that is calm from the start tells nothing, one that is not does`() {
    var core = Self.core()
    #expect(core.receive(Self.finding(1), at: Self.t0).isEmpty)
    #expect(Self.sends(core.receive(.time, at: Self.t0)).isEmpty)
    var other = Self.core()
    _ = other.receive(Self.finding(11), at: Self.t0)
    #expect(Self.sends(other.receive(.time, at: Self.t0)) == [.firing])
  }

  @Test func `tries a message ever later, for as long as what it tells is so`() {
    var core = Self.core()
    _ = core.receive(.time, at: Self.t0)
    _ = core.receive(Self.finding(11), at: Self.t0)
    var now = Self.t0
    var notes: [AlertCore.Effect] = []
    for pause: Int64 in [30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000] {
      #expect(Self.sends(core.receive(.time, at: now)) == [.firing], "\(now)")
      notes += core.receive(.failed(1, "no answer"), at: now)
      #expect(Self.sends(core.receive(.time, at: now + pause - 1)).isEmpty)
      now += pause
    }
    #expect(notes.last == .note(.failed, "message 1, attempt 6: no answer"))
    // The same is not begun anew, and what was never told is not taken back.
    _ = core.receive(Self.finding(12), at: now)
    #expect(core.state.messages.map(\.kind) == [.firing])
    _ = core.receive(Self.finding(1), at: now)
    #expect(core.state.messages.isEmpty && core.state.told == .calm)
  }

  @Test func `gives up a test after five attempts, by name`() {
    var core = Self.core()
    _ = core.receive(.test, at: Self.t0)
    var now = Self.t0
    var notes: [AlertCore.Effect] = []
    for _ in 1...5 {
      #expect(Self.sends(core.receive(.time, at: now)) == [.test])
      notes += core.receive(.failed(1, "no answer"), at: now)
      now += 3_600_000
    }
    #expect(core.state.messages.isEmpty)
    #expect(notes.last == .note(.dropped, "message 1, after 5 attempts: no answer"))
  }

  @Test func `that may have been told before a stop is taken back when it is over`() {
    var core = Self.core()
    _ = core.receive(Self.finding(11), at: Self.t0)
    #expect(Self.sends(core.receive(.time, at: Self.t0)) == [.firing])
    // The server stopped before it heard whether the message was taken.
    var next = AlertCore(rule: core.rule, everyMinutes: 15, state: core.state)
    _ = next.receive(Self.finding(1), at: Self.t0 + 1)
    #expect(next.state.messages.map(\.kind) == [.calm])
  }

  @Test func `whose message waited when it was paused is told when it goes on`() {
    var core = Self.core()
    _ = core.receive(Self.finding(11), at: Self.t0)
    #expect(Self.sends(core.receive(.time, at: Self.t0)) == [.firing])
    _ = core.receive(.failed(1, "no answer"), at: Self.t0)
    _ = core.receive(.pause, at: Self.t0)
    _ = core.receive(.resume, at: Self.t0)
    _ = core.receive(Self.finding(12), at: Self.t0)
    #expect(core.state.messages.map(\.kind) == [.firing])
    // What was told is not told again.
    _ = core.receive(.sent(2), at: Self.t0)
    _ = core.receive(.pause, at: Self.t0)
    _ = core.receive(.resume, at: Self.t0)
    _ = core.receive(Self.finding(12), at: Self.t0)
    #expect(core.state.messages.isEmpty)
  }

  @Test func `that is over before it was told is not told`() {
    var core = Self.core()
    _ = core.receive(Self.finding(11), at: Self.t0)
    let effects = core.receive(Self.finding(1), at: Self.t0)
    #expect(effects.contains(.note(.dropped, "message 1: over before it was told")))
    #expect(core.state.messages.isEmpty)
  }

  @Test func `under way is sent again only after a minute, as after a stop`() {
    var core = Self.core()
    _ = core.receive(Self.finding(11), at: Self.t0)
    #expect(Self.sends(core.receive(.time, at: Self.t0)) == [.firing])
    // What is kept of it goes on in another process.
    var next = AlertCore(rule: core.rule, everyMinutes: 15, state: core.state)
    #expect(Self.sends(next.receive(.time, at: Self.t0 + 59_999)).isEmpty)
    #expect(Self.sends(next.receive(.time, at: Self.t0 + 60_000)) == [.firing])
    #expect(next.receive(.sent(1), at: Self.t0 + 60_000) == [.note(.sent, "message 1")])
    #expect(next.receive(.sent(1), at: Self.t0 + 60_000).isEmpty)
  }

  @Test func `that is paused neither looks nor tells, and looks anew afterwards`() {
    var core = Self.core()
    _ = core.receive(.time, at: Self.t0)
    _ = core.receive(Self.finding(11), at: Self.t0)
    #expect(core.receive(.pause, at: Self.t0) == [.note(.paused, "")])
    #expect(core.receive(.pause, at: Self.t0).isEmpty)
    #expect(core.receive(.time, at: Self.t0 + 86_400_000).isEmpty)
    #expect(core.receive(Self.finding(1), at: Self.t0).isEmpty)
    #expect(core.receive(.resume, at: Self.t0) == [.note(.resumed, "")])
    #expect(core.receive(.time, at: Self.t0) == [.look])
  }

  @Test func `sends a test beside what it tells, also while it is paused`() {
    var core = Self.core()
    _ = core.receive(.pause, at: Self.t0)
    #expect(core.receive(.test, at: Self.t0).isEmpty)
    _ = core.receive(.test, at: Self.t0)
    #expect(Self.sends(core.receive(.time, at: Self.t0)) == [.test])
    _ = core.receive(.sent(1), at: Self.t0)
    #expect(core.state.messages.isEmpty && core.state.told == .calm)
  }

  @Test func `keeps its number and says why where a look found none`() {
    var core = Self.core()
    _ = core.receive(Self.finding(5), at: Self.t0)
    #expect(core.receive(.foundNothing("too slow"), at: Self.t0).isEmpty)
    #expect(core.state.problem == "too slow" && core.state.finding?.value == 5)
    _ = core.receive(Self.finding(6), at: Self.t0)
    #expect(core.state.problem == nil)
  }
}

@Suite struct `Alerts of a project` {
  private static let terms = Alert.Terms(
    name: "Sales",
    question: "trend",
    parameters: "events=Bought",
    rule: .fall(0.5),
    everyMinutes: 60,
    webhook: "https://example.com/hook"
  )

  @Test func `are made, told what happens, changed and deleted`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    let made = try catalog.createAlert(Self.terms, project: project, by: .user("ada"))
    #expect(made.alert.terms == Self.terms)
    #expect(try catalog.alertSecret(made.alert.id) == made.secret)
    let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    #expect(file.range(of: Data(made.secret.utf8)) == nil)
    #expect(try catalog.tellAlert(.time, id: made.alert.id) == [.look])
    let finding = AlertState.Finding(value: 1, before: 10, bucketMs: 5)
    _ = try catalog.tellAlert(.found(finding), id: made.alert.id)
    let found = try #require(try fixture.open().alert(made.alert.id, project: project))
    #expect(found.state.level == .firing && found.state.finding == finding)
    #expect(found.state.messages.map(\.kind) == [.firing])
    #expect(try catalog.alertNotes(found.id).map(\.kind) == ["firing"])
    _ = try catalog.tellAlert(.pause, id: found.id, by: .user("ada"))
    #expect(try catalog.audit().first?.action == "alert.pause")
    var terms = Self.terms
    terms.rule = .over(5)
    let changed = try catalog.changeAlert(found.id, to: terms, project: project)
    #expect(changed.terms.rule == .over(5) && changed.state.level == .unknown)
    // What an old question found is not judged by a new rule.
    #expect(try catalog.tellAlert(.found(finding), id: found.id, decided: Self.terms).isEmpty)
    #expect(try catalog.alert(found.id, project: project)?.state.level == .unknown)
    #expect(changed.state.isPaused)
    try catalog.deleteAlert(found.id, project: project)
    #expect(try catalog.alerts().isEmpty && catalog.alertNotes(found.id).isEmpty)
    #expect(try catalog.tellAlert(.time, id: found.id).isEmpty)
    #expect(try catalog.alertSecret(found.id) == nil)
  }

  @Test func `that were told stay so when they are changed`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let id = try catalog.createAlert(Self.terms, project: project).alert.id
    let fall = AlertState.Finding(value: 1, before: 10, bucketMs: 5)
    _ = try catalog.tellAlert(.found(fall), id: id)
    _ = try catalog.tellAlert(.sent(1), id: id)
    var terms = Self.terms
    terms.name = "Less sold"
    #expect(try catalog.changeAlert(id, to: terms, project: project).state.level == .firing)
    _ = try catalog.tellAlert(.found(fall), id: id)
    #expect(try catalog.alert(id, project: project)?.state.messages.isEmpty == true)
    terms.rule = .fall(0.95)
    #expect(try catalog.changeAlert(id, to: terms, project: project).state.told == .firing)
    _ = try catalog.tellAlert(.found(fall), id: id)
    #expect(try catalog.alert(id, project: project)?.state.messages.map(\.kind) == [.calm])
  }

  @Test func `with terms that cannot be are refused`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    var many = [Self.terms, Self.terms, Self.terms, Self.terms]
    many[0].name = ""
    many[1].everyMinutes = 0
    many[2].webhook = "http://user@127.0.0.1/"
    many[3].question = ""
    for terms in many {
      #expect(throws: CatalogError.self) { _ = try catalog.createAlert(terms, project: project) }
    }
    #expect(throws: CatalogError.unknownProject(9)) {
      _ = try catalog.createAlert(Self.terms, project: 9)
    }
    let alert = try catalog.createAlert(Self.terms, project: project).alert
    let other = try catalog.createProject(name: "Other").id
    #expect(throws: CatalogError.unknownAlert(alert.id)) {
      try catalog.deleteAlert(alert.id, project: other)
    }
  }

  @Test func `keep the last of what happened`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let alert = try catalog.createAlert(Self.terms, project: project).alert
    for _ in 0..<Int(Catalog.maxAlertNotes) {
      _ = try catalog.tellAlert(.pause, id: alert.id)
      _ = try catalog.tellAlert(.resume, id: alert.id)
    }
    let notes = try catalog.alertNotes(alert.id, limit: 1_000)
    #expect(notes.count == Int(Catalog.maxAlertNotes))
    #expect(notes.first?.kind == "resumed")
  }
}
