import Footfall
import FootfallCore
import FootfallPlatform
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Remote configuration of a client` {
  private static let answer = ScriptedTransport.Step.status(
    200,
    headers: ["etag": "\"1-a\""],
    #"{"config":{"rows":7},"version":1}"#
  )

  /// A client that asks, after it has done what is due; its questions are answered in order.
  private func client(
    in world: World,
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) async throws -> FootfallClient {
    let client = try world.client {
      $0.remote.isEnabled = true
      change(&$0)
    }
    await client.settle()
    return client
  }

  private func questions(_ world: World) -> [UploadRequest] {
    world.transport.requests.filter { $0.method == .get }
  }

  @Test func `a client asks with its key, and shows and keeps the answer`() async throws {
    var world = World()
    world.transport = ScriptedTransport([
      .hold(
        .answered(
          status: 200,
          headers: ["etag": "\"1-a\""],
          body: Array(#"{"config":{"rows":7},"version":1}"#.utf8)
        )
      )
    ])
    let client = try await client(in: world)
    await world.transport.waitForRequests(1)
    var changes = client.remoteConfigurationChanges.makeAsyncIterator()
    #expect(client.remoteConfiguration == RemoteConfiguration())
    world.transport.release()
    let told = await changes.next()
    #expect(told?.integer("rows") == 7)
    #expect(told?.source == .server)
    #expect(client.remoteConfiguration == told)
    let question = try #require(questions(world).first)
    #expect(question.url == "http://127.0.0.1:4001/v1/config")
    #expect(question.headers.first { $0.name == "Authorization" }?.value == "Bearer ff_pub_test")
    #expect(question.body.isEmpty)
    client.shutdown(limitSeconds: 0)
    #expect(await changes.next() == nil)

    world.transport = ScriptedTransport([.hold(.answered(status: 304, headers: [:], body: []))])
    let next = try await self.client(in: world)
    #expect(next.remoteConfiguration.integer("rows") == 7)
    #expect(next.remoteConfiguration.source == .cache)
    await world.transport.waitForRequests(1)
    let tag = questions(world)[0].headers.first { $0.name == "If-None-Match" }?.value
    #expect(tag == "\"1-a\"")
  }

  /// AMP-M3.
  @Test func `switched off, nothing is asked and nothing that was told before counts`() async throws
  {
    var world = World()
    world.transport = ScriptedTransport([Self.answer])
    let first = try await client(in: world)
    await world.transport.waitForRequests(1)
    await untilAnswered(by: first)
    #expect(world.isOnDisk("rows"))
    first.shutdown(limitSeconds: 0)
    world.transport = ScriptedTransport(otherwise: Self.answer)
    let off = try world.client()
    await off.settle()
    off.refreshRemoteConfiguration()
    await world.pass(1_000, for: off)
    world.lifecycle.announce(.foreground)
    await world.pass(1_000, for: off)
    #expect(off.remoteConfiguration == RemoteConfiguration())
    #expect(questions(world).isEmpty)
  }

  /// AMP-M4, its first half: one attempt, and never again.
  @Test(arguments: [401, 403])
  func `a client that is refused asks once`(status: Int) async throws {
    var world = World()
    world.transport = ScriptedTransport([.status(status)], otherwise: Self.answer)
    let client = try await client(in: world)
    await world.transport.waitForRequests(1)
    await untilSaid("not asked again", in: world, by: client)
    client.refreshRemoteConfiguration()
    await world.pass(10_000, for: client)
    #expect(questions(world).count == 1)
  }

  /// AMP-M4, its second half: 500, 500, 200.
  @Test func `a server that fails twice is believed at the third attempt`() async throws {
    var world = World()
    world.transport = ScriptedTransport([.status(500), .status(500), Self.answer])
    let client = try await client(in: world)
    var changes = client.remoteConfigurationChanges.makeAsyncIterator()
    for number in 1...2 {
      await world.transport.waitForRequests(number)
      await untilAsked(number + 1, in: world, by: client)
    }
    #expect(await changes.next()?.integer("rows") == 7)
    #expect(questions(world).count == 3)
  }

  @Test func `opting out deletes what was kept, and nothing is asked while off`() async throws {
    var world = World()
    world.transport = ScriptedTransport([Self.answer], otherwise: .status(404))
    let client = try await client(in: world)
    var changes = client.remoteConfigurationChanges.makeAsyncIterator()
    await world.transport.waitForRequests(1)
    if client.remoteConfiguration.source == .local { _ = await changes.next() }
    #expect(world.isOnDisk("rows"))
    client.setEnabled(false)
    #expect(!world.isOnDisk("rows"))
    #expect(client.remoteConfiguration == RemoteConfiguration())
    client.refreshRemoteConfiguration()
    await world.pass(10_000, for: client)
    #expect(questions(world).count == 1)
  }

  @Test func `a new session and a return ask again, five minutes after the last question at least`()
    async throws
  {
    var world = World()
    world.transport = ScriptedTransport([Self.answer], otherwise: .status(304))
    let client = try await client(in: world)
    await untilAnswered(by: client)
    world.lifecycle.announce(.background)
    await world.pass(299, for: client)
    world.lifecycle.announce(.foreground)
    await client.settle()
    #expect(questions(world).count == 1)
    world.lifecycle.announce(.background)
    await world.pass(2, for: client)
    world.lifecycle.announce(.foreground)
    await client.settle()
    await untilAsked(2, in: world, by: client)
    #expect(client.remoteConfiguration.integer("rows") == 7)
  }

  @Test func `a session that begins without a return asks again`() async throws {
    var world = World()
    world.transport = ScriptedTransport([Self.answer], otherwise: .status(304))
    let client = try await client(in: world) {
      $0.sessions.isEnabled = true
      $0.sessions.maximumSeconds = 400
    }
    await untilAnswered(by: client)
    client.track("Song Played")
    await world.pass(500, for: client)
    #expect(questions(world).count == 1)
    client.track("Song Played")
    await client.settle()
    await untilAsked(2, in: world, by: client)
    #expect(questions(world).count == 2)
  }

  private func untilAnswered(by client: FootfallClient) async {
    while client.remoteConfiguration.source == .local, !Task.isCancelled { await client.settle() }
  }

  /// Lets time pass until so many questions were asked; each answer takes its own way to the engine.
  private func untilAsked(_ count: Int, in world: World, by client: FootfallClient) async {
    while questions(world).count < count, !Task.isCancelled { await world.pass(0.5, for: client) }
  }

  private func untilSaid(_ text: String, in world: World, by client: FootfallClient) async {
    while !world.lines(.warning).contains(where: { $0.contains(text) }), !Task.isCancelled {
      await client.settle()
    }
  }
}
