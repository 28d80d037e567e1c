import Catalog
import Dashboard
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Insights
import Testing

/// What must hold of every page and every form, whatever it is about.
@Suite struct `Every page` {
  /// Every route as it is asked for in a test, from the router's own list: a page that is added is
  /// tested like the others.
  static let routes: [(method: HTTPMethod, target: String)] = {
    do {
      return try DashboardFixture().router.registered.filter { !isOpen($0.path) }
        .map { ($0.method, filled($0.path)) }
    } catch { return [] }
  }()
  static let pages = routes.filter { $0.method == .get }.map(\.target)
  static let forms = routes.filter { $0.method != .get }.map(\.target)

  /// What anyone may ask for.
  private static func isOpen(_ path: String) -> Bool {
    path == "/" || path == "/favicon.ico" || path.hasPrefix("/sign-in")
      || path.hasPrefix("/assets/")
      || path.hasPrefix("/shared/")
  }

  private static func filled(_ path: String) -> String {
    path.replacing("/events/:key", with: "/events/00000000000000010000000000000001")
      .replacing(":id", with: "1").replacing(":key", with: "1").replacing(":job", with: "1")
      .replacing(":segment", with: "1").replacing(":list", with: "1")
      .replacing(":board", with: "1").replacing(":card", with: "1").replacing(":link", with: "1")
      .replacing(":alert", with: "1").replacing(":statement", with: "1")
      + (path == "/people/remove" ? "?name=owner" : "")
  }

  @Test func `is found in the router's list`() {
    #expect(Self.pages.contains("/projects/1/live"))
    #expect(Self.forms.contains("/projects/1/keys/1/revoke"))
    #expect(!(Self.pages + Self.forms).contains { $0.contains(":") })
  }

  @Test(arguments: pages)
  func `is for people who are signed in`(page: String) async throws {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    let response = await fixture.client.get(page)
    #expect(response.status == 303)
    #expect(response.header("Location")?.hasPrefix("/sign-in?next=%2F") == true)
    let stale = Browser(client: fixture.client, cookie: "footfall_session=guess")
    #expect(await stale.get(page).status == 303)
    let part = await fixture.client.get(page, headers: [Header("Sec-Fetch-Mode", "cors")])
    #expect(part.status == 401)
  }

  @Test(arguments: pages + ["/sign-in", "/sign-in/guess"])
  func `carries the headers that keep foreign scripts out, and nothing inline`(
    page: String
  )
    async throws
  {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    let browser = try fixture.signIn()
    if page.hasSuffix("/stream") { return }
    let isSignIn = page.hasPrefix("/sign-in")
    let response = isSignIn ? await fixture.client.get(page) : await browser.get(page)
    #expect(response.status == 200, "\(page)")
    let policy = try #require(response.header("Content-Security-Policy"))
    #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(!policy.contains("unsafe"))
    #expect(response.header("X-Content-Type-Options") == "nosniff")
    #expect(response.header("Cache-Control") == "no-store")
    Self.expectHarmless(response, page)
  }

