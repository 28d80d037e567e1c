import EventStore
import HTTPServing
import Testing

@testable import Dashboard

/// Event names that nobody ever sent, and what was probably meant.
@Suite struct `An event name that no event has` {
  @Test(arguments: [
    ("App Opend", "App Opened"), ("app opened", "App Opened"), ("AppOpened", "App Opened"),
    ("app_closed", "App Closed"), ("Sogn Played", "Song Played"), ("Checkout", nil), ("", nil),
    ("<b>", nil),
  ])
  func `is taken for the one that is most alike`(typed: String, meant: String?) {
    let known = ["Song Played", "App Opened", "App Closed", "Order Completed"]
    #expect(UnknownNames.closest(to: typed, in: known) == meant)
  }

  @Test(arguments: [
    ("trend?events=Song%20Plaid", "events=Song%20Played"),
    ("trend?events=Song%20Played;song%20playd", "events=Song%20Played%3BSong%20Played"),
    (
      "funnel?steps=Song%20Played;Song%20Plaid|platform:is:iOS",
      "Song%20Played%7Cplatform%3Ais%3AiOS"
    ),
    ("retention?first=song%20played", "first=Song%20Played"),
  ])
  func `leads to the same question with that one`(address: String, part: String) async throws {
    let browser = try DashboardFixture(events: [DashboardFixture.event(1)]).signIn()
    let response = await browser.get("/projects/1/insights/" + address)
    #expect(response.status == 200)
    let link = try #require(
      response.text.firstMatch(of: /Did you mean <a href="([^"]*)">Song Played</)
    )
    #expect(link.1.contains(part))
  }

  @Test func `is told on the pages of past and of live events, too`() async throws {
    let browser = try DashboardFixture(events: [DashboardFixture.event(1)]).signIn()
    for page in ["explore", "live"] {
      let text = await browser.get("/projects/1/\(page)?name=Song%20Plaid").text
      #expect(text.contains("No event is called “Song Plaid”. Did you mean <a href="), "\(page)")
      let unlike = await browser.get("/projects/1/\(page)?name=Checkout").text
      #expect(unlike.contains("See all names"), "\(page)")
    }
    // A name that is known is not doubted, though nothing of it happened in this time.
    let known = await browser.get("/projects/1/insights/trend?events=Song%20Played&range=yesterday")
    #expect(!known.text.contains("No event is called"))
  }
}
