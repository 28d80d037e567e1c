import Catalog
import Dashboard
import Foundation
import HTTPServing
import Testing

@Suite struct `Projects and keys` {
  @Test func `a key is made, shown, and works`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let page = try await browser.submit(
      "/projects/1/keys",
      ["kind": "ingest", "label": "iOS app"],
      from: "/projects/1/keys"
    )
    let key = try #require(page.text.firstMatch(of: /id="made-key">(ff_pub_[A-Za-z0-9]{32})</)).1
    let made = try #require(try fixture.catalog.keys(project: 1).last)
    #expect(made.label == "iOS app")
    #expect(fixture.catalog.resolve(ingestKey: String(key)) == .project(1, keyID: made.id))
  }

  @Test func `a secret key is shown once`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let page = try await browser.submit(
      "/projects/1/keys",
      ["kind": "secret"],
      from: "/projects/1/keys"
    )
    let key = String(try #require(page.text.firstMatch(of: /ff_sec_[A-Za-z0-9]{32}/)).0)
    #expect(try fixture.catalog.project(secretKey: key) == 1)
    let again = await browser.get("/projects/1/keys").text
    #expect(!again.contains(key))
    #expect(again.contains(key.prefix(11) + "…"))
  }

  @Test func `a vendor's key is adopted, and a second time refused`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let fields = ["kind": "amplitude", "value": "0123456789abcdef", "label": ""]
    let first = try await browser.submit(
      "/projects/1/keys/adopt",
      fields,
      from: "/projects/1/keys"
    )
    #expect(first.status == 303)
    let second = try await browser.submit(
      "/projects/1/keys/adopt",
      fields,
      from: "/projects/1/keys"
    )
    #expect(second.status == 422)
    #expect(second.text.contains("in use already"))
    #expect(try fixture.catalog.keys(project: 1).count == 2)
  }

  @Test func `revoking asks first, and only a form does it`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let key = fixture.start.ingestKey
    let path = "/projects/1/keys/\(key.key.id)/revoke"
    #expect(await browser.get(path).text.contains("Revoke this key?"))
    #expect(fixture.catalog.resolve(ingestKey: key.plaintext) != .revoked)
    let response = try await browser.submit(path, from: path)
    #expect(response.header("Location") == "/projects/1/keys")
    #expect(fixture.catalog.resolve(ingestKey: key.plaintext) == .revoked)
    #expect(await browser.get(path).status == 404)
    #expect(await browser.get("/projects/1/keys").text.contains("revoked"))
  }

  @Test func `a new project comes with a key and opens on its empty page`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let response = try await browser.submit(
      "/projects",
      ["name": "Notes", "time_zone": "Europe/Berlin"],
      from: "/projects/new"
    )
    #expect(response.header("Location") == "/projects/2/live")
    let key = try #require(try fixture.catalog.keys(project: 2).first?.value)
    #expect(await browser.get("/projects/2/live").text.contains(key))
    #expect(await browser.get("/projects/1/keys").text.contains(">Notes</span>"))
  }

  @Test func `a project is renamed and moved to another zone`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let wrong = try await browser.submit(
      "/projects/1",
      ["name": "Shop", "time_zone": "Mars/Olympus"],
      from: "/projects/1/keys"
    )
    #expect(wrong.status == 422)
    _ = try await browser.submit(
      "/projects/1",
      ["name": "Shop", "time_zone": "Asia/Tokyo"],
      from: "/projects/1/keys"
    )
    #expect(try fixture.catalog.project(1)?.name == "Shop")
    #expect(try fixture.catalog.project(1)?.timeZone == "Asia/Tokyo")
  }
}
