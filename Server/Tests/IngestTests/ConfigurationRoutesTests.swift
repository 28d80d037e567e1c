import Catalog
import FootfallSystem
import Foundation
import HTTPServing
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `The configuration's route` {
  private func withCatalog(
    _ body: (Catalog, Project, TestClient, String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/config-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    let catalog = try Catalog(path: folder + "/catalog.sqlite")
    let project = try catalog.createProject(name: "Notes")
    let key = try catalog.createKey(project: project.id, kind: .ingest).plaintext
    var router = Router()
    ConfigurationRoutes(catalog: catalog).install(in: &router)
    var client = TestClient(router)
    client.headers = [Header("Authorization", "Bearer \(key)")]
    try await body(catalog, project, client, key)
  }

  @Test func `a project without settings answers an empty object`() async throws {
    try await withCatalog { _, _, client, _ in
      let answer = await client.get("/v1/config")
      #expect(answer.status == 200)
      #expect(answer.text == #"{"config":{},"version":0}"#)
      #expect(answer.header("Cache-Control") == "no-store")
      #expect(answer.header("Content-Type") == "application/json")
    }
  }

  @Test(arguments: [
    "/config/KEY?config_keys=analyticsSDK.iosSDK&config_keys=diagnostics.iosSDK",
    "/config?api_key=KEY&config_group=android", "/config/KEY",
  ])
  func `Amplitude's clients get the same settings in their form`(path: String) async throws {
    try await withCatalog { catalog, project, client, key in
      let path = path.replacing("KEY", with: key)
      var client = client
      client.headers = []
      #expect(await client.get(path).text == #"{"configs":{}}"#)
      let settings = #"{"analyticsSDK":{"iosSDK":{"autocapture":{"sessions":false}}}}"#
      try catalog.setRemoteSettings(settings, project: project.id)
      let answer = await client.get(path)
      #expect(answer.status == 200)
      #expect(answer.text == #"{"configs":\#(settings)}"#)
      #expect(answer.header("Access-Control-Allow-Origin") == "*")
      let preflight = await client.send(.options, path)
      #expect(preflight.status == 204)
      let unknown = await client.get(path.replacing(key, with: "nobody"))
      #expect(unknown.status == 200)
      #expect(unknown.text == #"{"configs":{}}"#)
    }
  }

  @Test func `settings are answered as they were set, and once only to whoever has them`()
    async throws
  {
    try await withCatalog { catalog, project, client, _ in
      try catalog.setRemoteSettings(#"{"rows": 1.10}"#, project: project.id)
      let first = await client.get("/v1/config")
      #expect(first.text == #"{"config":{"rows": 1.10},"version":1}"#)
      let tag = try #require(first.header("ETag"))
      var asking = client
      for known in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
        asking.headers = client.headers + [Header("If-None-Match", known)]
        let answer = await asking.get("/v1/config")
        #expect(answer.status == 304, "\(known)")
        #expect(answer.body.isEmpty)
        #expect(answer.header("ETag") == tag)
      }
      try catalog.setRemoteSettings(#"{"rows": 2}"#, project: project.id)
      asking.headers = client.headers + [Header("If-None-Match", tag)]
      let changed = await asking.get("/v1/config")
      #expect(changed.status == 200)
      #expect(changed.text == #"{"config":{"rows": 2},"version":2}"#)
    }
  }

  @Test func `the answer is the one that the SDK is tested with`() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Fixtures/wire/native/config-answer.json").standardized
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try await withCatalog { catalog, project, client, _ in
      try catalog.setRemoteSettings(
        #"{"footfall":{"sessions":false,"app_lifecycle":true,"unknown":1},"checkout":{"rows":7}}"#,
        project: project.id
      )
      #expect(await client.get("/v1/config").text == expected)
    }
  }

  @Test func `without a working ingest key there is no answer but 401`() async throws {
    try await withCatalog { catalog, project, client, _ in
      let secret = try catalog.createKey(project: project.id, kind: .secret).plaintext
      for field in ["", "Bearer ", "Bearer nobody", "Bearer \(secret)"] {
        var stranger = client
        stranger.headers = [Header("Authorization", field)]
        let answer = await stranger.get("/v1/config")
        #expect(answer.status == 401, "\(field.prefix(12))")
        #expect(!answer.text.contains("config\":"))
      }
    }
  }

  @Test func `each project gets its own`() async throws {
    try await withCatalog { catalog, project, client, _ in
      let other = try catalog.createProject(name: "Shop")
      try catalog.setRemoteSettings(#"{"a":1}"#, project: other.id)
      #expect(await client.get("/v1/config").text == #"{"config":{},"version":0}"#)
    }
  }

  @Test func `a catalogue that cannot be read asks for patience`() async throws {
    let routes = ConfigurationRoutes(
      resolve: { _ in .project(7, keyID: 1) },
      settings: { (_) throws(CatalogError) in throw .busy }
    )
    var router = Router()
    routes.install(in: &router)
    var client = TestClient(router)
    client.headers = [Header("X-API-Key", "k")]
    let answer = await client.get("/v1/config")
    #expect(answer.status == 503)
    #expect(answer.header("Retry-After") == "30")
  }
}
