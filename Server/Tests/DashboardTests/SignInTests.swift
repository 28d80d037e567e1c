import Catalog
import Dashboard
import Foundation
import HTTPServing
import Testing

@Suite struct `Signing in to the dashboard` {
  /// Opens a link's page, as a browser that was never here, and returns what it then sends.
  private func open(
    _ fixture: DashboardFixture,
    _ page: String
  ) async throws -> (browser: Browser, token: String, html: String) {
    let response = await fixture.client.get(page)
    let cookie = try #require(response.setCookies["footfall_form"])
    let browser = Browser(client: fixture.client, cookie: String(cookie.prefix { $0 != ";" }))
    let token = try #require(Browser.formToken(response.text))
    return (browser, token, response.text)
  }

  @Test func `looking at a link does not use it up; its button signs in, once`() async throws {
    let fixture = try DashboardFixture()
    let path = "/sign-in/\(fixture.start.signInToken)"
    for _ in 0..<3 { #expect(await fixture.client.get(path).status == 200) }
    let (browser, token, _) = try await open(fixture, path)

    let first = await browser.post(path, ["form_token": token])
    #expect(first.status == 303)
    #expect(first.header("Location") == "/")
    let cookie = try #require(first.setCookies["footfall_session"])
    #expect(cookie.contains("; HttpOnly"))
    #expect(cookie.contains("; SameSite=Strict"))
    #expect(!cookie.contains("Secure"))
    let signedIn = Browser(client: fixture.client, cookie: String(cookie.prefix { $0 != ";" }))
    #expect(await signedIn.get("/").header("Location") == "/projects/1/live")
    #expect(await signedIn.get("/projects/1/live").status == 200)

    let second = await browser.post(path, ["form_token": token])
    #expect(second.status == 410)
    #expect(second.setCookies["footfall_session"] == nil)
    #expect(await fixture.client.get(path).text.contains("no longer works"))
  }

  @Test func `behind TLS cookies are marked secure`() async throws {
    let settings = DashboardSettings(publicURL: "https://footfall.example")
    let fixture = try DashboardFixture(settings: settings)
    let response = await fixture.client.get("/sign-in")
    #expect(response.setCookies["footfall_form"]?.contains("; Secure") == true)
  }

  @Test func `a link's form without its token, or with another's, signs nobody in`() async throws {
    let fixture = try DashboardFixture()
    let path = "/sign-in/\(fixture.start.signInToken)"
    let (browser, token, _) = try await open(fixture, path)
    let (other, _, _) = try await open(fixture, path)
    #expect(await browser.post(path, [:]).status == 403)
    #expect(await other.post(path, ["form_token": token]).status == 403)
    let crossSite = [Header("Sec-Fetch-Site", "cross-site")]
    #expect(await browser.post(path, ["form_token": token], headers: crossSite).status == 403)
    #expect(try fixture.catalog.isSignInLinkValid(fixture.start.signInToken))
  }

  @Test func `a password signs in and leads back to where one wanted to go`() async throws {
    let fixture = try DashboardFixture()
    try fixture.catalog.setPassword("correct horse", forUser: "owner")
    let asked = await fixture.client.get("/projects/1/live?name=Song%20Played")
    let signIn = try #require(asked.header("Location"))
    #expect(signIn == "/sign-in?next=%2Fprojects%2F1%2Flive%3Fname%3DSong%2520Played")
    let (browser, token, html) = try await open(fixture, signIn)
    let next = try #require(html.firstMatch(of: /name="next" value="([^"]*)"/)).1

    let wrong = await browser.post(
      "/sign-in",
      ["form_token": token, "name": "owner", "password": "wrong", "next": String(next)]
    )
    #expect(wrong.status == 401)
    #expect(wrong.setCookies["footfall_session"] == nil)
    let right = await browser.post(
      "/sign-in",
      ["form_token": token, "name": "owner", "password": "correct horse", "next": String(next)]
    )
    #expect(right.header("Location") == "/projects/1/live?name=Song%20Played")
    #expect(right.setCookies["footfall_session"] != nil)
  }

  @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil.example"])
  func `nobody is led to another site`(next: String) async throws {
    let fixture = try DashboardFixture()
    try fixture.catalog.setPassword("correct horse", forUser: "owner")
    let page = "/sign-in?next=\(Browser.encoded(next))"
    let (browser, token, html) = try await open(fixture, page)
    #expect(!html.contains("evil"))
    let response = await browser.post(
      "/sign-in",
      ["form_token": token, "name": "owner", "password": "correct horse", "next": next]
    )
    #expect(response.header("Location") == "/")
  }

  @Test func `guessing is slowed down, also for the right password`() async throws {
    let fixture = try DashboardFixture()
    try fixture.catalog.setPassword("correct horse", forUser: "owner")
    let (browser, token, _) = try await open(fixture, "/sign-in")
    func attempt(_ password: String) async -> Response {
      await browser.post(
        "/sign-in",
        ["form_token": token, "name": "owner", "password": password]
      )
    }
    for _ in 0..<10 { #expect(await attempt("wrong").status == 401) }
    let refused = await attempt("correct horse")
    #expect(refused.status == 429)
    #expect(refused.header("Retry-After") == "300")
    fixture.advance(seconds: 300)
    #expect(await attempt("correct horse").status == 303)
  }

  @Test func `a link signs in also while passwords are refused`() async throws {
    let fixture = try DashboardFixture()
    let path = "/sign-in/\(fixture.start.signInToken)"
    let (browser, token, _) = try await open(fixture, path)
    let wrong = ["form_token": token, "name": "owner", "password": "wrong"]
    for _ in 0..<11 { _ = await browser.post("/sign-in", wrong) }
    #expect(await browser.post("/sign-in", wrong).status == 429)
    for _ in 0..<20 {
      #expect(await browser.post("/sign-in/nobodys", ["form_token": token]).status == 410)
    }
    #expect(await browser.post(path, ["form_token": token]).status == 303)
  }

  @Test func `two servers on one machine do not sign each other's people out`() async throws {
    let fixture = try DashboardFixture()
    let path = "/sign-in/\(fixture.start.signInToken)"
    let host = [Header("Host", "127.0.0.1:4002")]
    let page = await fixture.client.get(path, headers: host)
    let form = try #require(page.setCookies["footfall_form_4002"])
    let browser = Browser(client: fixture.client, cookie: String(form.prefix { $0 != ";" }))
    let token = try #require(Browser.formToken(page.text))
    let done = await browser.post(path, ["form_token": token], headers: host)
    let session = try #require(done.setCookies["footfall_session_4002"]).prefix { $0 != ";" }
    let signedIn = Browser(client: fixture.client, cookie: "footfall_session=other; \(session)")
    #expect(await signedIn.get("/projects/1/live", headers: host).status == 200)
    #expect(await signedIn.get("/projects/1/live").status == 303)
  }

  @Test func `signing out ends the session for good`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let response = try await browser.submit("/sign-out", from: "/account")
    #expect(response.header("Location") == "/sign-in")
    #expect(response.setCookies["footfall_session"]?.contains("Max-Age=0") == true)
    #expect(await browser.get("/account").status == 303)
    #expect(
      await browser.client.send(.head, "/account", headers: [Header("Cookie", browser.cookie)])
        .status == 303
    )
  }

