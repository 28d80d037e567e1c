import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `A rule about people` {
  @Test(arguments: [
    "user.plan:is:pro", "platform:is-not:iOS", "group.org:is:15", "did-at-least 3 30d Bought",
    "did-at-least 1 ever Bought|props.price:over:9|platform:is:iOS", "did-at-most 0 7d a b | c",
    "first-seen within 30d", "first-seen not-within 1d", "active within 7d", "in-list 4",
    "not-in-list 9",
  ])
  func `is read as it is written`(text: String) throws {
    // A name may hold the sign before conditions only with a backslash.
    let rule = PersonRule(text)
    if text.hasSuffix("| c") {
      #expect(rule == nil)
    } else {
      #expect(try #require(rule).text == text)
    }
  }

  @Test(arguments: [
    "", "props.price:over:9", "event:is:a", "person:is:a", "did-at-least x ever a",
    "did-at-least 1 0d a", "did-at-least 1 5000d a", "did-at-least 1 ever",
    "did-at-least -1 ever a",
    "active 7d", "active within", "active within 7", "in-list", "in-list 0", "in-list x",
    "first-seen before 7d",
  ])
  func `that makes no sense is none`(text: String) {
    #expect(PersonRule(text) == nil)
  }

  @Test
  func `is of everyone among whom the list and the segment find it, by SQL and by definition`()
    throws
  {
    #expect(RandomHistory.rules.count == 27)
    var random = RandomHistory(seed: 7)
    let events = random.events(1_200)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    var found: Set<Int> = []
    for rule in RandomHistory.rules {
      let setting = random.setting()
      let list = PeopleList(project: 1, rules: [rule], setting: setting, limit: 1_000)
      let expected = try list.run(on: model)
      #expect(try list.run(on: duck.store) == expected, "\(rule.text)")
      found.insert(expected.people.count)
    }
    #expect(found.count > 3, "the rules hold of different people")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `is joined with others as a segment says`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(1_000)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<40 {
      let segment = random.segment()
      #expect(Segment(segment.text) == segment, "\(segment.text)")
      let list = PeopleList(
        project: UInt32(random.pick([1, 1, 1, 2])),
        search: random.pick([nil, nil, "USER", "e", "o", "pr"]),
        segment: SegmentFilter(segment, random.setting()),
        setting: random.setting(),
        order: random.pick(PeopleList.Order.allCases),
        isAscending: random.pick([true, false]),
        limit: 1_000
      )
      #expect(try list.run(on: duck.store) == list.run(on: model), "seed \(seed) \(segment.text)")
    }
  }
}

@Suite struct `The list of people` {
  @Test(arguments: PeopleList.Order.allCases, [true, false])
  func `has everyone once, page by page, however many are alike`(
    order: PeopleList.Order,
    isAscending: Bool
  ) throws {
    // Three hundred people of whom many have the same times and numbers.
    let events = (0..<600).map { number in
      StoredEvent(
        key: EventKey(high: 3, low: UInt64(number)),
        project: 1,
        name: "Opened",
        timestampMs: RandomHistory.start + Int64(number % 7) * 1_000,
        deviceID: "device-\(number % 300)"
      )
    }
    let duck = try TestStore()
    try duck.load(events)
    var list = PeopleList(
      project: 1,
      setting: PeopleSetting(nowMs: RandomHistory.start),
      order: order,
      isAscending: isAscending,
      limit: 70
    )
    var seen: [String] = []
    for page in 0..<5 {
      let answer = try list.run(on: duck.store)
      #expect(answer == (try list.run(on: InMemoryEventStore(events))), "page \(page)")
      #expect(answer.total == 300)
      seen += answer.people.map(\.id)
      list.after = answer.people.last.map { PeopleList.Place(of: $0, in: order) }
      let place = try #require(list.after)
      #expect(PeopleList.Place(text: place.text) == place)
    }
    #expect(seen.count == 300 && Set(seen).count == 300)
  }

  @Test func `is searched in ids, ids of devices and values of properties, whatever the capitals`()
    throws
  {
    func event(
      _ number: UInt64,
      user: String,
      device: String,
      _ operations: String = ""
    )
      -> StoredEvent
    {
      StoredEvent(
        key: EventKey(high: 4, low: number),
        project: 1,
        kind: operations.isEmpty ? .event : .identify,
        name: "Opened",
        timestampMs: RandomHistory.start + Int64(number),
        deviceID: device,
        userID: user,
        operations: operations
      )
    }
    let events = [
      event(1, user: "Ada", device: "phone-A"), event(2, user: "", device: "phone-A"),
      event(3, user: "", device: "tablet-7"),
      event(
        4,
        user: "grace",
        device: "",
        #"{"$set":{"email":"Hopper@Navy.example","tags":["x","Äther"],"n":7}}"#
      ),
    ]
    let duck = try TestStore()
    try duck.load(events)
    let cases = [
      ("ada", ["Ada"]), ("PHONE-a", ["Ada"]), ("tablet", ["tablet-7"]), ("navy", ["grace"]),
      ("äTH", ["grace"]), ("email", []), ("7", ["tablet-7"]), ("%", []), ("'", []),
    ]
    for (search, ids) in cases {
      let list = PeopleList(
        project: 1,
        search: search,
        setting: PeopleSetting(nowMs: RandomHistory.start)
      )
      #expect(try list.run(on: duck.store).people.map(\.id) == ids, "\(search)")
      #expect(try list.run(on: InMemoryEventStore(events)).people.map(\.id) == ids, "\(search)")
    }
  }
}

