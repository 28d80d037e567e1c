import Catalog
import Dashboard
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Testing

@Suite struct `The live page` {
  typealias Fixture = DashboardFixture

  private func names(_ html: String) -> [String] {
    html.matches(of: /data-key="[^"]*" data-name="([^"]*)"/).map { String($0.1) }
  }

  @Test func `before the first event it shows the three lines with the right key and address`()
    async throws
  {
    let fixture = try Fixture()
    let text = await (try fixture.signIn(port: 4001)).get(
      "/projects/1/live",
      headers: [Header("Host", "127.0.0.1:4001")]
    ).text
    #expect(text.contains("import Footfall\n"))
    #expect(
      text.contains(
        """
        let footfall = FootfallClient(key: &quot;\(fixture.start.ingestKey.plaintext)&quot;, \
        endpoint: URL(string: &quot;http://127.0.0.1:4001&quot;)!)
        """
      )
    )
    #expect(text.contains("footfall.track(&quot;Song Played&quot;"))
  }

  @Test func `a configured address wins over the one the browser used`() async throws {
    let fixture = try Fixture(settings: DashboardSettings(publicURL: "https://footfall.example/"))
    let text = await (try fixture.signIn()).get("/projects/1/live").text
    #expect(text.contains("URL(string: &quot;https://footfall.example&quot;)!"))
  }

  @Test func `a project without a working key leads to making one`() async throws {
    let fixture = try Fixture()
    try fixture.catalog.revokeKey(fixture.start.ingestKey.key.id, project: 1)
    let text = await (try fixture.signIn()).get("/projects/1/live").text
    #expect(text.contains(#"<a href="/projects/1/keys">Create one</a>"#))
    #expect(!text.contains("ff_pub_"))
  }

  @Test func `events are listed with the last received on top`() async throws {
    let fixture = try Fixture(events: [
      Fixture.event(1, name: "First", secondsAgo: 30), Fixture.event(3, name: "Third"),
      Fixture.event(2, name: "Second", secondsAgo: 10),
    ])
    let text = await (try fixture.signIn()).get("/projects/1/live").text
    #expect(names(text) == ["Third", "Second", "First"])
  }

  @Test func `of properties too large to read for a row, the row tells the size`() async throws {
    let text = String(repeating: "x", count: 2_000 * 1_024)
    let fixture = try Fixture(events: [Fixture.event(1, properties: "{\"a\":\"\(text)\"}")])
    let page = await (try fixture.signIn()).get("/projects/1/live").text
    #expect(page.contains(">2,000 KB of properties</span>"))
    #expect(!page.contains("xxx"))
  }

  @Test func `name and person narrow the list, the counters and the chart down`() async throws {
    let fixture = try Fixture(events: [
      Fixture.event(1), Fixture.event(2, name: "Search"), Fixture.event(3, user: "grace"),
      Fixture.event(4, name: "Search", user: "", device: "ada"),
    ])
    let browser = try fixture.signIn()
    let search = await browser.get("/projects/1/live?name=Search").text
    #expect(names(search) == ["Search", "Search"])
    #expect(search.contains(#"value="Search""#))
    #expect(search.contains(#"<dd class="counter num">2</dd>"#))
    let ada = await browser.get("/projects/1/live?person=ada&name=Search").text
    #expect(names(ada) == ["Search", "Search"])
    let grace = await browser.get("/projects/1/live?person=grace").text
    #expect(names(grace) == ["Song Played"])
    let nobody = await browser.get("/projects/1/live?person=nobody").text
    #expect(nobody.contains("No events match."))
    #expect(!nobody.contains("Send the first event"))
  }

