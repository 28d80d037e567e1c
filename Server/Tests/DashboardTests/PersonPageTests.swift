import Catalog
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Testing

@Suite struct `The pages of people` {
  private static func identify(_ number: UInt64, _ operations: String) -> StoredEvent {
    var event = DashboardFixture.event(number, name: "$identify", kind: .identify, properties: "")
    event.operations = operations
    return event
  }

  private static let events = [
    DashboardFixture.event(1, secondsAgo: 90_000, user: "ada", device: "phone-1"),
    DashboardFixture.event(
      2,
      name: "Bought",
      secondsAgo: 60,
      user: "ada",
      device: "tablet-1",
      properties: #"{"$price":3,"$currency":"EUR"}"#
    ),
    identify(3, #"{"$set":{"plan":"pro","email":"ada@shop.example"}}"#),
    DashboardFixture.event(4, secondsAgo: 30, user: "grace", device: "phone-2"),
    DashboardFixture.event(5, secondsAgo: 20, user: "", device: "loner"),
    DashboardFixture.event(6, secondsAgo: 10, user: "tester", device: "phone-3", isTest: true),
  ]

  private static func ids(_ html: String) -> [String] {
    html.matches(of: /people\/profile\?id=([^"&]*)/).map { String($0.1) }
  }

  @Test func `list everyone but testers, the last seen first, and sort by what is asked`()
    async throws
  {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let page = await browser.get("/projects/1/people").text
    #expect(
      Self.ids(page) == ["ada", "loner", "grace"] || Self.ids(page) == ["loner", "grace", "ada"]
    )
    #expect(page.contains(">device</span>") && page.contains("3 people"))
    let byEvents = await browser.get("/projects/1/people?sort=events").text
    #expect(Self.ids(byEvents).first == "ada")
    #expect(byEvents.contains(#"aria-sort="descending""#))
    let first = await browser.get("/projects/1/people?sort=first-seen&dir=up").text
    #expect(Self.ids(first).first == "ada" && first.contains(#"aria-sort="ascending""#))
  }

  @Test(arguments: [
    ("?q=GRA", ["grace"]), ("?q=ada%40shop", ["ada"]), ("?q=phone-2", ["grace"]),
    ("?where=user.plan:is:pro", ["ada"]),
    ("?where=did-at-most%200%20ever%20Bought&sort=events&q=g", ["grace"]),
    ("?where=active%20not-within%207d", []),
  ])
  func `find whom a search and filters mean`(query: String, ids: [String]) async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let page = await browser.get("/projects/1/people" + query)
    #expect(page.status == 200)
    #expect(Self.ids(page.text) == ids, "\(query)")
    if ids.isEmpty { #expect(page.text.contains("Nobody like that.")) }
  }

  @Test func `take a filter from its parts into the address, and say what cannot be read`()
    async throws
  {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let added = await browser.get("/projects/1/people?f=plan&op=is&v=pro&q=a")
    #expect(added.status == 303)
    #expect(added.header("Location") == "/projects/1/people?q=a&where=user.plan%3Ais%3Apro")
    let wrong = await browser.get("/projects/1/people?where=nonsense")
    #expect(wrong.status == 422 && wrong.text.contains("cannot be read"))
  }

  @Test func `page through many people without losing one`() async throws {
    let events = (1...120).map {
      DashboardFixture.event(UInt64($0), secondsAgo: 5, user: "user-\($0)", device: "d-\($0)")
    }
    let browser = try DashboardFixture(events: events).signIn()
    var target = "/projects/1/people"
    var seen: [String] = []
    for _ in 0..<3 {
      let html = await browser.get(target).text
      seen += Self.ids(html)
      guard let next = html.firstMatch(of: /href="([^"]*after=[^"]*)" rel="next"/) else { break }
      target = String(next.1).replacing("&amp;", with: "&")
    }
    #expect(seen.count == 120 && Set(seen).count == 120)
  }

  @Test func `show one person whole, with all devices as one`() async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let page = await browser.get("/projects/1/people/profile?id=ada").text
    for text in [
      "phone-1", "tablet-1", "ada@shop.example", "Revenue, EUR", "How properties changed",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.matches(of: /<li class="day">/).count == 2)
    #expect(page.contains("/projects/1/events/00000000000000010000000000000002"))
    let bought = await browser.get("/projects/1/people/profile?id=ada&name=Bought").text
    #expect(
      bought.contains(#"data-name="Bought""#) && !bought.contains(#"data-name="Song Played""#)
    )
    // A device of hers leads to her.
    let device = await browser.get("/projects/1/people/profile?id=phone-1")
    #expect(device.header("Location") == "/projects/1/people/profile?id=ada")
    let nobody = await browser.get("/projects/1/people/profile?id=nobody")
    #expect(nobody.status == 404 && nobody.text.contains("Nobody has this id"))
  }

  @Test func `offer export and erasure to those who may, filled in`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    _ = try fixture.catalog.createUser(name: "Vera", role: .viewer)
    let owner = try fixture.signIn()
    let profile = await owner.get("/projects/1/people/profile?id=ada").text
    let erase = try #require(profile.firstMatch(of: /href="([^"]*form=erase[^"]*)"/)?.1)
    let data = await owner.get(String(erase).replacing("&amp;", with: "&")).text
    #expect(data.contains(#"name="user" value="ada""#))
    let viewer = await (try fixture.signIn(user: "Vera")).get("/projects/1/people/profile?id=ada")
    #expect(viewer.status == 200 && !viewer.text.contains("form=erase"))
  }

  @Test func `say what is wrong when the store cannot answer`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    fixture.store.fail(with: .unavailable("libduckdb.so was not found"))
    let page = await (try fixture.signIn()).get("/projects/1/people")
    #expect(page.status == 503 && page.text.contains("libduckdb.so was not found"))
  }
}

@Suite struct `Who is online` {
  /// The number below a title.
  private static func number(_ title: String, _ html: String) -> String? {
    html.components(separatedBy: ">\(title)<").dropFirst().first?
      .firstMatch(of: /num">([^<]*)</).map { String($0.1) }
  }

  @Test("PHA-55 activity 19 s ago is online in realtime, 59 s ago only on the page of people")
  func online() async throws {
    let fixture = try DashboardFixture(events: [
      DashboardFixture.event(1, secondsAgo: 19, user: "", device: "d-1"),
      DashboardFixture.event(
        2,
        name: "$ping",
        secondsAgo: 59,
        user: "",
        device: "d-2",
        kind: .identify,
        properties: ""
      ),
      DashboardFixture.event(3, secondsAgo: 61, user: "", device: "d-3"),
      DashboardFixture.event(4, secondsAgo: 1, user: "", device: "d-4", isTest: true),
    ])
    let browser = try fixture.signIn()
    #expect(Self.number("Online now", await browser.get("/projects/1/live").text) == "1")
    #expect(Self.number("Online", await browser.get("/projects/1/people").text) == "2")
    fixture.advance(seconds: 2)
    #expect(Self.number("Online now", await browser.get("/projects/1/live/numbers").text) == "0")
    #expect(Self.number("Online", await browser.get("/projects/1/people").text) == "1")
  }
}