  @Test(arguments: forms)
  func `refuses a form that did not come from it, and changes nothing`(form: String) async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let fields = [
      "kind": "ingest", "name": "Changed", "time_zone": "UTC", "password": "long enough",
      "value": "vendor-key-1", "role": "viewer", "retention_days": "1", "session": "x",
    ]
    let before = try Self.state(of: fixture)
    #expect(await browser.post(form, fields).status == 403)
    let wrong = fields.merging(["form_token": String(repeating: "0", count: 64)]) { $1 }
    #expect(await browser.post(form, wrong).status == 403)
    let token = try #require(Browser.formToken(await browser.get("/account").text))
    let own = fields.merging(["form_token": token]) { $1 }
    for site in ["cross-site", "same-site"] {
      let headers = [Header("Sec-Fetch-Site", site)]
      #expect(await browser.post(form, own, headers: headers).status == 403)
    }
    #expect(await fixture.client.post(form, text: "form_token=\(token)").status == 401)
    #expect(try Self.state(of: fixture) == before)
    #expect(await browser.get("/account").status == 200)
  }

  /// All that a form could change: whatever it is, the audit log tells of it.
  private static func state(of fixture: DashboardFixture) throws -> [AuditEntry] {
    try fixture.catalog.audit(limit: 1_000)
  }

  @Test(arguments: [
    "/projects/2/live", "/projects/x/live", "/projects/99999999999/keys",
    "/projects/1/events/nonsense", "/projects/1/events/00000000000000090000000000000009",
    "/projects/1/keys/77/revoke", "/projects/1/nothing", "/people/nothing/here", "/account/nothing",
    "/nonsense", "/nonsense/of/all/kinds", "/projects/1/rules", "/sign-in/a/b",
  ])
  func `that does not exist says so`(page: String) async throws {
    let fixture = try DashboardFixture()
    let asBrowser = [Header("Accept", "text/html,application/xhtml+xml")]
    let response = await (try fixture.signIn()).get(page, headers: asBrowser)
    #expect(response.status == 404)
    #expect(response.text.contains("Page not found"))
    // The way on is there: the menus, and where the address names a project, those of it.
    #expect(response.text.contains("Corner Shop") && response.text.contains("Sign out"))
    #expect(response.text.contains(#"<nav class="nav""#) == page.hasPrefix("/projects/1/"))
    // Whoever is not signed in is told of no project.
    let stranger = await fixture.client.get(page, headers: asBrowser)
    #expect(!stranger.text.contains("Corner Shop") && !stranger.text.contains("<nav"))
    #expect(stranger.status == 404 || stranger.header("Location")?.hasPrefix("/sign-in") == true)
    #expect(response.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
    #expect(response.header("Cache-Control") == "no-store")
  }

  @Test(arguments: pages)
  func `has one title, and headings that leave no level out`(page: String) async throws {
    let browser = try DashboardFixture(events: [DashboardFixture.event(1)]).signIn()
    let text = await browser.get(page).text
    guard text.contains("<html") else { return }
    let levels = text.matches(of: /<h([1-6])[ >]/).compactMap { Int($0.output.1) }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1, "\(page): \(levels)")
    for (before, level) in zip(levels, levels.dropFirst()) {
      #expect(level <= before + 1, "\(page): \(levels)")
    }
  }

  @Test func `of a project without events says how the first one comes`() async throws {
    let hint = "has no events yet"
    let empty = try DashboardFixture().signIn()
    for page in [
      "insights/trend", "sessions", "people", "explore", "catalogue", "crashes", "quality",
      "boards", "alerts",
    ] {
      let text = await empty.get("/projects/1/\(page)").text
      #expect(text.contains(hint), "\(page)")
      #expect(text.contains(#"<a href="/projects/1/live">Send the first event</a>"#), "\(page)")
    }
    #expect(await !empty.get("/projects/1/live").text.contains(hint))
    #expect(await empty.get("/projects/1/live").text.contains("Send the first event"))
    let full = try DashboardFixture()
    try full.catalog.addUsage([
      DayUsage(project: 1, day: DashboardFixture.nowMs / 86_400_000, events: 1)
    ])
    #expect(await !(try full.signIn()).get("/projects/1/sessions").text.contains(hint))
    // Nor where events came by an import, which no collector counts.
    let imported = try DashboardFixture()
    let job = try imported.catalog.addJob(
      kind: "import",
      project: 1,
      document: "{}",
      summary: "a file",
      by: .server
    )
    _ = try imported.catalog.nextJob()
    try imported.catalog.endJob(job.id, .done, counts: ["stored": 1])
    #expect(await !(try imported.signIn()).get("/projects/1/sessions").text.contains(hint))
  }

  @Test func `has tables that phones show as blocks, each cell with what it is`() async throws {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    let browser = try fixture.signIn()
    for page in ["projects/1/data", "people", "projects/1/alerts", "projects/1/catalogue", "audit"]
    {
      let text = await browser.get("/" + page).text
      let table = try #require(
        text.firstMatch(of: /<table class="table table-stack">[\s\S]*?<\/table>/),
        "\(page)"
      ).0
      let rows = table.components(separatedBy: "<tr>").dropFirst(2)
      #expect(!rows.isEmpty, "\(page)")
      for row in rows {
        // The first cell says what the row is; actions say themselves what they do.
        let cells = row.matches(of: /<td([^>]*)>(<div class="line-form|<form|<a |<\/td>)?/).map {
          "\($0.0)"
        }
        let isHead = row.hasPrefix("<td")
        for cell in cells.dropFirst(isHead ? 1 : 0) {
          #expect(
            cell.contains("data-label=\"") || cell.contains("<td class=\"end\"")
              || cell.hasSuffix("</td>"),
            "\(page): \(cell)"
          )
        }
      }
    }
  }

  @Test func `there is not is told to browsers alone, and no API answers with one`() async throws {
    let fixture = try DashboardFixture()
    let plain = await fixture.client.get("/nonsense")
    #expect(plain.status == 404 && plain.text == "Not found\n")
    let sent = await fixture.client.post(
      "/nonsense",
      headers: [Header("Accept", "text/html")],
      text: ""
    )
    #expect(sent.status == 404 && sent.text == "Not found\n")
    #expect(fixture.router.registered.allSatisfy { $0.path.hasPrefix("/") })
  }

  @Test func `has its icon where browsers guess it`() async throws {
    let icon = await (try DashboardFixture()).client.get("/favicon.ico")
    #expect(icon.status == 200 && icon.header("Content-Type") == "image/svg+xml")
    #expect(icon.text.contains("<svg"))
  }

  @Test func `a role does not include says who can help, and keeps the way on`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let page = await (try fixture.signIn(user: "Ada")).get("/projects/1/sql")
    #expect(page.status == 403)
    #expect(page.text.contains("You are signed in as a viewer; this is for editors and owners."))
    #expect(page.text.contains(#"<nav class="nav""#) && page.text.contains("/projects/1/live"))
  }

  @Test func `says so when the store cannot answer, and where the events are`() async throws {
    let fixture = try DashboardFixture()
    fixture.store.fail(with: .unavailable("libduckdb.so was not found"))
    let response = await (try fixture.signIn()).get("/projects/1/live")
    #expect(response.status == 503)
    #expect(response.text.contains("libduckdb.so was not found"))
    #expect(response.text.contains("kept in the ingest log"))
  }

  // MARK: Text from outside

  static let attacks = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "</title><script>alert(1)</script>", "</textarea></script><svg onload=alert(1)>",
    "{{7*7}}${7*7}", "javascript:alert(1)", "<!--", "&lt;script&gt;",
  ]

  @Test(arguments: attacks)
  func `shows text from apps as text, in every field of an event`(attack: String) async throws {
    func object(_ key: String, _ value: String) throws -> String {
      let data = try JSONSerialization.data(withJSONObject: [key: value, "list": [value]])
      return String(decoding: data, as: UTF8.self)
    }
    let json = try object(attack, attack)
    var event = DashboardFixture.event(1, name: attack, user: attack, device: attack)
    event.id = attack
    event.sessionID = attack
    event.properties = json
    event.groups = json
    event.operations = json
    event.context = json
    event.client = try object("platform", attack)
    let broken = {
      var event = event
      event.key.low = 2
      event.properties = attack
      event.client = attack
      return event
    }()
    let operations = Operations(
      checks: { [.init(name: attack, detail: attack, isProblem: true)] },
      setAside: { _ in ([.init(name: attack, bytes: 1, reason: attack)], 2) },
      replay: { 0 }
    )
    let fixture = try DashboardFixture(
      events: [event, broken],
      projectName: attack,
      operations: operations
    )
    let key = try fixture.catalog.createKey(project: 1, kind: .ingest, label: attack)
    _ = try fixture.catalog.createUser(name: attack)
    _ = try fixture.catalog.signIn(
      link: fixture.catalog.createSignInLink(user: attack),
      browser: attack
    )
    try fixture.catalog.setRules(
      ProjectRules(names: [.init(name: attack, days: 3)]),
      project: 1,
      by: .user(attack)
    )
    try fixture.catalog.setRules(
      ProjectRules(names: [.init(name: attack, days: 4)]),
      project: 1,
      by: .user(attack)
    )
    _ = try fixture.catalog.addList(
      name: attack,
      members: [1],
      failed: 1,
      failures: [.init(line: 2, reason: attack)],
      project: 1
    )
    let rules = [
      "in-list 2", "did-at-least 1 ever \(attack.replacing("|", with: "\\|"))",
      "user.\(attack):is:\(attack)",
    ].compactMap { PersonRule($0) }
    _ = try fixture.catalog.addSegment(
      name: attack,
      definition: Segment(.any, [.init(.all, rules), .init(.none, rules)]).text,
      project: 1
    )
    let board = try Self.board(with: attack, in: fixture)
    try fixture.catalog.setEventRule(
      EventRule(name: attack, description: attack, isHidden: true, isBlocked: true),
      project: 1,
      by: .user(attack)
    )
    let browser = try fixture.signIn()
    let query = "?name=\(Browser.encoded(attack))&person=\(Browser.encoded(attack))&range=30d"
    let pages =
      Self.pages.filter { !$0.hasSuffix("/stream") } + [
        "/people/remove?name=\(Browser.encoded(attack))",
        "/projects/1/live", "/projects/1/live" + query, "/projects/1/live/rows",
        "/projects/1/live/numbers" + query, "/projects/1/names", "/projects/1/keys",
        "/projects/1/keys/\(key.key.id)/revoke", "/projects/new", "/account",
        "/projects/1/events/00000000000000010000000000000001",
        "/projects/1/events/00000000000000010000000000000002",
        "/projects/1/live?name=nothing&person=\(Browser.encoded(attack))",
        "/projects/1/catalogue?name=\(Browser.encoded(attack))",
      ] + board + Self.questions(attack) + Self.peoplePages(attack)
    for page in pages { Self.expectHarmless(await browser.get(page), page) }
    let headers = [Header("Host", attack)]
    Self.expectHarmless(await browser.get("/projects/1/live", headers: headers), "host")
    #expect(await browser.get("/projects/1/live").text.contains("class=\"event\""))
  }

  /// Pages about people and past events with text from outside in all of their address.
  private static func peoplePages(_ attack: String) -> [String] {
    let text = Browser.encoded(attack)
    let rules = "did-at-least%201%20ever%20\(text);user.\(text):is:\(text);group.\(text):is:\(text)"
    return [
      "people?q=\(text)", "people?where=\(rules)", "people?where=\(text)&segment=\(text)",
      "people?segment=2", "people/profile?id=\(text)", "people/profile?id=\(text)&name=\(text)",
      "people/profile?id=nobody\(text)", "people/profile?id=\(text)&device=true",
      "people/groups?type=\(text)&q=\(text)", "people/groups?q=\(text)",
      "people/group?type=list&name=\(text)", "people/group?type=\(text)&name=\(text)",
      "people/segments", "people/segments/2", "people/segments/2/remove",
      "people/segments/new?definition=\(text)", "people/segments/new?definition=all/all;\(rules)",
      "people/segments/count?definition=\(text)", "people/lists", "people/lists/2",
      "people/lists/2/remove", "explore?where=\(text)&name=\(text)",
      "explore?name=\(text)&columns=props.list;props.\(text);platform&range=30d&test=true",
      "explore?where=props.\(text):is:\(text)&segment=\(text)", "explore?name=not\(text)&range=7d",
      "sessions?session=\(text)&person=\(text)", "data?user=\(text)&form=erase",
    ].map { "/projects/1/" + $0 }
  }

  /// A board with text from outside in every field; the pages that show it, to anyone too.
  private static func board(
    with attack: String,
    in fixture: DashboardFixture
  ) throws -> [String] {
    let queries = ["events=\(Browser.encoded(attack))", "where=\(Browser.encoded(attack))", attack]
    let cards =
      queries.map {
        BoardCard(title: attack, content: .chart(question: "trend", parameters: $0))
      } + [
        BoardCard(title: attack, content: .text(attack)),
        BoardCard(title: attack, content: .chart(question: "no", parameters: "")),
      ]
    let board = try fixture.catalog.createBoard(name: attack, cards: cards, project: 1)
    let link = try fixture.catalog.createBoardLink(board: board.id, project: 1)
    let page = "/projects/1/boards/\(board.id)"
    return [page, "/shared/\(link.token)"].flatMap { page in
      [page] + board.cards.map { "\(page)/cards/\($0.id)" }
    }
  }

  /// Questions with text from outside in everything they can be asked with.
  private static func questions(_ attack: String) -> [String] {
    let text = Browser.encoded(attack)
    return QuestionKind.all.map(\.word).flatMap { question in
      [
        "events=\(text)&by=props.\(text)&where=props.\(text):is:\(text)&range=7d",
        "by=props.list&measure=sum&property=\(text)&steps=\(text);\(text)&people=1&first=\(text)",
        "range=\(text)&from=\(text)&where=\(text)&steps=\(text)&f=\(text)&op=\(text)",
        "event=\(text)&within=day", "steps=\(text);a&people=1&people-who=came",
        "unit=\(text)&again=\(text)", "by=event",
        "by=person&steps=a;b", "by=user.list&steps=\(text);\(text)|user.\(text):set",
      ].map { "/projects/1/insights/\(question)?" + $0 }
    }
  }

  @Test(arguments: attacks)
  func `shows what was typed into a form as text`(attack: String) async throws {
    let fixture = try DashboardFixture()
    try fixture.catalog.setPassword("correct horse", forUser: "owner")
    let browser = try fixture.signIn()
    let project = try await browser.submit(
      "/projects",
      ["name": attack, "time_zone": attack],
      from: "/projects/new"
    )
    #expect(project.status == 422)
    Self.expectHarmless(project, "new project")
    let adopted = try await browser.submit(
      "/projects/1/keys/adopt",
      ["kind": attack, "value": attack, "label": attack],
      from: "/projects/1/keys"
    )
    Self.expectHarmless(adopted, "adopted key")
    let made = try await browser.submit(
      "/projects/1/keys",
      ["kind": attack, "label": attack],
      from: "/projects/1/keys"
    )
    #expect(made.status == 200)
    Self.expectHarmless(made, "made key")
    for days in ["", attack] {
      let read = try await browser.submit(
        "/projects/1/read-keys",
        ["name": attack, "days": days],
        from: "/projects/1/keys"
      )
      #expect(read.status == (days.isEmpty ? 200 : 422))
      Self.expectHarmless(read, "read key")
    }
    Self.expectHarmless(await browser.get("/projects/1/read-keys/2/revoke"), "revoked read key")
    for form in ["export", "erase"] {
      var fields = Dictionary(
        uniqueKeysWithValues: ["user", "device", "name", "from", "to", "format"].map {
          ($0, attack)
        }
      )
      fields["action"] = "erase"
      let data = "/projects/1/data"
      let refused = try await browser.submit("\(data)/\(form)", fields, from: data)
      #expect(refused.status == 422)
      Self.expectHarmless(refused, form)
      let asked = ["name": attack, "action": "count"]
      #expect(try await browser.submit("\(data)/\(form)", asked, from: data).status == 303)
      Self.expectHarmless(await browser.get(data), "jobs")
    }
    for field in ["retention_days", "events_per_day", "names"] {
      let rules = try await browser.submit(
        "/projects/1/rules",
        [field: attack],
        from: "/projects/1/settings"
      )
      #expect(rules.status == 422)
      Self.expectHarmless(rules, "rules")
    }
    let named = try await browser.submit(
      "/projects/1",
      ["name": "", "time_zone": attack],
      from: "/projects/1/settings"
    )
    Self.expectHarmless(named, "project")
    for form in ["/people", "/people/role", "/people/link", "/people/remove"] {
      let answer = try await browser.submit(
        form,
        ["name": attack, "role": form == "/people" ? "viewer" : "x"],
        from: "/people"
      )
      Self.expectHarmless(answer, form)
    }
    let boards = "/projects/1/boards"
    for (form, page) in [
      (boards, boards), ("/projects/1/charts", boards), ("\(boards)/1", "\(boards)/1"),
      ("\(boards)/1/cards", "\(boards)/1"), ("\(boards)/1/cards/1", "\(boards)/1"),
      ("\(boards)/1/links", "\(boards)/1"), ("/projects/1/catalogue", boards),
      ("/projects/1/alerts", "/projects/1/alerts"), ("/projects/1/alerts/1", "/projects/1/alerts"),
      ("/projects/1/crashes", boards),
    ] {
      let fields = Dictionary(
        uniqueKeysWithValues: [
          "name", "title", "text", "days", "width", "question", "parameters", "description",
          "rule", "amount", "every", "webhook", "signature", "state", "version", "range",
        ].map { ($0, attack) }
      )
      Self.expectHarmless(try await browser.submit(form, fields, from: page), form)
    }
    Self.expectHarmless(await browser.get("\(boards)/1"), "board")
    let page = await fixture.client.get("/sign-in?next=\(Browser.encoded("/" + attack))")
    Self.expectHarmless(page, "sign in")
    let cookie = try #require(page.setCookies["footfall_form"]).prefix { $0 != ";" }
    let visitor = Browser(client: fixture.client, cookie: String(cookie))
    let wrong = try await visitor.submit(
      "/sign-in",
      ["name": attack, "password": attack, "next": attack],
      from: "/sign-in"
    )
    #expect(wrong.status == 401)
    Self.expectHarmless(wrong, "wrong password")
  }

  private static let elements: Set = [
    "html", "head", "meta", "title", "link", "script", "body", "header", "main", "footer", "nav",
    "section", "article", "div", "p", "h1", "h2", "h3", "a", "span", "b", "i", "br", "code", "pre",
    "dl", "dt", "dd", "ol", "ul", "li", "em", "table", "caption", "thead", "tbody", "tr", "th",
    "td",
    "form", "fieldset", "legend", "label", "input", "select", "option", "datalist", "textarea",
    "button",
    "details", "summary", "dialog", "time", "svg", "g", "rect", "path",
  ]

  /// What is not ours on a page: every tag must be one that we write, and none may run or load
  /// anything from elsewhere.
  private static func foreign(in html: String) -> [String] {
    guard let tags = TagScanner.tags(of: html) else { return ["markup that is not well-formed"] }
    var found: [String] = []
    for tag in tags {
      if !elements.contains(tag.name) { found.append("<\(tag.name)>") }
      for (name, value) in tag.attributes where name.hasPrefix("on") || name == "style" {
        found.append("\(name)=\(value)")
      }
      for (name, value) in tag.attributes where addresses.contains(name) {
        let isLocal = value.hasPrefix("/") && !value.hasPrefix("//") || value.hasPrefix("#")
        if !isLocal { found.append("\(name)=\(value)") }
      }
      if tag.name == "script", !tag.attributes.contains(where: { $0.name == "src" }) {
        found.append("an inline script")
      }
    }
    return found
  }

  private static let addresses: Set = ["href", "src", "action", "hx-get", "data-source"]

  private static func expectHarmless(_ response: Response, _ page: String) {
    // What says that it is no page is not shown as one.
    let isPage = response.header("Content-Type")?.hasPrefix("text/html") ?? true
    guard isPage || response.header("X-Content-Type-Options") != "nosniff" else { return }
    let found = foreign(in: response.text)
    #expect(found.isEmpty, "\(page)")
  }

  @Test(arguments: [
    "<p><script>alert(1)</script></p>", "<p><img src=x onerror=alert(1)></p>", "<!-- -->",
    #"<p title="" onmouseover="x">"#, #"<a href="javascript:alert(1)">"#, "<p><svg onload=x>",
    #"<a href="//evil.example">"#, #"<p style="x">"#, "<script>",
  ])
  func `would be noticed to hold an attack`(html: String) {
    #expect(!Self.foreign(in: html).isEmpty)
  }
}