  @Test func `counters and chart count events that happened, not tests or properties`() async throws
  {
    let fixture = try Fixture(events: [
      Fixture.event(1), Fixture.event(2, user: "grace"), Fixture.event(3, isTest: true),
      Fixture.event(4, kind: .identify), Fixture.event(5, secondsAgo: 7_200),
      Fixture.event(6, secondsAgo: 86_400),
    ])
    let text = await (try fixture.signIn()).get("/projects/1/live").text
    let counters = text.matches(of: /counter num">([^<]*)</).map { String($0.1) }
    #expect(counters == ["2", "2", "1", "3"])
    #expect(names(text).count == 6)
  }

  @Test func `days begin at midnight in the project's zone`() async throws {
    // Now is 09:30 UTC; in Tokyo it is 18:30, and midnight was 18.5 hours ago.
    let fixture = try Fixture(events: [
      Fixture.event(1, secondsAgo: 18 * 3_600), Fixture.event(2, secondsAgo: 19 * 3_600),
    ])
    try fixture.catalog.updateProject(1, name: "Shop", timeZone: "Asia/Tokyo")
    let text = await (try fixture.signIn()).get("/projects/1/live?range=30d").text
    let counters = text.matches(of: /counter num">([^<]*)</).map { String($0.1) }
    #expect(counters == ["0", "0", "0", "1"])
    #expect(text.contains("Asia/Tokyo"))
  }

  @Test(arguments: [("1h", 60), ("30d", 30), ("90d", 90)])
  func `the table behind the chart has a row for every minute or day`(
    range: String,
    rows: Int
  )
    async throws
  {
    let fixture = try Fixture(events: [Fixture.event(1)])
    let text = await (try fixture.signIn()).get("/projects/1/live?range=\(range)").text
    let table = try #require(text.firstMatch(of: /<tbody>[\s\S]*?<\/tbody>/)).0
    #expect(table.matches(of: /<th scope="row"/).count == rows)
    #expect(table.contains(#"<td class="end num strong">1</td>"#))
  }

  @Test func `older events are a page further, without gaps or repeats`() async throws {
    let events = (1...120).map { Fixture.event($0, name: "E\($0)", secondsAgo: Int64(200 - $0)) }
    let fixture = try Fixture(events: events)
    let browser = try fixture.signIn()
    var seen: [String] = []
    var next = "/projects/1/live/rows"
    for _ in 0..<3 {
      let text = await browser.get(next).text
      seen += names(text)
      guard let older = text.firstMatch(of: /hx-get="([^"]*)"/) else { break }
      next = String(older.1).replacingOccurrences(of: "&amp;", with: "&")
    }
    #expect(seen == (1...120).reversed().map { "E\($0)" })
  }

  @Test func `one event shows all of it`() async throws {
    var event = Fixture.event(1, properties: #"{"title":"Sun","nested":{"deep":[1,{"x":2.50}]}}"#)
    event.groups = #"{"org":["15"]}"#
    event.sessionID = "1764581000000"
    event.correctedMs = event.timestampMs - 120_000
    event.context = #"{"ip_country":"DE"}"#
    let fixture = try Fixture(events: [event])
    let text = await (try fixture.signIn()).get(
      "/projects/1/events/00000000000000010000000000000001"
    ).text
    for part in [
      "Song Played", "Sun", "2.50", "org", "15", "1764581000000", "event-1", "phone-1", "ada",
      "ip_country", "footfall-swift/1.0.0", "00000000000000010000000000000001",
      "clock off by 2 min", "1 Dec 2026, 09:29:55.000 UTC", "1 Dec 2026, 09:27:55.000 UTC",
      "&quot;received_ts&quot;: 1796117395200",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  // MARK: As they arrive

  @Test func `a new event is sent to the page as the same row the page would show`() async throws {
    let fixture = try Fixture()
    let browser = try fixture.signIn()
    let stream = try #require(
      await fixture.client.stream(
        "/projects/1/live/stream",
        headers: [Header("Cookie", browser.cookie)]
      )
    )
    #expect(stream.received().contains("event: ready"))
    let event = Fixture.event(1, name: "<b>", properties: #"{"a":"line\nbreak"}"#)
    fixture.store.insert([event])
    fixture.feed.publish([event])
    let text = stream.received()
    let data = try #require(text.firstMatch(of: /event: events\ndata: (.*)\n\n/)).1
    let message = try #require(
      try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    )
    let row = try #require(message["rows"] as? String)
    #expect(message["count"] as? Int == 1)
    #expect(await browser.get("/projects/1/live/rows").text == row)
    #expect(!row.contains("<b>"))
  }

  @Test func `only events that match the page's filter and project are sent`() async throws {
    let fixture = try Fixture()
    let browser = try fixture.signIn()
    let stream = try #require(
      await fixture.client.stream(
        "/projects/1/live/stream?name=Search&person=ada",
        headers: [Header("Cookie", browser.cookie)]
      )
    )
    _ = stream.received()
    var foreign = Fixture.event(4, name: "Search")
    foreign.project = 2
    fixture.feed.publish([
      Fixture.event(1), Fixture.event(2, name: "Search"),
      Fixture.event(3, name: "Search", user: "grace"), foreign,
    ])
    let text = stream.received()
    #expect(text.matches(of: /data-key=/).count == 1)
    #expect(text.contains("00000000000000010000000000000002"))
  }

  @Test func `of a flood the newest are sent and the rest is counted`() async throws {
    let fixture = try Fixture()
    let browser = try fixture.signIn()
    let stream = try #require(
      await fixture.client.stream(
        "/projects/1/live/stream",
        headers: [Header("Cookie", browser.cookie)]
      )
    )
    _ = stream.received()
    fixture.feed.publish((1...3_000).map { Fixture.event($0) })
    let text = stream.received()
    #expect(text.matches(of: /data-key=/).count == 30)
    #expect(text.contains(#""count":2000,"skipped":2970"#))
    #expect(text.contains("0000000000000bb8"))
    fixture.feed.publish([Fixture.event(4_000)])
    #expect(stream.received().contains(#""count":1,"skipped":0"#))
  }

  @Test func `a page that was signed out hears nothing more`() async throws {
    let fixture = try Fixture()
    let browser = try fixture.signIn()
    let stream = try #require(
      await fixture.client.stream(
        "/projects/1/live/stream",
        headers: [Header("Cookie", browser.cookie)]
      )
    )
    _ = stream.received()
    _ = try await browser.submit("/sign-out", from: "/account")
    fixture.feed.publish([Fixture.event(1)])
    #expect(stream.received() == "")
    #expect(stream.isClosed)
  }

  @Test func `a page that is closed is forgotten by the feed`() async throws {
    let fixture = try Fixture()
    let browser = try fixture.signIn()
    let stream = try #require(
      await fixture.client.stream(
        "/projects/1/live/stream",
        headers: [Header("Cookie", browser.cookie)]
      )
    )
    #expect(fixture.feed.watchedProjects == [1])
    stream.close()
    #expect(fixture.feed.watchedProjects.isEmpty)
  }
}
