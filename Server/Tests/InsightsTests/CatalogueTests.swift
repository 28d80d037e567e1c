import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `The catalogue of events` {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `means in SQL what its definition says`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    var events = random.events(seed == 1 ? 0 : 900)
    for index in events.indices where index % 7 == 0 {
      events[index].properties = #"{"a/b~c":1,"n":"x","list":[1],"o":{"p":1},"none":null,"t":true}"#
    }
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    let since = events.map(\.correctedMs).sorted().dropFirst(events.count / 2).first ?? 0
    for project: UInt32 in [1, 2, 3] {
      let directory = EventDirectory(project: project, sinceMs: since)
      let found = try directory.run(on: duck.store)
      #expect(try found == directory.run(on: model), "seed \(seed)")
      for name in found.entries.map(\.name) + ["nothing"] {
        let members = EventMembers(project: project, name: name)
        #expect(try members.run(on: duck.store) == members.run(on: model), "seed \(seed) \(name)")
      }
    }
  }

  @Test func `says that names are left out only where some are`() throws {
    let names = (0...EventDirectory.limit).map { "event \($0)" }
    let events = names.enumerated().map { index, name in
      StoredEvent(
        key: EventKey(high: 2, low: UInt64(index)),
        project: 1,
        name: name,
        timestampMs: 1_000,
        deviceID: "d"
      )
    }
    for (events, isCut) in [(Array(events.dropLast()), false), (events, true)] {
      let duck = try TestStore()
      try duck.load(events)
      let directory = EventDirectory(project: 1, sinceMs: 0)
      let found = try directory.run(on: duck.store)
      #expect(found.entries.count == EventDirectory.limit && found.isCut == isCut)
      #expect(try found == directory.run(on: InMemoryEventStore(events)))
    }
  }

  @Test func `tells types, and how many events have a property`() throws {
    let events = [#"{"price":1,"tags":["a"]}"#, #"{"price":"2.5","deep":{"x":1}}"#, ""].enumerated()
      .map { index, properties in
        StoredEvent(
          key: EventKey(high: 1, low: UInt64(index)),
          project: 1,
          isTest: index == 0,
          name: "Bought",
          timestampMs: Int64(1_000 * (index + 1)),
          deviceID: "d",
          properties: properties
        )
      }
    let duck = try TestStore()
    try duck.load(events)
    let found = try EventMembers(project: 1, name: "Bought").run(on: duck.store)
    #expect(found.events == 3)
    let price = try #require(found.members.first)
    #expect(price.name == "price" && price.count == 2)
    #expect(price.kinds == [.number: 1, .text: 1])
    #expect(price.firstSeenMs == 1_000 && price.lastSeenMs == 2_000)
    let entry = try #require(
      try EventDirectory(project: 1, sinceMs: 2_000).run(on: duck.store).entries.first
    )
    #expect(entry.count == 3 && entry.testCount == 1 && entry.recentCount == 2)
    #expect(entry.firstSeenMs == 1_000 && entry.lastSeenMs == 3_000)
  }
}

@Suite struct `A saved question` {
  private static let setting = QuestionForm.Setting(
    project: 1,
    timeZone: .gmt,
    nowMs: 1_796_117_400_000
  )

  @Test func `is the same after it was written and read`() throws {
    let values = ["events": "a&b=c;d%|props.x:is:ü 1", "range": "7d", "by": "", "test": "true"]
    let question = SavedQuestion(.trend, values.merging(["foreign": "x"]) { $1 })
    #expect(question.values == values.filter { !$0.value.isEmpty })
    let read = try SavedQuestion(word: "trend", query: question.query)
    #expect(read.values == question.values)
    #expect(read.query == question.query)
    #expect(try SavedQuestion(word: "trend", query: "").values.isEmpty)
    #expect(try SavedQuestion(word: "trend", query: "events=a+b").values == ["events": "a b"])
  }

  @Test(arguments: [
    ("colour", ""), ("trend", "colour=red"), ("trend", "range"), ("trend", "range=7d&range=30d"),
    ("trend", "events=%zz"), ("trend", "events=%ff"),
  ])
  func `that is none is refused`(word: String, query: String) {
    #expect(throws: QuestionForm.Problem.self) { try SavedQuestion(word: word, query: query) }
  }

  @Test(arguments: ["range=soon", "measure=sum", "where=nonsense", "by=colour"])
  func `that cannot be asked is refused without asking`(query: String) throws {
    let question = try SavedQuestion(word: "trend", query: query)
    #expect(throws: QuestionForm.Problem.self) { try question.check(Self.setting) }
  }

  @Test(arguments: [
    ("trend", "by=person", true), ("trend", "by=user.mail", true), ("trend", "by=platform", false),
    ("trend", "where=platform:is:iOS;person:is:ada", true), ("trend", "events=person", false),
    ("trend", "events=a%7Cuser.mail:is:x", true), ("funnel", "steps=a;b&people=1", true),
    ("funnel", "steps=a;b", false), ("trend", "where=props.person:is:x", false),
    ("retention", "first=a%7Cperson:is:x", true),
    // However it is spaced, as questions read it.
    ("trend", "where=%20person:is:x", true),
    ("trend", "where=platform:is:iOS;%0Auser.mail:is:x", true),
    ("trend", "events=a%20%7C%09user.mail:is:x", true), ("hours", "event=a%7C%20person:is:x", true),
    ("funnel", "steps=a%20%7C%20user.mail:is:x;b", true),
    ("trend", "where=%5C%20;person:is:x", true),
    ("trend", "segment=1", true), ("trend", "segment=2", true), ("trend", "segment=3", true),
    ("trend", "segment=4", false),
  ])
  func `knows whether its answer tells people apart`(
    word: String,
    query: String,
    names: Bool
  )
    throws
  {
    // An event that is called like a field is taken for one: the careful side.
    let isCareful = query == "events=person"
    let question = try SavedQuestion(word: word, query: query)
    #expect(try question.namesPeople(Self.segments) == (names || isCareful))
  }

  private static let segments = SegmentShelf(
    segment: { number in
      let rules = [
        "user.mail:is:x", "in-list 4", "did-at-least 1 30d a|user.mail:is:x",
        "did-at-least 1 30d a|platform:is:iOS;active within 7d;platform:is:iOS;group.org:is:15",
      ]
      return SegmentShelf.Saved(name: "Some", definition: "all/all;\(rules[Int(number) - 1])")
    },
    members: { _ in [] }
  )

  @Test(arguments: [
    ("trend", true), ("funnel", true), ("paths", false), ("hours", false), ("messages", false),
  ])
  func `knows what an alert can look at`(word: String, isWatched: Bool) throws {
    let query = word == "funnel" ? "steps=a;b" : ""
    let question = try SavedQuestion(word: word, query: query)
    if isWatched {
      try question.checkWatched(Self.setting)
    } else {
      #expect(throws: QuestionForm.Problem.self) { try question.checkWatched(Self.setting) }
    }
  }
}
