import Catalog
import Foundation
import HTTPServing
import Testing

@Suite struct `Keys of Phase's read API on a page` {
  private static func create(
    _ fields: [String: String],
    _ browser: Browser
  ) async throws -> Response {
    try await browser.submit("/projects/1/read-keys", fields, from: "/projects/1/keys")
  }

  @Test func `one is made, shown once, works, and is listed by its prefix`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let page = try await Self.create(["name": " Weekly <b>report</b> ", "days": "30"], browser)
    let text = String(
      try #require(page.text.firstMatch(of: /id="made-read-key">(phase_public_[A-Za-z0-9]{32})</)).1
    )
    let key = try #require(try fixture.catalog.phaseReadKey(text))
    #expect(key.project == 1 && key.name == "Weekly <b>report</b>")
    #expect(key.expiresAtMs.map { $0 - key.createdAtMs } == Int64(30 * 86_400_000))
    let list = await browser.get("/projects/1/keys").text
    #expect(!list.contains(text) && list.contains("<code>\(text.prefix(18))…</code>"))
    #expect(list.contains("Weekly &lt;b&gt;report&lt;/b&gt;") && list.contains("active until"))
    #expect(try fixture.catalog.audit(limit: 5).contains { $0.action == "phase-key.create" })
  }

  @Test func `its last use is told, and that it was never used`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    #expect(await browser.get("/projects/1/keys").text.contains(">never</span>"))
    let made = try fixture.catalog.createPhaseReadKey(name: "Used", project: 1)
    try fixture.catalog.revokePhaseReadKey(1, project: 1)
    _ = try fixture.catalog.phaseReadKey(made.plaintext)
    let used = try #require(try fixture.catalog.phaseReadKeys(project: 1).last?.usedAtMs)
    let row = try #require(
      await browser.get("/projects/1/keys").text
        .firstMatch(of: /<tr[^>]*><td><code>phase_public_[^<]*<\/code><\/td><td>Used<\/td>.*/)
    ).0
    #expect(row.contains("active") && !row.contains("never"))
    let day = Date(timeIntervalSince1970: Double(used) / 1_000)
      .formatted(.iso8601.year().month().day())
    #expect(row.contains(day), "\(row)")
  }

  @Test(arguments: [
    ["name": ""], ["name": "  "], ["name": String(repeating: "x", count: 101)],
    ["name": "a", "days": "0"], ["name": "a", "days": "3651"], ["name": "a", "days": "soon"],
  ])
  func `what is over its limits is refused and makes none`(
    fields: [String: String]
  ) async throws {
    let fixture = try DashboardFixture()
    let answer = try await Self.create(fields, try fixture.signIn())
    #expect(answer.status == 422 && answer.text.contains(#"role="alert""#))
    #expect(try fixture.catalog.phaseReadKeys(project: 1).count == 1)
  }

  @Test func `revoking asks first, and only a form does it`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let made = try fixture.catalog.createPhaseReadKey(
      name: "x" + String(repeating: "ü", count: 99),
      project: 1
    )
    let path = "/projects/1/read-keys/\(made.key.id)/revoke"
    #expect(await browser.get("/projects/1/keys").text.contains(#"href="\#(path)""#))
    #expect(await browser.get(path).text.contains("Revoke this read key?"))
    #expect(try fixture.catalog.phaseReadKey(made.plaintext)?.revokedAtMs == nil)
    let answer = try await browser.submit(path, from: path)
    #expect(answer.header("Location") == "/projects/1/keys")
    #expect(try fixture.catalog.phaseReadKey(made.plaintext)?.revokedAtMs != nil)
    #expect(await browser.get(path).status == 404)
    let list = await browser.get("/projects/1/keys").text
    #expect(list.contains("revoked <") && !list.contains(path))
  }

  @Test func `an expired one is shown as such, another project's not at all`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createProject(name: "Other", timeZone: "UTC")
    let other = try fixture.catalog.createPhaseReadKey(name: "Foreign", project: 2)
    _ = try await Self.create(["name": "Short", "days": "1"], try fixture.signIn())
    let made = try #require(try fixture.catalog.phaseReadKeys(project: 1).last)
    let later = made.createdAtMs + 86_400_000 - DashboardFixture.nowMs
    fixture.advance(seconds: later / 1_000 + 1)
    let browser = try fixture.signIn()
    let list = await browser.get("/projects/1/keys").text
    #expect(list.contains("expired <") && !list.contains("Foreign"))
    #expect(await browser.get("/projects/1/read-keys/\(other.key.id)/revoke").status == 404)
  }

  @Test func `who only looks sees the list without forms`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let list = await (try fixture.signIn(user: "Ada")).get("/projects/1/keys")
    #expect(list.status == 200 && list.text.contains("Reports"))
    #expect(!list.text.contains("Create read key") && !list.text.contains("read-keys/1/revoke"))
  }
}