  @Test func `a link on another site comes through although the strict cookie stayed at home`()
    async throws
  {
    let fixture = try DashboardFixture()
    let response = await fixture.client.get(
      "/projects/1/live?name=%3Cb%3E",
      headers: [Header("Sec-Fetch-Site", "cross-site"), Header("Sec-Fetch-Mode", "navigate")]
    )
    #expect(response.status == 200)
    #expect(response.text.contains(#"<meta http-equiv="refresh" content="0">"#))
    #expect(response.text.contains(#"href="/projects/1/live?name=%3Cb%3E""#))
  }

  @Test func `without passwords the page says how to get a link`() async throws {
    let fixture = try DashboardFixture(
      settings: DashboardSettings(signInCommand: "footfall sign-in --data ./data")
    )
    let text = await fixture.client.get("/sign-in").text
    #expect(text.contains("footfall sign-in --data ./data"))
    #expect(!text.contains(#"name="password""#))
  }

  @Test func `a link that is over says what to do next, to whoever follows it`() async throws {
    let fixture = try DashboardFixture(
      settings: DashboardSettings(signInCommand: "footfall sign-in --data DIR")
    )
    let text = await fixture.client.get("/sign-in/over").text
    #expect(text.contains("no longer works") && text.contains("Ask them for a new one"))
    #expect(text.contains("footfall sign-in --data DIR") && text.contains("data folder"))
    #expect(!text.contains("Sign in with a password"))
    try fixture.catalog.setPassword("correct horse", forUser: "owner")
    let other = await fixture.client.get("/sign-in/over").text
    #expect(other.contains(#"href="/sign-in">Sign in with a password"#))
    // Whoever is in already needs no link.
    let inside = await (try fixture.signIn()).get("/sign-in/over")
    #expect(inside.status == 303 && inside.header("Location") == "/")
  }

