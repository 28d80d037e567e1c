import Catalog
import Dashboard
import EventStore
import Foundation
import HTTPServing
import Testing

/// Who may do what, for every route the dashboard has.
@Suite struct `Permissions of pages` {
  /// Routes that ask for more or less than the rest: what looks is for everyone, what changes for
  /// editors.
  static let exceptions: [String: Permission] = [
    "GET /account": .ownAccount, "POST /account/password": .ownAccount,
    "POST /account/sessions/end": .ownAccount, "POST /sign-out": .ownAccount,
    "GET /projects/new": .createProject, "POST /projects": .createProject,
    "POST /projects/:id/keys": .manageKeys, "POST /projects/:id/keys/adopt": .manageKeys,
    "GET /projects/:id/keys/:key/revoke": .manageKeys,
    "POST /projects/:id/keys/:key/revoke": .manageKeys,
    "POST /projects/:id/keys/:key/rotate": .manageKeys,
    "POST /projects/:id/read-keys": .manageKeys,
    "GET /projects/:id/read-keys/:key/revoke": .manageKeys,
    "POST /projects/:id/read-keys/:key/revoke": .manageKeys,
    "GET /people": .manageUsers, "POST /people": .manageUsers,
    "POST /people/role": .manageUsers, "POST /people/link": .manageUsers,
    "GET /people/remove": .manageUsers, "POST /people/remove": .manageUsers,
    "POST /people/sessions/end": .manageUsers, "GET /audit": .viewAudit,
    "GET /projects/:id/data": .exportEvents, "GET /projects/:id/data/:job/file": .exportEvents,
    "POST /projects/:id/data/export": .exportEvents,
    "POST /projects/:id/data/upload": .importEvents,
    "POST /projects/:id/data/import": .importEvents,
    "POST /projects/:id/data/erase": .changeEvents,
    "POST /projects/:id/data/:job/cancel": .exportEvents,
    "GET /projects/:id/people/segments/:segment/remove": .manageProject,
    "GET /projects/:id/people/lists/:list/remove": .manageProject,
    "GET /projects/:id/sql": .runStatements,
    "GET /system": .operate, "POST /system/replay": .operate,
  ]

