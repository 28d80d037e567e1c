import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `Active people` {
  private func event(
    _ number: UInt64,
    atMs: Int64 = 500,
    user: String = "",
    device: String = "",
    kind: EventRecord.Kind = .event,
    isTest: Bool = false
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 0, low: number),
      project: 1,
      kind: kind,
      isTest: isTest,
      name: "Opened",
      timestampMs: atMs,
      deviceID: device,
      userID: user
    )
  }

  @Test func `a user counts once on all devices, a device only without any user`() throws {
    let store = InMemoryEventStore([
      event(1, user: "ada", device: "phone"), event(2, user: "ada", device: "tablet"),
      event(3, device: "phone"), event(4, device: "phone"), event(5, device: "ada"), event(6),
    ])
    #expect(try ActivePeople(Scope(project: 1, fromMs: 0, toMs: 1_000)).run(on: store) == 2)
    #expect(
      try ActivePeople(
        Scope(project: 1, fromMs: 0, toMs: 1_000).with(.person("phone"))
      ).run(on: store) == 1
    )
  }

  @Test func `only counted events within the time count`() throws {
    let store = InMemoryEventStore([
      event(1, atMs: 99, user: "early"), event(2, atMs: 100, user: "first"),
      event(3, atMs: 200, user: "late"), event(4, atMs: 150, user: "set", kind: .identify),
      event(5, atMs: 150, user: "tester", isTest: true),
    ])
    var question = ActivePeople(Scope(project: 1, fromMs: 100, toMs: 200))
    #expect(try question.run(on: store) == 1)
    question.scope.includesTest = true
    #expect(try question.run(on: store) == 2)
    question.scope.project = 2
    #expect(try question.run(on: store) == 0)
  }
}
