import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `Funnels of milestones` {
  private static let second: Int64 = 1_000
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000
  /// Monday 2 November 2026, 00:00 UTC.
  private static let start: Int64 = 1_793_577_600_000

  /// Sessions of some length on one device, each with a start, an end and pings in between.
  private static func sessions(_ sessions: [(atMs: Int64, lengthMs: Int64)]) -> [StoredEvent] {
    sessions.enumerated().flatMap { number, session in
      [
        event("session_start", session.atMs, session: "s\(number)"),
        event("/home", session.atMs + min(session.lengthMs, second), session: "s\(number)"),
        event("$ping", session.atMs + session.lengthMs / 2, session: "s\(number)"),
        event("$ping", session.atMs + session.lengthMs, session: "s\(number)"),
      ]
    }
  }

  private static func event(
    _ name: String,
    _ atMs: Int64,
    session: String = "",
    device: String = "d",
    isTest: Bool = false
  ) -> StoredEvent {
    StoredEvent(
      // The same however often it is written.
      key: EventKey(
        high: UInt64(bitPattern: atMs),
        low: name.utf8.reduce(0) { $0 + UInt64($1) }
      ),
      project: 1,
      kind: name == "$ping" ? .identify : .event,
      isTest: isTest,
      name: name,
      timestampMs: start + atMs,
      deviceID: device,
      sessionID: session
    )
  }

  private static func scope(days: Int64 = 1) -> Scope {
    Scope(project: 1, fromMs: start, toMs: start + days * day, unit: .devices)
  }

  /// Asks the definition and DuckDB, which must agree.
  private static func answer<Question: Insight>(
    _ question: Question,
    _ events: [StoredEvent]
  ) throws -> Question.Output where Question.Output: Equatable {
    try `A question's answer`.answer(question, events)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `in SQL mean what their definition says, over random events`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(seed == 1 ? 0 : 900).map { event in
      var event = event
      // Two hours of every day, so that sessions of half an hour have several events.
      let midnight = event.timestampMs / Self.day * Self.day
      let own = midnight + event.timestampMs % Self.day / 12 / 250 * 250
      event.correctedMs += own - event.timestampMs
      event.timestampMs = own
      event.sessionID = random.pick(["", "\(own / (30 * Self.minute))"])
      if event.kind == .identify { event.name = random.pick(["$ping", "$ping", "$identify"]) }
      return event
    }
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    var most = 0
    for _ in 0..<25 {
      var scope = random.scope()
      if Bool.random(using: &random) { (scope.conditions, scope.segment) = ([], nil) }
      let steps = (0..<random.pick([1, 2, 3, 6])).map { _ in
        random.pick(
          [
            .firstSeen, .session(atLeastMs: 5_000), .session(atLeastMs: 10 * Self.minute),
            .engaged(totalMs: 10 * Self.minute), .engaged(totalMs: Self.hour), .returned(day: 1),
            .returned(day: 3), .event("Played"), .event("Opened"),
          ] as [Milestones.Step]
        )
      }
      let milestones = Milestones(
        scope,
        steps: steps,
        windowMs: random.pick([1, Self.hour, Self.day, 7 * Self.day])
      )
      let counts = try milestones.run(on: duck.store)
      #expect(try counts == milestones.run(on: model), "seed \(seed) \(milestones)")
      most = max(most, counts.count { $0 > 0 })
      let activation = Activation(scope)
      #expect(
        try activation.run(on: duck.store) == activation.run(on: model),
        "seed \(seed) \(activation)"
      )
    }
    #expect(seed <= 2 || most > 1)
  }

  @Test func `strictly follow one another, but for what follows the first open`() throws {
    let same = [Self.event("a", 0), Self.event("b", 0)]
    let steps: [Milestones.Step] = [.event("a"), .event("b")]
    #expect(try Self.answer(Milestones(Self.scope(), steps: steps), same) == [1, 0])
    let later = same + [Self.event("b", 1)]
    #expect(try Self.answer(Milestones(Self.scope(), steps: steps), later) == [1, 1])
    let opened = Milestones(Self.scope(), steps: [.firstSeen, .event("a")])
    #expect(try Self.answer(opened, same) == [1, 1])
  }

  @Test(arguments: [(Int64(0), 1), (1, 0)])
  func `count up to the window's last millisecond`(late: Int64, count: Int) throws {
    let events = [Self.event("a", 0), Self.event("b", Self.day + late)]
    let milestones = Milestones(
      Self.scope(),
      steps: [.event("a"), .event("b")],
      windowMs: Self.day
    )
    #expect(try Self.answer(milestones, events) == [1, count])
  }

  @Test(
    arguments: [
      // First open, and the session that told of it; 29 s are no 30 s.
      ([.firstSeen, .session(atLeastMs: 5_000)], [1, 1]),
      ([.firstSeen, .session(atLeastMs: 30_000), .session(atLeastMs: 600_000)], [1, 1, 1]),
      // That of ten minutes comes after the scope's time.
      ([.session(atLeastMs: 600_000), .session(atLeastMs: 5_000)], [0, 0]),
      // 29 s, 31 s and 9 min are 10 min together, in the end of the third session.
      ([.firstSeen, .engaged(totalMs: 600_000), .session(atLeastMs: 600_000)], [1, 1, 1]),
      ([.session(atLeastMs: 30_000), .engaged(totalMs: 601_000)], [1, 1]),
      // 2 and 5 November; nothing on the 3rd after the 4th.
      ([.firstSeen, .returned(day: 3)], [1, 1]), ([.firstSeen, .returned(day: 1)], [1, 0]),
      ([.session(atLeastMs: 5_000), .returned(day: 3), .event("/home")], [1, 1, 1]),
    ] as [([Milestones.Step], [Int])]
  )
  func `are sessions, time together and returns`(
    steps: [Milestones.Step],
    counts: [Int]
  ) throws {
    let events = Self.sessions([
      (0, 29 * Self.second), (Self.hour, 31 * Self.second), (2 * Self.hour, 9 * Self.minute),
      (3 * Self.hour, 4 * Self.second), (3 * Self.day, 10 * Self.minute),
    ])
    #expect(try Self.answer(Milestones(Self.scope(), steps: steps), events) == counts)
  }

  @Test func `leave out tests, and devices that came before`() throws {
    let milestones = Milestones(Self.scope(), steps: [.firstSeen, .event("a")])
    let events = [
      Self.event("a", 0, isTest: true), Self.event("a", -1, device: "early"),
      Self.event("a", 5, device: "early"),
    ]
    #expect(try Self.answer(milestones, events) == [0, 0])
  }

  /// Ten minutes within 72 hours; a session 24 to 48 and one 72 to 96 hours after the first open.
  @Test(
    arguments: [
      ([(0, 599), (72 * 3_600, 60)], [1, 0, 0, 1]),
      ([(0, 599), (72 * 3_600 - 1, 60)], [1, 1, 0, 0]),
      ([(0, 5), (24 * 3_600 - 1, 5), (48 * 3_600, 5)], [1, 0, 0, 0]),
      ([(0, 600), (24 * 3_600, 4)], [1, 1, 0, 0]), ([(0, 600), (24 * 3_600, 5)], [1, 1, 1, 0]),
      ([(0, 5), (96 * 3_600 - 1, 5)], [1, 0, 0, 1]), ([(0, 5), (96 * 3_600, 5)], [1, 0, 0, 0]),
      // Each by itself: back on the fourth day without the second.
      ([(0, 1), (80 * 3_600, 700)], [1, 0, 0, 1]),
    ] as [([(atSeconds: Int64, seconds: Int64)], [Int])]
  )
  func `of activation are told of everyone who came`(
    sessions: [(atSeconds: Int64, seconds: Int64)],
    counts: [Int]
  ) throws {
    let events = Self.sessions(
      sessions.map { ($0.atSeconds * Self.second, $0.seconds * Self.second) }
    )
    let answer = try Self.answer(Activation(Self.scope()), events)
    #expect([answer.opened, answer.engaged, answer.dayOne, answer.dayThree] == counts)
    let before = Activation(Self.scope().over(fromMs: 0, toMs: Self.start))
    #expect(try Self.answer(before, events).opened == 0)
  }
}
