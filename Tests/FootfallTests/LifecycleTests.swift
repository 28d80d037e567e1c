import Footfall
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Lifecycle` {
  let world = World()

  @Test func `leaving the screen sends what waits and gives the granted time back`() async throws {
    let client = try world.client()
    client.track("a")
    await client.settle()
    world.lifecycle.announce(.background)
    await world.transport.waitForRequests(1)
    await client.flush()
    #expect(world.lifecycle.openGrants == 0)
    #expect(try world.events.map(\.name) == ["a"])
  }

  @Test func `the end of the app stores and sends before it returns`() async throws {
    let client = try world.client()
    await client.settle()
    client.track("last words")
    world.lifecycle.announce(.terminating)
    #expect(try world.events.map(\.name) == ["last words"])
    #expect(world.transport.isShutDown)
  }

  @Test func `the end of the app keeps what could not be sent`() async throws {
    world.transport.then(.status(503))
    let client = try world.client()
    await client.settle()
    client.track("last words")
    client.shutdown()
    let again = World(files: world.files)
    _ = try again.client()
    await again.transport.waitForRequests(1)
    #expect(try again.events.map(\.name) == ["last words"])
  }

  @Test func `a client that nobody keeps stores what it was given`() async throws {
    let files = world.files
    do {
      let client = try world.client(isKept: false)
      client.track("left behind")
      await client.settle()
    }
    let again = World(files: files)
    files.endProcess()
    let client = try again.client()
    await client.flush()
    #expect(try again.events.map(\.name) == ["left behind"])
  }

  @Test func `a second process of the app has the same device and user, and is adopted later`()
    async throws
  {
    let offline = ScriptedTransport(otherwise: .fail(.offline("")))
    let first = try world.client()
    first.setUserID("u")
    first.track("first")
    await first.flush()
    let other = World(transport: offline, files: world.files)
    let second = try other.client()
    second.track("second")
    await second.flush()
    #expect(second.deviceID == first.deviceID)
    #expect(try other.events.map(\.user_id) == ["u"])
    second.shutdown()
    first.shutdown()
    let later = World(files: world.files)
    let third = try later.client()
    await third.flush()
    #expect(try later.events.map(\.name) == ["second"])
  }

  @Test func `instances and keys keep their events apart`() async throws {
    let offline = World(
      transport: ScriptedTransport(otherwise: .fail(.offline(""))),
      files: world.files
    )
    let one = try offline.client()
    one.track("one")
    await one.flush()
    let two = try world.client { $0.storage.instance = "two" }
    let three = try world.client { $0.key = "ff_pub_other" }
    await two.flush()
    await three.flush()
    #expect(world.transport.requests.isEmpty)
    #expect(Set([one.deviceID, two.deviceID, three.deviceID]).count == 3)
  }
}