  @Test func `a password is only replaced by whoever knows it, or has just signed in`() async throws
  {
    let fixture = try DashboardFixture()
    // Signed in an hour ago.
    let hourAgo = CatalogClock.live.nowMs() - 3_600_000
    let earlier = try Catalog(
      path: fixture.folder + "/catalog.sqlite",
      clock: CatalogClock(nowMs: { hourAgo }, monotonicNs: { 0 })
    )
    let link = try earlier.createSignInLink(user: "owner")
    let token = try #require(try earlier.signIn(link: link)).token
    let old = Browser(client: fixture.client, cookie: "footfall_session=\(token)")
    func set(_ password: String, knowing current: String?) async throws -> Response {
      var fields = ["password": password]
      fields["current"] = current
      return try await old.submit("/account/password", fields, from: "/account")
    }
    // There is none yet.
    #expect(try await set("correct horse", knowing: nil).status == 200)
    #expect(await old.get("/account").text.contains("Current password"))
    for wrong in [nil, "", "wrong horse 1"] {
      let refused = try await set("battery staple", knowing: wrong)
      #expect(refused.status == 422)
      #expect(refused.text.contains("not your current password"))
      #expect(!refused.text.contains("wrong horse 1"))
    }
    #expect(try fixture.catalog.isPassword("correct horse", ofUser: "owner"))
    #expect(try await set("battery staple", knowing: "correct horse").status == 200)
    let new = try fixture.signIn()
    #expect(await !new.get("/account").text.contains("Current password"))
    let again = try await new.submit(
      "/account/password",
      ["password": "paper clip 1"],
      from: "/account"
    )
    #expect(again.status == 200)
    #expect(try fixture.catalog.isPassword("paper clip 1", ofUser: "owner"))
    // Which ended the other session.
    #expect(await old.get("/account").status == 303)
  }

  @Test func `a password is set with its own rules, and ends other sessions`() async throws {
    let fixture = try DashboardFixture()
    let mine = try fixture.signIn()
    let theirs = try fixture.signIn()
    let short = try await mine.submit(
      "/account/password",
      ["password": "short"],
      from: "/account"
    )
    #expect(short.status == 422)
    #expect(short.text.contains("10 to 1,000 characters"))
    let saved = try await mine.submit(
      "/account/password",
      ["password": "correct horse"],
      from: "/account"
    )
    #expect(saved.status == 200)
    #expect(await mine.get("/account").status == 200)
    #expect(await theirs.get("/account").status == 303)
  }
}
