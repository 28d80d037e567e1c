import Catalog
import Dashboard
import EventStore
import Foundation
import HTTPServing
import Insights
import Testing

@Suite struct `Crash pages` {
  private static func crash(
    _ number: UInt64,
    _ name: String = "NSRangeException",
    version: String = "4.2.0",
    secondsAgo: Int64 = 3_600,
    user: String = "ada"
  ) -> StoredEvent {
    var event = DashboardFixture.event(
      number,
      name: "app_crashed",
      secondsAgo: secondsAgo,
      user: user,
      properties:
        #"{"exception_name":"\#(name)","reason":"index # beyond","stack":"0 UIKitCore 0x1 a + 1\n1 Shop 0x2 Cart.total() + 2"}"#
    )
    event.client = #"{"platform":"iOS","app":"\#(version)"}"#
    return event
  }

  private static let events = [
    crash(1), crash(2, user: "bob"), crash(3, "Other"),
    DashboardFixture.event(4, name: "Cart Opened", secondsAgo: 3_700),
  ]

  private static var group: String {
    CrashSignature(
      exception: "NSRangeException",
      stack: "0 UIKitCore 0x1 a + 1\n1 Shop 0x2 Cart.total() + 2"
    ).id
  }

  private static let page = "/projects/1/crashes"

  @Test func `put together what belongs together, and show it`() async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let list = await browser.get(Self.page).text
    #expect(list.contains("NSRangeException") && list.contains("Shop Cart.total()"))
    #expect(
      list.contains(#"data-label="Crashes">2</td><td class="end num" data-label="People">2</td>"#)
    )
    let detail = await browser.get("\(Self.page)?group=\(Self.group)").text
    #expect(detail.contains("index # beyond") && detail.contains("1 Shop 0x2 Cart.total() + 2"))
    #expect(detail.contains("Cart Opened") && detail.contains("1 min before"))
    #expect(detail.contains("4.2.0"))
    #expect(await browser.get("\(Self.page)?group=0123456789abcdef").status == 404)
  }

  @Test
  func `tell the day of what was before where it is another, and moments as close as they are`()
    async throws
  {
    // The crash was at 08:30 of the first of December, in UTC.
    let events = [
      Self.crash(1), DashboardFixture.event(2, name: "Same Moment", secondsAgo: 3_600),
      DashboardFixture.event(3, name: "Same Day", secondsAgo: 3_603),
      DashboardFixture.event(4, name: "Day Before", secondsAgo: 3_600 + 9 * 3_600),
    ]
    let browser = try DashboardFixture(events: events).signIn()
    let page = await browser.get("\(Self.page)?group=\(Self.group)").text
    let rows = page.components(separatedBy: "<tr>")
    let dayBefore = try #require(rows.first { $0.contains("Day Before</a>") })
    #expect(dayBefore.contains(">30 Nov, 23:30:00.000<") && dayBefore.contains(">9 h before<"))
    let sameDay = try #require(rows.first { $0.contains("Same Day</a>") })
    #expect(sameDay.contains(">08:29:57.000<") && sameDay.contains(">3.0 s before<"))
    if let same = rows.first(where: { $0.contains("Same Moment</a>") }) {
      #expect(same.contains(">at the same time<"))
    }
    #expect(!page.contains(">0 s before<"))
  }

  @Test func `without crashes say how apps tell of them`() async throws {
    let page = await (try DashboardFixture().signIn()).get(Self.page).text
    #expect(page.contains("No crash was told") && page.contains("app_crashed"))
  }

  @Test func `hide and resolve, and show what came back`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    let fields = ["signature": Self.group, "range": "30d"]
    func decide(_ state: String, _ version: String = "") async throws -> Response {
      try await browser.submit(
        Self.page,
        fields.merging(["state": state, "version": version]) { $1 },
        from: "\(Self.page)?group=\(Self.group)"
      )
    }
    #expect(try await decide("hidden").header("Location") == "\(Self.page)?group=\(Self.group)")
    let shown = await browser.get(Self.page).text
    #expect(!shown.contains("NSRangeException</a>") && shown.contains("with 1 hidden or resolved"))
    #expect(
      await browser.get("\(Self.page)?show=all").text.contains(#"<span class="tag">hidden</span>"#)
    )
    #expect(try await decide("resolved", "4.3").status == 303)
    let decision = try #require(try fixture.catalog.crashDecisions(project: 1)[Self.group])
    #expect(decision.mended == "4.3" && decision.seen == "4.2.0" && decision.actor == "user owner")
    // By the machine's clock the decision is later than the fixture's events: a crash of a newer version
    // after it comes back.
    var back = Self.crash(9, version: "4.3.1")
    back.correctedMs = decision.atMs + 1
    let later = try DashboardFixture(events: Self.events + [back])
    try later.catalog.decideCrash(
      .resolved,
      signature: Self.group,
      mended: "4.3",
      seen: "4.2.0",
      project: 1
    )
    let group = try #require(
      try Crashes(
        Scope(project: 1, fromMs: 0, toMs: .max / 2),
        axis: TimeAxis(.month, timeZone: .gmt)
      ).run(on: later.store).first { $0.signature.id == Self.group }
    )
    let standing = CrashStanding(
      .resolved(atMs: decision.atMs, mended: "4.3", seen: "4.2.0"),
      of: group
    )
    #expect(standing == .cameBack(version: "4.3.1"))
    #expect(try await decide("open").status == 303)
    #expect(try fixture.catalog.crashDecisions(project: 1).isEmpty)
    #expect(await browser.get(Self.page).text.contains("NSRangeException</a>"))
  }

  @Test func `refuse a signature that is none`() async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let answer = try await browser.submit(
      Self.page,
      ["signature": "x", "state": "hidden"],
      from: "/projects/1/boards"
    )
    #expect(answer.status == 422)
  }
}

