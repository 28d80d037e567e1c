import Catalog
import EventStore
import HTTPServing
import Insights
import Testing

@testable import Dashboard

/// The pages of questions, over the store in memory.
@Suite struct `A question's page` {
  private static let hour: Int64 = 3_600

  private static let events: [StoredEvent] = [
    DashboardFixture.event(1, name: "Opened", secondsAgo: 3 * hour, user: "ada"),
    DashboardFixture.event(2, name: "Bought", secondsAgo: 2 * hour, user: "ada"),
    DashboardFixture.event(3, name: "Opened", secondsAgo: 3 * hour, user: "bob", device: "phone-2"),
    DashboardFixture.event(
      4,
      name: "Opened",
      secondsAgo: 50 * hour,
      user: "bob",
      device: "phone-2"
    ),
    DashboardFixture.event(
      5,
      name: "Opened",
      secondsAgo: hour,
      user: "test",
      device: "x",
      isTest: true
    ),
  ]

  private func page(_ address: String) async throws -> Response {
    let browser = try DashboardFixture(events: Self.events).signIn()
    return await browser.get("/projects/1/insights/" + address)
  }

  /// The numbers above the chart, by their names.
  private func figures(_ response: Response) -> [String: String] {
    var found: [String: String] = [:]
    for match in response.text.matches(
      of: /<p class="figure-name">([^<]*)<\/p>\n<p class="figure-value num">([^<]*)/
    ) {
      found[String(match.1)] = String(match.2)
    }
    return found
  }

  @Test func `ninth series look other than the first, and what is put together has its own look`()
    async throws
  {
    let events = (1...11).map { number in
      DashboardFixture.event(UInt64(number), name: "Event \(number)", secondsAgo: Self.hour)
    }
    let browser = try DashboardFixture(events: events).signIn()
    for (limit, seconds) in [(8, 0), (9, 1), (11, 3)] {
      let page = await browser.get("/projects/1/insights/trend?range=7d&by=event&limit=\(limit)")
        .text
      #expect(page.ranges(of: "swatch-second").count == seconds, "\(limit)")
      #expect(page.ranges(of: "&quot;second&quot;:true").count == seconds, "\(limit)")
      #expect(page.contains(#"data-series="other""#) == (limit < 11), "\(limit)")
    }
  }

