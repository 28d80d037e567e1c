import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `The list of groups` {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `is in SQL what it is by definition`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(900)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for order in GroupList.Order.allCases {
      let asked: [(String?, String?, String?)] = [
        (nil, nil, nil), ("org", nil, nil), (nil, "1", nil), ("team", "a", nil), ("x", nil, nil),
        ("org", nil, "1"), (nil, nil, "1"),
      ]
      for (type, search, name) in asked {
        for project in [1, 2] as [UInt32] {
          let list = GroupList(
            project: project,
            type: type,
            search: search,
            name: name,
            order: order,
            offset: random.pick([0, 0, 1])
          )
          let expected = try list.run(on: model)
          #expect(try list.run(on: duck.store) == expected, "seed \(seed) \(list)")
        }
      }
    }
    #expect(try GroupList(project: 1).run(on: model).count == 3)
  }

  @Test func `tells of types and names with any sign`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"a~b/c":["x/y~z","$.q"],"n":7,"odd":[{"a":1},null,true]}"#
    )
    let duck = try TestStore()
    try duck.load([event])
    let list = GroupList(project: 1)
    let found = try list.run(on: duck.store)
    #expect(found.map { "\($0.type)|\($0.name)" } == ["a~b/c|$.q", "a~b/c|x/y~z", "n|7"])
    #expect(found == (try list.run(on: InMemoryEventStore([event]))))
  }

  @Test func `counts an event once in a group that it names twice`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"org":["acme","acme",15,"15"]}"#
    )
    let duck = try TestStore()
    try duck.load([event])
    let found = try GroupList(project: 1).run(on: duck.store)
    #expect(found.map { "\($0.name) \($0.events)" } == ["15 1", "acme 1"])
    #expect(found == (try GroupList(project: 1).run(on: InMemoryEventStore([event]))))
  }

  @Test func `has a group by its name, however many larger ones are called alike`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"org":["10","1","11"]}"#
    )
    let model = InMemoryEventStore([event])
    let found = try GroupList(project: 1, type: "org", name: "1", limit: 1).run(on: model)
    #expect(found.map(\.name) == ["1"])
  }
}

@Suite struct `The search of events` {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `finds in SQL what is meant, page by page`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(900)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<25 {
      var search = EventSearch(random.scope(), limit: 20)
      for _ in 0..<3 {
        let found = try search.run(on: model)
        #expect(try search.run(on: duck.store) == found, "seed \(seed) \(search)")
        guard let last = found.last else { break }
        search.before = EventPlace(of: last)
      }
    }
  }
}
