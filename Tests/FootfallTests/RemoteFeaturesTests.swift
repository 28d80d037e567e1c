import Footfall
import FootfallCore
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

/// What a server switches of the client's own doing.
@Suite(.timeLimit(.minutes(5))) struct `Remote switches of a client` {
  /// An answer of the server, as its own tests compare it.
  private static func answer() throws -> [UInt8] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/wire/native/config-answer.json").standardized
    return [UInt8](try Data(contentsOf: file))
  }

  private func untilAnswered(_ client: FootfallClient) async {
    while client.remoteConfiguration.source != .server, !Task.isCancelled { await client.settle() }
  }

  /// The names of the events among what was sent.
  private func names(_ bodies: [[UInt8]]) throws -> [String] {
    try bodies.flatMap {
      try JSONDecoder().decode(SentBody.self, from: Data($0)).events.map(\.name)
    }
  }

  private func leaveAndReturn(_ world: World, _ client: FootfallClient) async {
    world.lifecycle.announce(.background)
    await world.pass(1_801, for: client)
    world.lifecycle.announce(.foreground)
    await client.settle()
  }

  @Test func `an answer changes what the client tells from then on, and at the next launch`()
    async throws
  {
    var world = World()
    let body = try Self.answer()
    world.transport = ScriptedTransport([
      .hold(.answered(status: 200, headers: [:], body: body))
    ])
    let client = try world.client {
      $0.remote.isEnabled = true
      $0.sessions.isEnabled = true
      $0.tracksLaunches = true
    }
    await world.transport.waitForRequests(1)
    await leaveAndReturn(world, client)
    world.transport.release()
    await untilAnswered(client)
    #expect(client.remoteConfiguration.integer("checkout.rows") == 7)
    await leaveAndReturn(world, client)
    client.track("a")
    await client.flush()
    let bodies = world.transport.requests.filter { $0.method == .post }.map(\.body)
    #expect(
      try names(bodies) == [
        "session_start", "app_launched", "session_end", "session_start", "app_backgrounded",
        "app_opened", "a",
      ]
    )
    client.shutdown(limitSeconds: 0)
    var next = World(files: world.files)
    next.transport = ScriptedTransport([.hold(.answered(status: 304, headers: [:], body: []))])
    let relaunched = try next.client {
      $0.remote.isEnabled = true
      $0.sessions.isEnabled = true
      $0.tracksLaunches = true
    }
    await relaunched.flush()
    let later = next.transport.requests.filter { $0.method == .post }.map(\.body)
    #expect(try names(later) == ["app_launched", "app_opened"])
  }

  @Test func `what the app chose counts again once collection was off`() async throws {
    var world = World()
    let body = try Self.answer()
    world.transport = ScriptedTransport(
      [.answer(.answered(status: 200, headers: [:], body: body))],
      otherwise: .make { request in
        .answered(status: request.method == .get ? 404 : 202, headers: [:], body: [])
      }
    )
    let client = try world.client { $0.remote.isEnabled = true }
    await untilAnswered(client)
    client.setEnabled(false)
    client.setEnabled(true)
    await leaveAndReturn(world, client)
    client.track("a")
    await client.flush()
    let bodies = world.transport.requests.filter { $0.method == .post }.map(\.body)
    #expect(try names(bodies) == ["a"])
  }

  @Test func `an app's install, update, opening and leaving are told in order, with its version`()
    async throws
  {
    func run(_ world: World, version: String) async throws -> [Sent] {
      let client = try world.client {
        $0.tracksAppLifecycle = true
        $0.sessions.isEnabled = true
        $0.sessions.tracksStartAndEnd = false
        $0.context.appVersion = version
      }
      await client.settle()
      world.lifecycle.announce(.background)
      await client.settle()
      world.lifecycle.announce(.foreground)
      await client.flush()
      client.shutdown(limitSeconds: 0)
      return try world.sent
    }
    let first = World()
    let installed = try await run(first, version: "1.0")
    #expect(
      installed.map(\.name) == ["app_installed", "app_opened", "app_backgrounded", "app_opened"]
    )
    #expect(installed.map { $0.property("version") } == ["\"1.0\"", "\"1.0\"", nil, "\"1.0\""])
    #expect(installed.map { $0.property("from_background") } == [nil, "false", nil, "true"])
    #expect(Set(installed.map { $0["session_id"] }).count == 1)
    let updated = try await run(World(files: first.files), version: "1.1")
    #expect(updated.map(\.name).prefix(2) == ["app_updated", "app_opened"])
    #expect(updated[0].property("version") == "\"1.1\"")
    #expect(updated[0].property("previous_version") == "\"1.0\"")
    let same = try await run(World(files: first.files), version: "1.1")
    #expect(same.map(\.name) == ["app_opened", "app_backgrounded", "app_opened"])
  }

  #if os(Linux)
  @Test func `a server on this machine switches what a whole client does`() async throws {
    let body = try Self.answer()
    let server = try LoopbackServer { request in
      request.method == "GET"
        ? .reply(status: 200, headers: [("ETag", "\"1\"")], body: body) : .status(202)
    }
    defer { server.stop() }
    let lifecycle = ManualLifecycle()
    var configuration = FootfallClient.Configuration(
      key: "ff_pub_k",
      endpoint: World.endpoint(server.url(""))
    )
    configuration.remote.isEnabled = true
    configuration.sessions.isEnabled = true
    let client = FootfallClient(
      configuration,
      environment: .test(
        transport: Environment.live(log: .silent).transport,
        files: MemoryFiles(),
        random: .seeded(11),
        lifecycle: lifecycle
      )
    )
    await untilAnswered(client)
    lifecycle.announce(.background)
    lifecycle.announce(.foreground)
    client.startSession(id: .number(1))
    client.track("a")
    await client.flush()
    client.shutdown(limitSeconds: 0)
    let question = try #require(server.requests.first { $0.method == "GET" })
    #expect(question.path == "/v1/config")
    #expect(question.headers["authorization"] == "Bearer ff_pub_k")
    let events = server.requests.filter { $0.method == "POST" }.map(\.body)
    #expect(try names(events).suffix(3) == ["app_backgrounded", "app_opened", "a"])
    #expect(try names(events).count { $0 == "session_start" } == 1, "before the answer")
  }
  #endif
}
