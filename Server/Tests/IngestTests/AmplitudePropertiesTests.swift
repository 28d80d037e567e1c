import EventRecord
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog
import Insights
import Testing

@testable import Ingest

/// What property operations of Amplitude's clients leave, from the request to the answer.
@Suite(.timeLimit(.minutes(5))) struct `Properties for Amplitude` {
  static let histories: [(scenario: String, operations: [String], left: String)] = [
    (
      "AMP-V17",
      [
        #"{"$set":{"l":["a"]}}"#, #"{"$append":{"l":["b","c"]}}"#, #"{"$prepend":{"l":["x","y"]}}"#,
        #"{"$postInsert":{"l":["c","d"]}}"#, #"{"$remove":{"l":"b"}}"#,
      ], #"{"l":["x","y","a","c","d"]}"#
    ),
    ("AMP-V31", [#"{"$setOnce":{"s":1}}"#, #"{"$setOnce":{"s":2}}"#], #"{"s":1}"#),
    (
      "AMP-V32", [#"{"$add":{"n":5}}"#, #"{"$add":{"n":-2}}"#, #"{"$add":{"n":0.5}}"#],
      #"{"n":3.5}"#
    ),
    (
      "AMP-V33",
      [
        #"{"$append":{"l":"a"}}"#, #"{"$append":{"l":["b","c"]}}"#, #"{"$prepend":{"m":"a"}}"#,
        #"{"$prepend":{"m":["x","y"]}}"#,
      ], #"{"l":["a","b","c"],"m":["x","y","a"]}"#
    ),
    (
      "AMP-V34",
      [
        #"{"$set":{"l":["a","b"]}}"#, #"{"$preInsert":{"l":["b","c","d"]}}"#,
        #"{"$postInsert":{"l":"b"}}"#,
      ], #"{"l":["c","d","a","b"]}"#
    ),
    (
      "AMP-V35", [#"{"$set":{"l":["a","b","c","b"]}}"#, #"{"$remove":{"l":"b"}}"#],
      #"{"l":["a","c"]}"#
    ),
    (
      "AMP-V35",
      [
        #"{"$set":{"l":["a","b","c","b"]}}"#, #"{"$remove":{"l":"b"}}"#,
        #"{"$remove":{"l":["a","c"]}}"#,
      ], #"{"l":[]}"#
    ),
    ("AMP-V36", [#"{"$set":{"a":1,"b":2}}"#, #"{"$unset":{"a":"-"}}"#], #"{"b":2}"#),
    ("AMP-V37", [#"{"$set":{"a":1,"b":2}}"#, #"{"$clearAll":"-","$set":{"c":3}}"#], "{}"),
    ("a scalar becomes a list", [#"{"l":"a"}"#, #"{"$append":{"l":"b"}}"#], #"{"l":["a","b"]}"#),
  ]

  @Test(arguments: histories)
  func `operations on a person`(
    history: (scenario: String, operations: [String], left: String)
  ) async throws {
    let world = try await World(
      history.operations.map { ("$identify", #""user_id":"user-1","user_properties":\#($0)"#) }
    )
    #expect(try world.properties("user-1") == PropertyValue.members(of: history.left))
  }

  @Test("AMP-V38 operations on a group do the same, and change no person", arguments: histories)
  func operationsOnGroup(
    history: (scenario: String, operations: [String], left: String)
  ) async throws {
    let world = try await World(
      history.operations.map {
        (
          "$groupidentify",
          #""user_id":"user-1","groups":{"orgId":"15"},"group_properties":\#($0)"#
        )
      }
    )
    let group = try world.timeline(.group(type: "orgId", name: "15")).current
    #expect(group.properties == PropertyValue.members(of: history.left))
    #expect(try world.properties("user-1") == [:])
    #expect(try world.timeline(.group(type: "orgId", name: "16")).current == PropertyState())
  }

  @Test("AMP-V5 a sum sent twice with one insert id counts once")
  func addTwice() async throws {
    let add =
      #"{"event_type":"$identify","user_id":"user-1","insert_id":"i","user_properties":{"$add":{"n":1}}}"#
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    for body in [[add, add], [add]] {
      let text = `Collecting for Amplitude`.body(body)
      #expect(await TestClient(fixture.router).post("/2/httpapi", text: text).status == 200)
    }
    let world = World(store: try fixture.stored())
    #expect(try world.properties("user-1") == ["n": .integer(1)])
  }

  @Test("AMP-V16 an event keeps the properties of its time")
  func propertiesAtTheTime() async throws {
    let world = try await World([
      ("$identify", #""user_id":"user-1","user_properties":{"$set":{"plan":"free"}}"#),
      ("A", #""user_id":"user-1""#),
      ("$identify", #""user_id":"user-1","user_properties":{"$set":{"plan":"pro"}}"#),
      ("B", #""user_id":"user-1""#),
    ])
    #expect(try world.names(where: "plan", is: .text("free")) == ["A"])
    #expect(try world.names(where: "plan", is: .text("pro")) == ["B"])
  }

  @Test("AMP-V36 later events are without a removed property, earlier ones keep it")
  func unset() async throws {
    let world = try await World([
      ("A", #""user_id":"user-1","user_properties":{"a":1,"b":2}"#),
      ("$identify", #""user_id":"user-1","user_properties":{"$unset":{"a":"-"}}"#),
      ("B", #""user_id":"user-1""#),
    ])
    #expect(try world.names(where: "a", is: .integer(1)) == ["A"])
    #expect(try world.names(where: "b", is: .integer(2)) == ["A", "B"])
  }

  @Test("AMP-V46 what is set after a session has started is not on its start")
  func afterSessionStart() async throws {
    let world = try await World([
      ("session_start", #""user_id":"user-1","session_id":1764581000000"#),
      ("$identify", #""user_id":"user-1","user_properties":{"$set":{"plan":"pro"}}"#),
      ("Song Played", #""user_id":"user-1","session_id":1764581000000"#),
    ])
    #expect(try world.names(where: "plan", is: .text("pro")) == ["Song Played"])
  }

  @Test("AMP-V39 a group of another name replaces that of its type, and others stay")
  func setGroup() async throws {
    let world = try await World(
      [(#""15""#, "orgId"), (#"["tennis"]"#, "sport"), (#""16""#, "orgId")].map { value, type in
        (
          "$identify",
          #""user_id":"user-1","groups":{"\#(type)":\#(value)},"user_properties":{"$set":{"\#(type)":\#(value)}}"#
        )
      }
    )
    let state = try world.timeline(.person("user-1")).current
    #expect(state.groups == ["orgId": .text("16"), "sport": .list([.text("tennis")])])
    #expect(state.properties == state.groups)
  }

  @Test("AMP-V21 a group's property is on its events from then on, not on earlier ones")
  func groupProperties() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    func track(_ name: String) async {
      let event = #"{"event_type":"\#(name)","user_id":"user-1","groups":{"orgId":"15"}}"#
      let body = `Collecting for Amplitude`.body([event])
      #expect(await client.post("/2/httpapi", text: body).status == 200)
      fixture.clock.withLock { $0 += 1_000 }
    }
    await track("Before")
    let identification =
      "%7B%22group_type%22:%22orgId%22,%22group_value%22:%2215%22,%22group_properties%22:%7B%22plan%22:%22enterprise%22%7D%7D"
    let answer = await client.post(
      "/groupidentify",
      headers: [Header("Content-Type", "application/x-www-form-urlencoded")],
      text: "api_key=amplitude-key&identification=" + identification
    )
    #expect(answer.text == "success")
    fixture.clock.withLock { $0 += 1_000 }
    await track("After")
    let world = World(store: try fixture.stored())
    let timeline = try world.timeline(.group(type: "orgId", name: "15"))
    #expect(
      world.store.events.filter { $0.kind == .event }
        .map { timeline.state(at: $0).properties["plan"] } == [nil, .text("enterprise")]
    )
  }

  @Test(
    "AMP-V30 properties alone are in no chart and no count of people, but on the profile at once"
  )
  func propertiesAlone() async throws {
    let world = try await World([
      ("$identify", #""user_id":"user-1","user_properties":{"$set":{"plan":"pro"}}"#)
    ])
    #expect(try EventNames(project: 7).run(on: world.store).isEmpty)
    #expect(try `Collecting for Amplitude`.people(7, world.store) == 0)
    #expect(try NewPeople(Scope(project: 7, fromMs: 0, toMs: .max)).run(on: world.store) == 0)
    let series = EventSeries(
      project: 7,
      interval: .day,
      fromMs: IngestFixture.now - 86_400_000,
      toMs: IngestFixture.now + 86_400_000,
      timeZone: .gmt
    )
    #expect(try series.run(on: world.store).lines.isEmpty)
    let active = try Activity(Self.around, axis: Self.days).run(on: world.store)
    #expect(!active.isEmpty && active.allSatisfy { $0.active == 0 })
    #expect(try world.properties("user-1") == ["plan": .text("pro")])
    let profile = CurrentProperties(project: 7, of: .user("user-1"))
    #expect(try profile.run(on: world.store).properties == ["plan": .text("pro")])
  }

  @Test("AMP-V45 sessions' ends have the names that Amplitude's product shows, in lists and charts")
  func sessionNames() async throws {
    let world = try await World([
      ("session_start", #""user_id":"user-1","session_id":1764581000000"#),
      ("session_end", #""user_id":"user-1","session_id":1764581000000"#),
    ])
    let names = ["[Amplitude] End Session", "[Amplitude] Start Session"]
    #expect(try RecentEvents(project: 7).run(on: world.store).map(\.name) == names)
    #expect(try EventNames(project: 7).run(on: world.store).map(\.name) == names)
    let series = EventSeries(
      project: 7,
      interval: .day,
      fromMs: IngestFixture.now - 86_400_000,
      toMs: IngestFixture.now + 86_400_000,
      timeZone: .gmt
    )
    #expect(try series.run(on: world.store).lines.map(\.name) == names)
  }

  @Test("AMP-V19 a session is as long as from its first to its last event, and -1 is in none")
  func sessionLength() async throws {
    let begun = IngestFixture.now - 60_000
    let members = { (time: Int64, session: Int64) in
      #""user_id":"user-1","time":\#(begun + time),"session_id":\#(session)"#
    }
    let world = try await World(
      [(0, begun), (3_000, begun), (8_000, begun), (20_000, -1)].map {
        ("Played", members($0.0, $0.1))
      }
    )
    #expect(try Self.length(world.store) == 8_000)
  }

  @Test("back-dated events, told by the session's own start, change nothing about it")
  func backDated() async throws {
    let world = try await World(
      ([("session_start", 0), ("Played", 1_000), ("Imported", -4_000)] as [(String, Int64)]).map {
        name,
        time in
        (
          name,
          #""user_id":"user-1","time":\#(IngestFixture.now + time),"session_id":\#(IngestFixture.now)"#
        )
      }
    )
    #expect(try Self.length(world.store) == 1_000)
  }

  private static let day: Int64 = 86_400_000
  private static let days = TimeAxis(.day, timeZone: .gmt)
  private static let around = Scope(
    project: 7,
    fromMs: IngestFixture.now - day,
    toMs: IngestFixture.now + day
  )

  /// The length of the one session there is.
  private static func length(_ store: InMemoryEventStore) throws -> Int64? {
    let all = try SessionTrend(around, axis: days).run(on: store).all
    return all.count == 1 ? all.lengthMs : nil
  }

  /// The question as a page asks it, of a project in dollars that has a rate for euros.
  private static func revenue(_ store: InMemoryEventStore) throws -> Report {
    var setting = QuestionForm.Setting(
      project: 7,
      timeZone: .gmt,
      currency: "USD",
      nowMs: IngestFixture.now + day
    )
    setting.rates = ["EUR": 1.1]
    return try QuestionKind.revenue.report(QuestionForm(["range": "7d"], setting), on: store)
  }

  @Test(
    "AMP-V40 a currency is converted by the project's rate, and none given is the project's own",
    arguments: [
      (#""$currency":"EUR","#, 11, nil), ("", 10, nil), (#""$currency":"SEK","#, 0, "SEK"),
    ] as [(String, Double, String?)]
  )
  func currencies(currency: String, total: Double, unconverted: String?) async throws {
    let world = try await World([
      ("revenue_amount", #""user_id":"user-1","event_properties":{\#(currency)"$price":10}"#)
    ])
    let report = try Self.revenue(world.store)
    let all = try #require(report.figures.first { $0.title == "All currencies" })
    #expect(all.value == total && report.currency == "USD")
    #expect(
      all.definition.contains("no rate") == (unconverted != nil)
        && all.definition.contains(unconverted ?? "USD")
    )
    let own = try #require(report.figures.first { $0.title == "Revenue" })
    #expect(own.value == (currency.isEmpty ? 10 : 0))
  }

  @Test(
    "AMP-V41 revenue without signature or type is counted, and never as one that can be verified",
    arguments: [
      (#""$receipt":"r""#, 0), (#""$receipt":"r","$receiptSig":"s""#, 0),
      (#""$receipt":"r","$receiptSig":"s","$revenueType":"subscription""#, 1),
    ]
  )
  func receipts(members: String, verifiable: Double) async throws {
    let world = try await World([
      (
        "revenue_amount",
        #""user_id":"user-1","event_properties":{"$price":10,\#(members)}"#
      )
    ])
    let figures = try Self.revenue(world.store).figures
    let values = Dictionary(uniqueKeysWithValues: figures.map { ($0.title, $0.value) })
    #expect(values["Purchases"] == 1 && values["Revenue"] == 10)
    #expect(values["Verifiable"] == verifiable)
  }
}

/// A store with what one request brought.
private struct World {
  let store: InMemoryEventStore

  init(store: InMemoryEventStore) { self.store = store }

  /// Sends events, given their types and members, in one request; their counters alone order them.
  init(_ events: [(type: String, members: String)]) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let body = events.enumerated().map { number, event in
      #"{"event_type":"\#(event.type)","event_id":\#(number),"insert_id":"\#(number)","time":\#(IngestFixture.now),\#(event.members)}"#
    }
    let answer = await TestClient(fixture.router)
      .post("/2/httpapi", text: `Collecting for Amplitude`.body(body.reversed()))
    try #require(answer.status == 200, "\(answer.text)")
    store = try fixture.stored()
  }

  func timeline(_ subject: PropertyTimeline.Subject) throws -> PropertyTimeline.Output {
    try PropertyTimeline(project: 7, subject: subject).run(on: store)
  }

  func properties(_ person: String) throws -> Members<PropertyValue> {
    try timeline(.person(person)).current.properties
  }

  /// The names of the counted events of `user-1` that carry a value, in their client's order.
  func names(where property: String, is value: PropertyValue) throws -> [String] {
    let timeline = try timeline(.person("user-1"))
    return store.events.filter { $0.kind == .event }.sorted { $0.sequence < $1.sequence }
      .filter { timeline.state(at: $0).properties[property] == value }.map(\.name)
  }
}