@Suite struct `Data quality pages` {
  @Test func `tell what arrived and what was lost, by reason`() async throws {
    var late = DashboardFixture.event(2, secondsAgo: 5 * 86_400)
    late.receivedMs = DashboardFixture.nowMs
    let fixture = try DashboardFixture(events: [
      DashboardFixture.event(1), late, DashboardFixture.event(3, isTest: true),
    ])
    let today = DashboardFixture.nowMs / 86_400_000
    func loss(
      _ kind: DayLosses.Kind,
      _ reason: String,
      _ library: String,
      _ count: Int
    ) -> DayLosses {
      DayLosses(
        .init(project: 1, day: today, kind: kind, reason: reason, library: library),
        count: count
      )
    }
    try fixture.catalog.addLosses([
      loss(.rejected, "name_too_long", "footfall-swift/1.0.0", 3),
      loss(.dropped, "optOut", "footfall-swift/0.9", 7),
    ])
    try fixture.catalog.addLosses([loss(.rejected, "name_too_long", "footfall-swift/1.0.0", 2)])
    let page = await (try fixture.signIn()).get("/projects/1/quality").text
    #expect(page.contains(#"<p class="figure-value num">3"#) && page.contains("Late"))
    #expect(page.contains("name_too_long") && page.contains(#"<td class="end num">5</td>"#))
    #expect(page.contains("optOut") && page.contains("Dropped by clients"))
    #expect(page.contains("footfall-swift/1.0.0"))
  }

  @Test func `say so when nothing was lost`() async throws {
    let page = await (try DashboardFixture().signIn()).get("/projects/1/quality").text
    #expect(page.contains("Everything that came was kept") && page.contains("Nothing arrived"))
  }
}

@Suite struct `Alert pages` {
  private static let page = "/projects/1/alerts"
  private static let fields = [
    "name": "Sales", "question": "/projects/1/insights/trend?events=Bought&interval=day",
    "rule": "fall", "amount": "0.5", "every": "60", "webhook": "https://example.com/x",
  ]

