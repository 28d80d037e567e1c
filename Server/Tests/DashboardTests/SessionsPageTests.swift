import EventStore
import Foundation
import HTTPServing
import Testing

@Suite struct `The page of sessions` {
  private static func event(
    _ number: UInt64,
    session: String,
    _ properties: String,
    secondsAgo: Int64 = 60
  ) -> StoredEvent {
    var event = DashboardFixture.event(
      number,
      secondsAgo: secondsAgo - Int64(number),
      user: "user-\(session)",
      properties: properties
    )
    event.sessionID = session
    return event
  }

  /// The row of a session; nil where it is not listed.
  private static func row(_ session: String, _ html: String) -> String? {
    html.components(separatedBy: "<tr ").first { $0.hasPrefix(#"data-session="\#(session)""#) }
  }

  @Test(
    "SDL-93 a session whose events all say background is passive; one event that says active makes it active"
  )
  func passive() async throws {
    let background = #"{"app_state":"background","engaged_ms":0}"#
    let active = #"{"app_state":"active","engaged_ms":5}"#
    let events = [
      Self.event(1, session: "s1", background), Self.event(2, session: "s1", background),
      Self.event(3, session: "s2", background), Self.event(4, session: "s2", active),
      Self.event(5, session: "s3", #"{"title":"x"}"#), Self.event(6, session: "s3", ""),
    ]
    let fixture = try DashboardFixture(events: events)
    let browser = try fixture.signIn()
    let page = await browser.get("/projects/1/sessions")
    #expect(page.status == 200)
    for (session, isPassive) in [("s1", true), ("s2", false), ("s3", false)] {
      let row = try #require(Self.row(session, page.text), "\(session)")
      #expect(row.contains(">passive<") == isPassive, "\(session)")
      #expect(row.contains(">active<") == !isPassive, "\(session)")
      // Sorted by how long it was, not by the text of it.
      #expect(row.contains(#"data-value="1000">1 s<"#), "\(session)")
    }
    let passive = await browser.get("/projects/1/sessions?show=passive").text
    #expect(Self.row("s1", passive) != nil && Self.row("s2", passive) == nil)
    let others = await browser.get("/projects/1/sessions?show=active").text
    #expect(Self.row("s1", others) == nil && Self.row("s2", others) != nil)
    // One more event, and the session was active.
    let later = try DashboardFixture(events: events + [Self.event(7, session: "s1", active)])
    let again = await (try later.signIn()).get("/projects/1/sessions").text
    #expect(Self.row("s1", again)?.contains(">active<") == true)
  }

  @Test func `without sessions says since when, and what makes one`() async throws {
    let browser = try DashboardFixture(events: [DashboardFixture.event(1)]).signIn()
    let all = await browser.get("/projects/1/sessions").text
    #expect(all.contains("No session in the last 30 days."))
    let passive = await browser.get("/projects/1/sessions?show=passive").text
    #expect(passive.contains("No passive session in the last 30 days."))
  }

  @Test func `an event of the next day says its day`() async throws {
    // From 23:59:50 to 00:00:10, in UTC.
    let events = [
      Self.event(1, session: "s1", "{}", secondsAgo: 9 * 3_600 + 1_811),
      Self.event(2, session: "s1", "{}", secondsAgo: 9 * 3_600 + 1_792),
    ]
    let browser = try DashboardFixture(events: events).signIn()
    let page = await browser.get("/projects/1/sessions?session=s1&person=user-s1").text
    #expect(page.contains(">23:59:50<") && page.contains(">1 Dec, 00:00:10<"))
  }

  @Test func `a row leads to what happened in the session, the first thing first`() async throws {
    let events = [
      Self.event(1, session: "s1", #"{"title":"first"}"#, secondsAgo: 300),
      Self.event(2, session: "s1", #"{"title":"second"}"#, secondsAgo: 200),
      Self.event(3, session: "s2", #"{"title":"other"}"#, secondsAgo: 100),
    ]
    let browser = try DashboardFixture(events: events).signIn()
    let list = await browser.get("/projects/1/sessions").text
    let row = try #require(Self.row("s1", list))
    let link = try #require(row.firstMatch(of: /href="([^"]*session=s1[^"]*)"/)).1.description
    let page = await browser.get(link.replacing("&amp;", with: "&"))
    #expect(page.status == 200)
    let titles = page.text.matches(of: /title: (first|second|other)/).map { String($0.1) }
    #expect(titles.first == "first" && titles.last == "second" && !titles.contains("other"))
    #expect(page.text.contains("100 s</p>") || page.text.contains("1 min</p>"))
    // Who it was stands once, and with what device and app it was.
    #expect(page.text.contains("iOS  ·  app 4.2.0  ·  device phone-1"))
    #expect(!page.text.contains("event-person"))
    // Neither another person's session nor one that there is not.
    let unknown = "/projects/1/sessions?session=s1&person="
    for person in ["user-s2", "nobody", ""] {
      #expect(await browser.get(unknown + person).status == 404)
    }
  }
}
