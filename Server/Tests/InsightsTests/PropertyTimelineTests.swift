import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `Properties through time` {
  @Test func `an operation that arrives late takes its place`() throws {
    let events = [
      (3, #"{"$set":{"plan":"free"}}"#), (1, #"{"$set":{"plan":"pro"},"$add":{"n":1}}"#),
      (2, #"{"$add":{"n":2}}"#),
    ].map { time, operations in
      StoredEvent(
        key: EventKey(high: 0, low: UInt64(time)),
        project: 1,
        kind: .identify,
        name: "$identify",
        timestampMs: Int64(time),
        userID: "user-1",
        operations: operations
      )
    }
    let timeline = try PropertyTimeline(project: 1, subject: .person("user-1"))
      .run(on: InMemoryEventStore(events))
    #expect(timeline.changes.count == 3)
    #expect(timeline.current.properties == ["plan": .text("free"), "n": .integer(3)])
    #expect(timeline.state(at: events[2]).properties == ["plan": .text("pro"), "n": .integer(3)])
  }

  @Test func `a list has ten thousand values at most`() {
    var state = PropertyState()
    let many = PropertyValue.list((0..<6_000).map { .integer($0) })
    for _ in 0..<2 { state.apply(["$append": .object(["l": many])]) }
    guard case .list(let values)? = state.properties["l"] else {
      Issue.record("there is no list")
      return
    }
    #expect(values.count == PropertyState.maxListValues)
    #expect(values.last == .integer(3_999))
  }

  @Test func `a sum with what is no number keeps the old value and is counted`() {
    var state = PropertyState()
    state.apply(["$set": .object(["n": .text("one")])])
    state.apply(["$add": .object(["n": .integer(1), "m": .text("x")])])
    #expect(state.properties == ["n": .text("one")])
    #expect(state.ignoredOperations == 2)
  }

  @Test(arguments: [
    (Int64.max, 1 as Int64, PropertyValue.decimal(9_223_372_036_854_775_808)),
    (5, -2, .integer(3)),
  ])
  func `sums stay whole as long as they can`(first: Int64, second: Int64, sum: PropertyValue) {
    var state = PropertyState()
    for value in [first, second] { state.apply(["$add": .object(["n": .integer(value)])]) }
    #expect(state.properties == ["n": sum])
  }

  @Test func `numbers are equal however they are written`() {
    #expect(
      PropertyValue.members(of: #"{"a":1.0,"b":1,"c":1.5,"d":1e300,"e":true,"f":null}"#) == [
        "a": .integer(1), "b": .integer(1), "c": .decimal(1.5), "d": .decimal(1e300),
        "e": .boolean(true), "f": .null,
      ]
    )
    #expect(PropertyValue.members(of: "[]") == nil)
    #expect(PropertyValue.members(of: "") == nil)
  }
}
