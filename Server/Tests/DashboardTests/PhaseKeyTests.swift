import Catalog
import FootfallTesting
import Foundation
import HTTPServing
import Ingest
import IngestLog
import Testing

@Suite struct `Keys for Phase's SDK` {
  @Test(
    "PHA-63 a new project has one key of Phase's form on its page, and a client with it is taken"
  )
  func newProject() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let made = try await browser.submit(
      "/projects",
      ["name": "New app", "time_zone": "UTC"],
      from: "/projects/new"
    )
    #expect(made.status == 303)
    let page = await browser.get("/projects/2/keys").text
    let keys = page.matches(of: /phase_[A-Za-z0-9]+/).map { String($0.0) }
    try #require(Set(keys).count == 1)
    #expect(keys[0].count == 6 + 32)

    let log = try IngestLog(folder: "/log", files: MemoryFiles(), keepsItself: false)
    defer { log.close() }
    var router = Router()
    IngestRoutes(
      catalog: fixture.catalog,
      log: log,
      state: try StateStore(path: ":memory:")
    ).install(in: &router)
    func register(_ key: String) async -> Int {
      await TestClient(router).post(
        "/sdk/devices",
        headers: [Header("Authorization", "Bearer \(key)")],
        text: #"{"deviceId":"01JZ2V8QK5XW3N7M9R4T6Y1B0C"}"#
      ).status
    }
    #expect(await register(keys[0]) == 200)
    #expect(await register("phase_" + String(repeating: "a", count: 32)) == 401)
  }

  @Test func `another key of Phase's form can be made for a project, and revoked`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let page = try await browser.submit(
      "/projects/1/keys",
      ["kind": "phase", "label": "Watch"],
      from: "/projects/1/keys"
    )
    let value = try #require(page.text.firstMatch(of: /id="made-key">(phase_[A-Za-z0-9]{32})</)).1
    let key = try #require(try fixture.catalog.keys(project: 1).last)
    #expect(key.kind == .phase && key.label == "Watch")
    #expect(fixture.catalog.resolve(ingestKey: String(value)) == .project(1, keyID: key.id))
    _ = try await browser.submit(
      "/projects/1/keys/\(key.id)/revoke",
      from: "/projects/1/keys/\(key.id)/revoke"
    )
    #expect(fixture.catalog.resolve(ingestKey: String(value)) == .revoked)
  }
}