  @Test func `name only routes that exist`() throws {
    let routes = try DashboardFixture().router.registered.map { "\($0.method.rawValue) \($0.path)" }
    for route in Self.exceptions.keys { #expect(routes.contains(route), "\(route)") }
  }

  @Test(arguments: Role.allCases)
  func `hold on every route, for every role`(role: Role) async throws {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    _ = try fixture.catalog.createUser(name: "Ada", role: role)
    let browser = try fixture.signIn(user: "Ada")
    for (method, path) in fixture.router.registered {
      guard path != "/", path != "/favicon.ico", !path.hasPrefix("/sign-in"),
        !path.hasPrefix("/assets/"),
        !path.hasPrefix("/shared/")
      else { continue }
      let permission =
        // Whoever may ask may stop asking.
        path.hasPrefix("/projects/:id/insights/") && path.hasSuffix("/stop")
        ? .viewEvents
        : Self.exceptions["\(method.rawValue) \(path)"]
          ?? (method == .get ? .viewEvents : .manageProject)
      let target = path.replacing("/events/:key", with: "/events/00000000000000010000000000000001")
        .replacing(":id", with: "1").replacing(":key", with: "1").replacing(":job", with: "1")
        .replacing(":segment", with: "1").replacing(":list", with: "1")
        .replacing(":board", with: "1").replacing(":card", with: "1").replacing(":link", with: "1")
        .replacing(":alert", with: "1").replacing(":statement", with: "1")
      // A form without its token: who may send it is told that, who may not is told so before.
      let answer =
        method == .get
        ? await browser.get(target + "?name=Ada") : await browser.post(target, [:])
      let isNotFor = answer.status == 403 && answer.text.contains("Your role does not include this")
      #expect(isNotFor != role.may(permission), "\(method.rawValue) \(path)")
      if method == .get, role.may(permission), !path.hasSuffix("stream") {
        #expect(answer.status == 200, "\(path)")
      }
    }
  }

  @Test func `an editor cannot make, replace or revoke a key that may do more`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .editor)
    let browser = try fixture.signIn(user: "Ada")
    let key = try fixture.catalog.createKey(project: 1, kind: .secret, role: .owner).key.id
    let before = try fixture.catalog.keys(project: 1)
    let keys = "/projects/1/keys"
    for (target, fields) in [
      (keys, ["kind": "owner"]), ("\(keys)/\(key)/rotate", [:]), ("\(keys)/\(key)/revoke", [:]),
    ] {
      #expect(try await browser.submit(target, fields, from: keys).status == 403, "\(target)")
    }
    #expect(try fixture.catalog.keys(project: 1) == before)
    #expect(await !browser.get(keys).text.contains("administers the whole server"))
    #expect(try await browser.submit(keys, ["kind": "secret"], from: keys).status == 200)
    #expect(try fixture.catalog.keys(project: 1).last?.role == .editor)
  }

  @Test func `a viewer's settings page tells what holds and who can change it`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let html = await (try fixture.signIn(user: "Ada")).get("/projects/1/settings").text
    #expect(html.contains("Editors and owners change this; ask one of them."))
    for (name, value) in [
      ("Name", "Corner Shop"), ("Time zone", "UTC"), ("Weeks begin on", "Monday"),
      ("Currency", "the most used"),
      ("Revenue is", "price times quantity"),
    ] {
      #expect(html.contains("<div><dt>\(name)</dt><dd>\(value)</dd></div>"), "\(name)")
    }
    #expect(
      await !(try fixture.signIn()).get("/projects/1/settings").text.contains("ask one of them")
    )
  }

  @Test func `a viewer is offered nothing that is refused`() async throws {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let browser = try fixture.signIn(user: "Ada")
    for page in [
      "/projects/1/live", "/projects/1/keys", "/projects/1/settings", "/account",
      "/projects/1/boards", "/projects/1/boards/1", "/projects/1/catalogue",
      "/projects/1/catalogue?name=Song%20Played", "/projects/1/insights/trend",
      "/projects/1/crashes", "/projects/1/alerts", "/projects/1/alerts/1", "/projects/1/quality",
    ] {
      let html = await browser.get(page).text
      for target in html.matches(of: /(?:href|action)="(\/[^"?]*)/).map({ String($0.1) }) {
        guard !target.hasPrefix("/assets"), target != "/account/password" else { continue }
        let answer = await browser.get(target)
        #expect(answer.status != 403, "\(page) → \(target)")
      }
      #expect(!html.contains("method=\"post\" action=\"/projects"), "\(page)")
    }
  }
}

