import EventStore
import Insights
import Testing

@Suite struct `Recent sessions` {
  private static let states = [
    "", #"{"n":1}"#, #"{"app_state":"background"}"#, #"{"app_state":"background","n":1}"#,
    #"{"app_state":"active"}"#, #"{"app_state":null}"#, #"{"app_state":1}"#,
    #"{"a":{"app_state":"active"}}"#, #"{"title":"\"app_state\":\"active\""}"#,
  ]

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the statement means what the definition says, over random events`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(1_500).map { event in
      var event = event.orPing
      event.properties = random.pick(Self.states)
      // Some sessions of one or two events, so that all kinds are among them, and some of many.
      event.sessionID = random.pick(["", "a", "b", "\(Int.random(in: 0..<400, using: &random))"])
      return event
    }
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    var passive = 0
    for _ in 0..<20 {
      let from = RandomHistory.start + Int64(random.pick([0, 0, 3, 10])) * RandomHistory.day
      var scope = random.scope()
      // Often everything in a while, else what some condition holds of.
      scope.conditions = random.pick([[], [], scope.conditions])
      let question = RecentSessions(
        scope.over(
          fromMs: from,
          toMs: from + Int64(random.pick([1, 5, 30])) * RandomHistory.day
        ),
        isPassive: random.pick([nil, true, false]),
        limit: random.pick([1, 3, 1_000])
      )
      let found = try question.run(on: duck.store)
      #expect(try found == question.run(on: model), "seed \(seed) \(question)")
      passive += found.count(where: \.isPassive)
    }
    #expect(passive > 0)
  }
}