  @Test(arguments: ["trend?by=plan", "trend?where=plan:is:pro", "retention?by=plan"])
  func `says of a property's name alone how properties are named`(address: String) async throws {
    let response = try await page(address)
    #expect(response.status == 422)
    #expect(
      response.text.contains(
        "“plan” is no field. Write user.plan for a property of people, props.plan"
      )
    )
  }

  @Test(arguments: ["trend?by=prop.plan", "trend?where=plan:equals:pro"])
  func `suggests no name where another thing is wrong`(address: String) async throws {
    let response = try await page(address)
    #expect(response.status == 422 && !response.text.contains("Write user."))
  }

  @Test func `leads to the people of a funnel's step, where they are, with the focus`() async throws
  {
    let closed = try await page("funnel?steps=Opened%3BBought&range=7d")
    let link = try #require(
      closed.text.firstMatch(of: /href="\/projects\/1\/insights\/(funnel\?[^"]*people=[^"]*)"/)
    ).1
    let target = link.replacing("&amp;", with: "&")
    #expect(target.hasSuffix("#who"))
    #expect(!closed.text.contains(#"id="who""#))
    let open = try await page(String(target.prefix { $0 != "#" }))
    #expect(open.text.ranges(of: #"<section class="card" id="who" tabindex="-1">"#).count == 1)
  }

  @Test func `trend shows its number, how it is defined, and a table of all days`() async throws {
    let response = try await page("trend?range=7d&events=Opened")
    #expect(response.status == 200)
    #expect(figures(response)["Events"] == "3")
    #expect(response.text.contains("How many events there were."))
    #expect(response.text.matches(of: /<tr><th scope="row"/).count == 7)
    #expect(response.text.contains("data-chart="))
    let people = try await page("trend?range=7d&measure=people&test=true")
    #expect(figures(people)["People"] == "3")
  }

  @Test
  func
    `money of other currencies has their decimals, and is in the sum of all by the project's rates`()
    async throws
  {
    let prices = [
      #""$price":10.5"#, #""$price":1000,"$currency":"JPY""#, #""$price":3,"$currency":"SEK""#,
    ]
    let events = prices.enumerated().map { index, price in
      DashboardFixture.event(
        UInt64(index),
        name: "Bought",
        secondsAgo: Self.hour,
        properties: "{\(price)}"
      )
    }
    let browser = try DashboardFixture(events: events).signIn()
    let fields = [
      "name": "Notes", "time_zone": "UTC", "currency": "EUR", "rates": "jpy 0.0061",
    ]
    let settings = "/projects/1/settings"
    #expect(try await browser.submit("/projects/1", fields, from: settings).status == 303)
    #expect(await browser.get(settings).text.contains(#"value="JPY 0.0061""#))
    let page = await browser.get("/projects/1/insights/revenue?range=7d")
    #expect(figures(page)["All currencies"] == "EUR\u{a0}16.60")
    #expect(page.text.contains("without SEK: no rate is set"))
    let rows = page.text.matches(of: /<tr><th scope="row"[^>]*>(?:EUR|JPY|SEK)<.*?<\/tr>/).map {
      $0.output.matches(of: /<td[^>]*>([^<]*)/).map { String($0.output.1) }
    }
    #expect(rows.map { $0[0] } == ["10.50", "1,000", "3.00"])
    #expect(rows.map { $0[5] } == ["10.50", "6.10", "—"])
    let other = fields.merging(["rates": "jpy"]) { $1 }
    let wrong = try await browser.submit("/projects/1", other, from: settings)
    #expect(wrong.status == 422 && wrong.text.contains("“jpy” is no rate"))
  }

  @Test func `address without a range asks for thirty days, and the form says so`() async throws {
    let text = try await page("trend").text
    #expect(text.contains(#"name="range" value="30d" checked"#))
    #expect(text.matches(of: /<tr><th scope="row"/).count == 30)
  }

  @Test func `settings of the project hold unless the address says otherwise`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    let saved = try await browser.submit(
      "/projects/1",
      [
        "name": "Notes", "time_zone": "Asia/Tokyo", "week_start": "sun", "currency": "eur",
        "revenue_formula": "price",
      ],
      from: "/projects/1/settings"
    )
    #expect(saved.status == 303)
    #expect(
      try fixture.catalog.project(1)?.reckoning
        == Reckoning(weekStart: .sunday, currency: "EUR", formula: .price)
    )
    let week = "/projects/1/insights/trend?from=2026-11-23&to=2026-12-06&interval=week"
    // 1 December 2026 is a Tuesday: its week began on Sunday, 29 November, in Tokyo.
    #expect(await browser.get(week).text.contains("Week of Sun"))
    #expect(await browser.get(week + "&week=mon").text.contains("Week of Mon"))
    let revenue = await browser.get("/projects/1/insights/revenue?range=7d").text
    #expect(revenue.contains("The price of every purchase that names one, whatever its quantity"))
    #expect(revenue.contains("What came in, in EUR."))
    let refused = try await browser.submit(
      "/projects/1",
      ["name": "Notes", "time_zone": "UTC", "currency": "EURO"],
      from: "/projects/1/settings"
    )
    #expect(refused.status == 422 && refused.text.contains("is no currency"))
    let zones = "/projects/1/insights/trend?range=today&interval=hour&zone="
    #expect(await browser.get(zones + "Nowhere/Town").text.contains("is not a time zone"))
    #expect(await browser.get(zones + "America/New_York").status == 200)
  }

  @Test func `comparison tells how much it changed`() async throws {
    let response = try await page("trend?range=today&interval=day&events=Opened&compare=true")
    #expect(figures(response)["Events"] == "2")
    #expect(response.text.contains(#"<p class="figure-before">from 0</p>"#))
    #expect(
      response.text.contains(
        "Tue 1 Dec 2026, compared with Mon 30 Nov 2026, up to the same time of day"
      )
    )
    let days = try await page("trend?from=2026-11-30&to=2026-12-01&interval=day&compare=true")
    #expect(days.text.contains(#"</span> from 1</p>"#))
    #expect(days.text.contains("+200.0 %"))
  }

  @Test func `what two single days differ by is no headline`() async throws {
    let days = try await page("trend?from=2026-11-25&to=2026-11-30&interval=day")
    #expect(figures(days)["Events"] != nil)
    #expect(figures(days)["First to last day"] == nil)
  }

  @Test(arguments: [
    (100.0, 150.0, Report.Unit.count, "▲ +50.0 %"), (100, 50, .count, "▼ −50.0 %"),
    (100, 100, .count, "+0.0 %"), (10, 110, .count, "▲ +1,000.0 %"), (10, 120, .count, "▲ ×12"),
    (0, 5, .count, "—"), (-5, 5, .money, "—"), (0.5, 0.484, .share, "▼ −1.6 pts"),
    (0, 0.25, .share, "▲ +25.0 pts"),
  ])
  func `a change says its direction, and points of shares`(
    previous: Double,
    value: Double,
    unit: Report.Unit,
    text: String
  ) {
    #expect(ReportNumber.change(from: previous, to: value, unit) == text)
  }

  @Test func `how time is cut up is always chosen, by the page unless somebody did`() async throws {
    let unasked = try await page("trend?range=30d")
    #expect(unasked.text.contains(#"name="interval" value="" checked"#))
    let asked = try await page("trend?range=30d&interval=week")
    #expect(asked.text.contains(#"name="interval" value="week" checked"#))
    #expect(!asked.text.contains(#"name="interval" value="" checked"#))
  }

  @Test func `paths are a chart, and tables that say the same`() async throws {
    let response = try await page("paths?event=Opened&within=day&range=7d")
    #expect(response.status == 200)
    // ada opened and bought; bob opened, two days apart.
    #expect(figures(response)["Paths"] == "3")
    #expect(response.text.contains("Opened → Bought"))
    #expect(response.text.contains("&quot;kind&quot;:&quot;flow&quot;"))
    #expect(response.text.contains("Step by step"))
    let wrong = try await page("paths?event=Opened&steps=9")
    #expect(wrong.status == 422 && wrong.text.contains("from 2 to 8"))
  }

  @Test func `a formula that cannot be read is told why`() async throws {
    let response = try await page("trend?events=Opened%3BBought&formula=A+%2F")
    #expect(response.status == 422 && response.text.contains("The formula ends where"))
    let share = try await page("trend?range=7d&events=Bought%3BOpened&formula=A+%2F+B+*+100")
    #expect(figures(share)["A / B * 100"] == "33.33")
  }

  @Test func `funnel shows steps, and a drop leads to exactly those people`() async throws {
    let steps = "funnel?steps=Opened%3BBought&range=7d"
    let response = try await page(steps)
    #expect(figures(response)["Conversion"] == "50.0 %")
    #expect(response.text.contains("people=1"))
    let people = try await page(steps + "&people=1").text
    #expect(people.contains("/projects/1/people/profile?id=bob"))
    #expect(!people.contains("/projects/1/people/profile?id=ada"))
  }

  @Test func `funnel without steps asks for them, and fields of steps become its address`()
    async throws
  {
    #expect(try await page("funnel").text.contains("Name two events or more"))
    let response = try await page("funnel?s1=Opened&s2=&s3=a%3Bb&s4=c%7Cplatform:is:iOS&range=7d")
    #expect(response.status == 303)
    let address = try #require(response.header("Location"))
    #expect(address.contains("steps=Opened%3Ba%5C%3Bb%3Bc%7Cplatform%3Ais%3AiOS"))
    let browser = try DashboardFixture(events: Self.events).signIn()
    let text = await browser.get(address).text
    #expect(text.contains(#"value="c|platform:is:iOS""#))
    #expect(text.contains("3. c (Platform is iOS)"))
  }

  @Test func `filter that is filled in goes into the address, and can be taken away`() async throws
  {
    let response = try await page("trend?f=platform&op=&v=Linux&where=version:set&range=7d")
    let address = try #require(response.header("Location"))
    #expect(address.contains("where=version%3Aset%3Bplatform%3Ais%3ALinux"))
    let browser = try DashboardFixture(events: Self.events).signIn()
    let text = await browser.get(address).text
    #expect(text.contains("Nothing like that happened in this time."))
    #expect(text.contains("Remove the filter Platform is Linux"))
    #expect(text.contains("where=version%3Aset&amp;") || text.contains("where=version%3Aset\""))
  }

  @Test func `retention shows cohorts, and active people what they are`() async throws {
    let retention = try await page("retention?range=7d&interval=day")
    #expect(figures(retention)["Day 1"] == "0.0 %")
    #expect(retention.text.contains("A cohort is everyone who did anything"))
    let active = try await page("active?range=7d")
    #expect(figures(active)["Active people"] == "2")
    #expect(figures(active)["New people"] == "2")
    #expect(active.text.contains("A person is a user with all devices"))
  }

  @Test(arguments: [
    "trend?range=soon", "trend?measure=sum", "trend?where=nonsense", "trend?from=2026-02-30",
    "trend?by=colour", "funnel?steps=one", "retention?first=a%3Bb", "active?interval=year",
  ])
  func `question that cannot be asked says why`(address: String) async throws {
    let response = try await page(address)
    #expect(response.status == 422)
    #expect(response.text.contains(#"role="alert""#))
    #expect(response.text.contains(#"id="ask""#))
  }

  @Test func `table can be taken along, and no cell of it is a formula`() async throws {
    var events = Self.events
    events[0].properties = #"{"plan":"=1+1"}"#
    let browser = try DashboardFixture(events: events).signIn()
    let response = await browser.get(
      "/projects/1/insights/trend?by=props.plan&range=7d&format=csv"
    )
    #expect(response.header("Content-Type") == "text/csv; charset=utf-8")
    #expect(response.header("Content-Disposition")?.contains("trend.csv") == true)
    #expect(response.text.contains("'=1+1,1,"))
    #expect(response.text.contains("2026-12-01,"))
  }

  @Test func `store that takes too long is said to have`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    fixture.store.fail(with: .timedOut(seconds: 15))
    let response = await (try fixture.signIn()).get("/projects/1/insights/trend")
    #expect(response.text.contains("This took longer than 15 seconds"))
  }

  @Test func `store that has too little memory for a question says how much it has`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    fixture.store.fail(with: .needsMemory(limit: "1.5 GiB"))
    let response = await (try fixture.signIn()).get("/projects/1/insights/trend")
    #expect(response.text.contains("more memory than the event store may have (1.5 GiB)"))
  }

  @Test(arguments: [
    "9223372036854775807.0", "-9223372036854775808.0", "253402300800000.0", "1.9223372036854775808",
  ])
  func `place at the end of time is no event's`(place: String) async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let key = String(repeating: "0", count: 32)
    for page in ["explore", "people/person/events"] {
      let response = await browser.get("/projects/1/\(page)?id=ada&before=\(place).\(key)")
      #expect([200, 404, 422].contains(response.status))
    }
    #expect(await browser.get("/projects/1/explore?before=\(place).\(key)").status == 422)
  }
}