  @Test func `make, change, pause, try and delete an alert`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let made = try await browser.submit(Self.page, Self.fields, from: Self.page)
    #expect(made.status == 200 && made.text.contains("ff_hook_"))
    #expect(await !browser.get(Self.page).text.contains("ff_hook_"))
    let alert = try #require(try fixture.catalog.alerts(project: 1).last)
    #expect(alert.terms.question == "trend")
    #expect(alert.terms.parameters == "events=Bought&interval=day")
    #expect(alert.terms.rule == .fall(0.5) && alert.terms.everyMinutes == 60)
    let own = "\(Self.page)/\(alert.id)"
    #expect(
      await browser.get(own).text.contains(
        "When “Trends of Bought by day” falls by more than 50.0 %"
      )
    )
    _ = try await browser.submit("\(own)/pause", from: own)
    #expect(await browser.get(own).text.contains("paused"))
    _ = try await browser.submit("\(own)/resume", from: own)
    _ = try await browser.submit("\(own)/test", from: own)
    let state = try #require(try fixture.catalog.alert(alert.id, project: 1)).state
    #expect(state.messages.map(\.kind) == [.test] && !state.isPaused)
    let changed = try await browser.submit(
      own,
      Self.fields.merging(["rule": "over", "amount": "1,000"]) { $1 },
      from: own
    )
    #expect(changed.status == 303)
    #expect(try fixture.catalog.alert(alert.id, project: 1)?.terms.rule == .over(1_000))
    #expect(await browser.get(own).text.contains(#"name="amount" value="1000""#))
    _ = try await browser.submit("\(own)/delete", from: own)
    #expect(await browser.get(own).status == 404)
  }

  @Test func `tell their states in words that need no explanation`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let alert = try #require(try fixture.catalog.alerts(project: 1).first)
    for (value, state) in [(50.0, "within its limit"), (150.0, "past its limit")] {
      let finding = AlertState.Finding(value: value, before: nil, bucketMs: Int64(value))
      _ = try fixture.catalog.tellAlert(.found(finding), id: alert.id)
      for page in [Self.page, "\(Self.page)/\(alert.id)"] {
        #expect(await browser.get(page).text.contains(">\(state)</span>"), "\(page)")
      }
    }
    let page = await browser.get("\(Self.page)/\(alert.id)").text
    #expect(page.contains("<td>passed its limit</td>"))
    for word in ["firing", "calm", "bucket"] { #expect(!page.contains(">\(word)"), "\(word)") }
  }

  @Test func `say at once what no message can ever reach`() async throws {
    var settings = DashboardSettings()
    settings.webhookRefusal = { $0.contains("//10.") ? "It is in a private network." : nil }
    let fixture = try DashboardFixture(settings: settings)
    let browser = try fixture.signIn()
    let inside = Self.fields.merging(["webhook": "http://10.0.0.1/x"]) { $1 }
    let before = try fixture.catalog.alerts(project: 1)
    let refused = try await browser.submit(Self.page, inside, from: Self.page)
    #expect(refused.status == 422)
    #expect(
      refused.text.contains(
        /name="webhook" [^>]*aria-invalid="true"[^>]*><span class="field-problem"[^>]*>It is in a private network\.</
      )
    )
    let own = "\(Self.page)/\(try #require(before.first).id)"
    #expect(try await browser.submit(own, inside, from: own).status == 422)
    #expect(try fixture.catalog.alerts(project: 1) == before)
    #expect(try await browser.submit(Self.page, Self.fields, from: Self.page).status == 200)
  }

  @Test(arguments: [
    ["question": "colour?x=1"], ["question": "trend?range=soon"], ["amount": "many"],
    ["amount": "2"],
    ["webhook": "http://user@127.0.0.1/"], ["webhook": "ftp://x/"], ["every": "x"], ["every": "0"],
    ["name": ""], ["rule": "about"],
  ])
  func `refuse terms that cannot be, and keep what was typed`(change: [String: String]) async throws
  {
    let browser = try DashboardFixture().signIn()
    let answer = try await browser.submit(
      Self.page,
      Self.fields.merging(change) { $1 },
      from: Self.page
    )
    #expect(answer.status == 422 && answer.text.contains(#"role="alert""#))
    #expect(answer.text.contains("https://example.com/x") || change["webhook"] != nil)
  }
}

@Suite struct `The console's page` {
  private static let page = "/projects/1/sql"

  @Test func `shows an answer, saves it, and says what is wrong`() async throws {
    let fixture = try DashboardFixture()
    fixture.store.answerConsoles { query in
      guard query.text != "bad" else { throw ConsoleProblem("syntax error <b>") }
      return ConsoleAnswer(
        columns: [.init("name", "VARCHAR"), .init("n", "BIGINT")],
        rows: [["=1+1", "5"], [nil, "6"]],
        isCut: query.maxRows == 1_000
      )
    }
    let browser = try fixture.signIn()
    #expect(await browser.get(Self.page).text.contains("SELECT name, count(*) AS events"))
    let shown = try await browser.submit(Self.page, ["sql": "SELECT 1"], from: Self.page)
    #expect(
      shown.text.contains(#"<td class="end num">5</td>"#) && shown.text.contains("The first 2 rows")
    )
    let wrong = try await browser.submit(Self.page, ["sql": "bad"], from: Self.page)
    #expect(wrong.text.contains("syntax error &lt;b&gt;"))
    let file = try await browser.submit(Self.page + "/csv", ["sql": "SELECT 1"], from: Self.page)
    #expect(file.text == "name,n\r\n'=1+1,5\r\n,6\r\n")
    let cancelled = try await browser.submit(Self.page + "/cancel", ["run": "x"], from: Self.page)
    #expect(cancelled.text.contains("Nothing runs"))
  }

  @Test func `keeps statements under names`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    for text in ["SELECT 1", "SELECT 2"] {
      _ = try await browser.submit(
        Self.page + "/keep",
        ["name": "Mine", "sql": text],
        from: Self.page
      )
    }
    let kept = try #require(try fixture.catalog.statements(project: 1).first)
    #expect(try fixture.catalog.statements(project: 1).count == 1 && kept.text == "SELECT 2")
    #expect(
      await browser.get("\(Self.page)?statement=\(kept.id)").text.contains(">SELECT 2</textarea>")
    )
    let refused = try await browser.submit(
      Self.page + "/keep",
      ["name": "", "sql": "x"],
      from: Self.page
    )
    #expect(refused.status == 422)
    _ = try await browser.submit("\(Self.page)/\(kept.id)/delete", from: Self.page)
    #expect(try fixture.catalog.statements(project: 1).isEmpty)
  }

  @Test func `is not for viewers`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let viewer = try fixture.signIn(user: "Ada")
    #expect(await viewer.get(Self.page).status == 403)
    #expect(await !viewer.get("/projects/1/catalogue").text.contains("/projects/1/sql"))
  }
}