@Suite struct `One person` {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `is found, and told of, by SQL as by definition`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(900)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    func same<Question: Insight>(_ question: Question) throws where Question.Output: Equatable {
      #expect(
        try question.run(on: duck.store) == question.run(on: model),
        "seed \(seed) \(question)"
      )
    }
    var persons = 0
    for project in [1, 2] as [UInt32] {
      for id in RandomHistory.people + ["nobody"] {
        for isDevice in [false, true] {
          let lookup = PersonLookup(project: project, id: id, isDevice: isDevice)
          let found = try lookup.run(on: duck.store)
          #expect(try lookup.run(on: model) == found, "seed \(seed) \(id) \(isDevice)")
          guard case .person(let person) = found else { continue }
          persons += 1
          try same(PersonTotals(person))
          for formula in RevenueTrend.Formula.allCases {
            let setting = QuestionForm.Setting(
              project: project,
              timeZone: .gmt,
              currency: "EUR",
              formula: formula,
              nowMs: 0
            )
            try same(PersonRevenue(person, setting))
          }
          try same(PropertyTimeline(project: project, subject: .found(person)))
          let timeline = PersonTimeline(person, limit: 60)
          try same(timeline)
          let places = try timeline.run(on: model).map { EventPlace(of: $0) }
          let place = places.count > 10 ? places[10] : nil
          try same(PersonTimeline(person, name: "Opened", before: place, limit: 5))
          try same(PersonTimeline(person, before: place, isWhole: false, limit: 40))
          if let place { #expect(EventPlace(text: place.text) == place) }
          try same(
            RecentSessions(
              Scope(
                project: project,
                fromMs: 0,
                toMs: 2 * RandomHistory.start,
                includesTest: random.pick([true, false])
              ),
              person: person
            )
          )
        }
      }
    }
    #expect(persons > 4)
  }

  @Test func `of several devices is one, and their devices are told`() throws {
    func event(_ number: UInt64, user: String, device: String) -> StoredEvent {
      StoredEvent(
        key: EventKey(high: 5, low: number),
        project: 1,
        name: "Opened",
        timestampMs: RandomHistory.start + Int64(number),
        sequence: Int64(number),
        deviceID: device,
        userID: user
      )
    }
    let events = [
      event(1, user: "", device: "phone"), event(2, user: "ada", device: "phone"),
      event(3, user: "", device: "phone"), event(4, user: "ada", device: "tablet"),
      event(5, user: "", device: "laptop"),
    ]
    let duck = try TestStore()
    try duck.load(events)
    let found = try PersonLookup(project: 1, id: "ada").run(on: duck.store)
    guard case .person(let ada) = found else {
      Issue.record("ada is not found")
      return
    }
    let totals = try PersonTotals(ada).run(on: duck.store)
    #expect(totals.devices.map(\.id) == ["tablet", "phone"])
    #expect(totals.devices.map(\.events) == [1, 3])
    #expect(totals.events == 4)
    let phone = PersonLookup(project: 1, id: "phone")
    #expect(try phone.run(on: duck.store) == .device(of: ["ada"]))
    guard
      case .person(let laptop) = try PersonLookup(project: 1, id: "laptop").run(on: duck.store)
    else {
      Issue.record("the laptop is not found")
      return
    }
    #expect(!laptop.isUser)
  }
}

@Suite struct `The history of properties` {
  @Test func `tells what a property was, what it became and by which event`() throws {
    func identify(_ number: UInt64, _ operations: String, at ms: Int64) -> StoredEvent {
      StoredEvent(
        key: EventKey(high: 6, low: number),
        project: 1,
        kind: .identify,
        name: "Changed \(number)",
        timestampMs: RandomHistory.start + ms,
        userID: "ada",
        operations: operations
      )
    }
    // The second one comes late and takes its place.
    let events = [
      identify(1, #"{"$set":{"plan":"free"}}"#, at: 0),
      identify(2, #"{"$set":{"plan":"pro","seats":3}}"#, at: 2_000),
      identify(3, #"{"$unset":{"seats":"-"},"$set":{"plan":"team"}}"#, at: 1_000),
    ]
    let duck = try TestStore()
    for event in events { try duck.load([event]) }
    guard case .person(let ada) = try PersonLookup(project: 1, id: "ada").run(on: duck.store)
    else {
      Issue.record("ada is not found")
      return
    }
    let edits = try PropertyTimeline(project: 1, subject: .found(ada)).run(on: duck.store).edits
    #expect(
      edits.map { "\($0.property) \($0.event)" } == [
        "seats Changed 2", "plan Changed 2", "plan Changed 3", "plan Changed 1",
      ]
    )
    #expect(edits.map(\.old) == [nil, .text("team"), .text("free"), nil])
    #expect(edits.map(\.new) == [.integer(3), .text("pro"), .text("team"), .text("free")])
  }
}