@Suite struct `Administration pages` {
  @Test func `someone is added, gets a link, another role, and is removed`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let added = try await browser.submit(
      "/people",
      ["name": "Ada", "role": "viewer"],
      from: "/people"
    )
    let link = try #require(added.text.firstMatch(of: /\/sign-in\/([A-Za-z0-9]{43})/))
    #expect(try fixture.catalog.isSignInLinkValid(String(link.1)))
    #expect(await !browser.get("/people").text.contains(String(link.1)))
    let changed = try await browser.submit(
      "/people/role",
      ["name": "Ada", "role": "editor"],
      from: "/people"
    )
    #expect(changed.status == 303)
    #expect(try fixture.catalog.users().last?.role == .editor)
    let session = try #require(try fixture.catalog.signIn(link: String(link.1)))
    let id = Catalog.sessionID(ofToken: session.token)
    _ = try await browser.submit("/people/sessions/end", ["session": id], from: "/people")
    #expect(try fixture.catalog.user(session: session.token) == nil)
    let last = try await browser.submit("/people/remove", ["name": "owner"], from: "/people")
    #expect(last.status == 422)
    #expect(last.text.contains("Someone must stay owner"))
    _ = try await browser.submit("/people/remove", ["name": "Ada"], from: "/people")
    #expect(try fixture.catalog.users().map(\.name) == ["owner"])
    let audit = await browser.get("/audit").text
    for action in ["user.create", "user.role", "session.end", "user.remove"] {
      #expect(audit.contains(action))
    }
    #expect(try fixture.catalog.audit().allSatisfy { !$0.detail.contains(String(link.1)) })
  }

  @Test func `rules are saved, shown, and refused with what was typed`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let page = "/projects/1/settings"
    let saved = try await browser.submit(
      "/projects/1/rules",
      ["retention_days": "90", "events_per_day": "", "names": "A = B = 7\n\n Tap=3 "],
      from: page
    )
    #expect(saved.status == 303)
    #expect(
      try fixture.catalog.rules(project: 1)
        == ProjectRules(
          retentionDays: 90,
          names: [.init(name: "A = B", days: 7), .init(name: "Tap", days: 3)]
        )
    )
    #expect(await browser.get(page).text.contains("Events kept 90 days"))
    let refused = try await browser.submit(
      "/projects/1/rules",
      ["retention_days": "ninety", "names": "Tap = 4"],
      from: page
    )
    #expect(refused.status == 422)
    #expect(refused.text.contains("“ninety” is not a whole number"))
    #expect(refused.text.contains("value=\"ninety\"") && refused.text.contains("Tap = 4"))
    #expect(try fixture.catalog.rules(project: 1).retentionDays == 90)
  }

  @Test func `one's own sessions end, another's do not`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let ada = try fixture.signIn(user: "Ada")
    let owner = try #require(
      try fixture.catalog.signIn(link: fixture.catalog.createSignInLink(user: "owner"))
    )
    let id = Catalog.sessionID(ofToken: owner.token)
    _ = try await ada.submit("/account/sessions/end", ["session": id], from: "/account")
    #expect(try fixture.catalog.user(session: owner.token) != nil)
    let own = try #require(try fixture.catalog.sessions(user: "Ada").first).id
    _ = try await ada.submit("/account/sessions/end", ["session": own], from: "/account")
    #expect(await ada.get("/account").status == 303)
  }

  @Test func `records that were set aside are shown and loaded again`() async throws {
    let operations = Operations(
      checks: { [.init(name: "Store", detail: "works", isProblem: false)] },
      setAside: { _ in ([.init(name: "r-1", bytes: 12, reason: "no such column")], 3) },
      replay: { 3 }
    )
    let fixture = try DashboardFixture(operations: operations)
    let browser = try fixture.signIn()
    let page = await browser.get("/system").text
    #expect(page.contains("no such column") && page.contains("And 2 more"))
    let done = try await browser.submit("/system/replay", from: "/system")
    #expect(done.text.contains("3 records handed to the log again"))
    #expect(try fixture.catalog.audit().first?.action == "poison.replay")
  }

  @Test(arguments: [
    (
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36",
      "Chrome on Linux"
    ),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Firefox/133.0", "Firefox on Mac"),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
      "Safari on iPhone"
    ),
    ("curl/8.5.0", "curl"), ("<script>", ""),
  ])
  func `a browser is named without its version`(agent: String, name: String) async throws {
    let fixture = try DashboardFixture()
    let link = try fixture.catalog.createSignInLink(user: "owner")
    let page = await fixture.client.get("/sign-in/\(link)")
    let cookie = try #require(page.setCookies["footfall_form"]).prefix { $0 != ";" }
    let token = try #require(Browser.formToken(page.text))
    let visitor = Browser(client: fixture.client, cookie: String(cookie))
    let answer = await visitor.post(
      "/sign-in/\(link)",
      ["form_token": token],
      headers: [Header("User-Agent", agent)]
    )
    #expect(answer.status == 303)
    #expect(try fixture.catalog.sessions().map(\.browser) == [name])
  }
}
