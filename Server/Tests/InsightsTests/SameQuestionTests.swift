import DuckDBStore
import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `The same question again` {
  private static func events(_ numbers: Range<UInt64>) -> [StoredEvent] {
    numbers.map { number in
      StoredEvent(
        key: EventKey(high: 1, low: number),
        project: 1,
        name: "a",
        timestampMs: 1_774_728_000_000,
        deviceID: "device-\(number)"
      )
    }
  }

  @Test func `is answered from memory until something is stored or erased`() throws {
    var options = DuckDBOptions()
    options.leastAnswerSeconds = 0
    let duck = try TestStore(options: options)
    try duck.load(Self.events(0..<3))
    let people = ActivePeople(
      // From a quarter of an hour on, so that it is answered by what is summed.
      Scope(project: 1, fromMs: 1_773_999_900_000, toMs: 1_775_000_000_000)
    )
    #expect(try people.run(on: duck.store) == 3)
    // Behind the store's back, so that one can see where the answer comes from.
    _ = try duck.store.rows(SQL("DELETE FROM activity_parts"))
    #expect(try people.run(on: duck.store) == 3)
    duck.store.idle()
    #expect(try people.run(on: duck.store) == 3)
    try duck.load(Self.events(3..<5))
    #expect(try people.run(on: duck.store) == 2)
    var erasure = Erasure(id: 1, project: 1, askedAtMs: 1_775_000_000_000)
    erasure.device = PersonNumber.device(project: 1, id: "device-3")
    #expect(try duck.store.erase(erasure) == 1)
    // Erasing leaves what is summed of others as it is.
    #expect(try people.run(on: duck.store) == 1)
  }
}
