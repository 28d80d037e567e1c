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

  /// An é of one code point, and one of two.
  private static let twins = ["\u{e9}", "e\u{301}"]

  @Test func `names and values that only read the same stay apart`() throws {
    var state = PropertyState()
    let names = #"{"\#(Self.twins[0])":1,"\#(Self.twins[1])":2}"#
    state.apply(operations: #"{"$set":\#(names)}"#, groups: "", kind: .identify)
    #expect(state.properties.count == 2)
    #expect(Self.twins.map { state.properties[$0] } == [.integer(1), .integer(2)])
    state.apply(["$unset": .object([Self.twins[0]: .text("-")])])
    #expect(state.properties.keys.map { Array($0.utf8) } == [Array(Self.twins[1].utf8)])
    for name in Self.twins {
      state.apply(["$postInsert": .object(["tags": .text(name)])])
    }
    #expect(state.properties["tags"]?.values.count == 2)
    state.apply(["$remove": .object(["tags": .text(Self.twins[1])])])
    #expect(state.properties["tags"] == .list([.text(Self.twins[0])]))
    #expect(PropertyValue.settled(names) == names)
    let plans = try Self.twins.map {
      try #require(PropertyValue.members(of: #"{"plan":"\#($0)"}"#))
    }
    #expect(plans[0] != plans[1] && Set(plans).count == 2)
  }

  @Test func `the store keeps names apart that only read the same, and what became of them`() throws
  {
    let events = Self.twins.enumerated().map { number, name in
      StoredEvent(
        key: EventKey(high: 9, low: UInt64(number)),
        project: 1,
        kind: .identify,
        name: "$identify",
        timestampMs: Int64(number + 1) * 1_000,
        sequence: Int64(number),
        userID: "ada",
        operations: #"{"$set":{"\#(name)":\#(number),"plan":"\#(name)"}}"#
      )
    }
    let duck = try TestStore()
    try duck.load(events)
    let state = try CurrentProperties(project: 1, of: .user("ada")).run(on: duck.store)
    #expect(state.properties.count == 3)
    #expect(state.properties["plan"] == .text(Self.twins[1]))
    let timeline = try PropertyTimeline(project: 1, subject: .person("ada")).run(on: duck.store)
    #expect(timeline.edits.count == 4)
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
