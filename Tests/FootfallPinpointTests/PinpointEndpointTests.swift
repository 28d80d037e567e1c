import FootfallCore
import FootfallEngine
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Pinpoint: the endpoint` {
  let world = PinpointWorld()

  /// The endpoint of the last request.
  private var sent: [String: Any] {
    world.transport.requests.last.map { PinpointWorld.endpoint(of: $0) } ?? [:]
  }

  private func submit(_ store: PinpointEndpointStore) async -> PinpointClient {
    let client = world.client(store: store)
    client.record("a")
    await client.submit()
    return client
  }

  @Test func `AWS T1, T8: what was set is in the next request, without an update`() async {
    let store = world.store()
    store.change {
      $0.setAttribute(["science", "politics", "travel"], for: "interests")
      $0.setMetric(7, for: "level")
    }
    _ = await submit(store)
    let attributes = sent["Attributes"] as? [String: [String]]
    #expect(attributes == ["interests": ["science", "politics", "travel"]])
    #expect(sent["Metrics"] as? [String: Double] == ["level": 7])
  }

  @Test func `AWS T2: the user is assigned to the endpoint`() async {
    let store = world.store()
    store.change { $0.userID = "UserIdValue" }
    _ = await submit(store)
    #expect((sent["User"] as? [String: String]) == ["UserId": "UserIdValue"])
  }

  @Test func `AWS T3: without a token neither address, channel nor opt-out is sent`() async {
    let store = world.store()
    store.change { $0.channelType = "APNS" }
    _ = await submit(store)
    #expect(Set(sent.keys) == ["EffectiveDate", "Demographic"])
  }

  @Test func `AWS-T4: an opt-out that the app set survives a relaunch`() async {
    let first = world.store()
    first.change { $0.isOptedOut = false }
    first.writeIfChanged()
    _ = await submit(world.store())
    #expect(sent["OptOut"] as? String == "NONE")
  }

  @Test func `AWS-T5: id and attributes survive a relaunch, not another app id`() async {
    let first = world.store()
    first.change { $0.setAttribute(["a"], for: "k") }
    first.writeIfChanged()
    let client = await submit(first)
    client.engine.shutdown(limitSeconds: 0)
    let again = PinpointWorld(files: world.files)
    let relaunched = world.store()
    let second = again.client(store: relaunched)
    await second.submit()
    let ids = (world.transport.requests + again.transport.requests).map(PinpointWorld.endpointID)
    #expect(ids.count == 2 && Set(ids).count == 1)
    let request = again.transport.requests.last
    let attributes = request.map { PinpointWorld.endpoint(of: $0) }?["Attributes"]
    #expect(attributes as? [String: [String]] == ["k": ["a"]])
    #expect(world.store(appID: "other").endpoint == PinpointEndpoint())
  }

  @Test func `AWS-T7: of 55 values the first 50 are sent`() async {
    let store = world.store()
    store.change { $0.setAttribute((0..<55).map(String.init), for: "k") }
    _ = await submit(store)
    let attributes = sent["Attributes"] as? [String: [String]]
    #expect(attributes?["k"] == (0..<50).map(String.init))
  }

  @Test func `AWS-T3: an update without a token has neither address, channel nor opt-out`()
    async throws
  {
    let store = world.store()
    store.change { $0.channelType = "APNS" }
    let client = world.client(
      endpointID: "a/b@c",
      store: store,
      settings: { $0.rules.sessions = nil }
    )
    client.updateEndpoint()
    await client.settle()
    await client.updated()
    let request = try #require(world.updates.requests.first)
    #expect(world.updates.requests.count == 1 && request.method == .put)
    #expect(request.url.hasSuffix("/v1/apps/\(PinpointWorld.appID)/endpoints/a%2Fb%40c"))
    #expect(Set(world.updated[0].keys) == ["EffectiveDate", "Demographic"])
    #expect(client.engine.diagnostics.destinations["endpoint"]?.delivered == 1)
    #expect(world.transport.requests.isEmpty)
  }

  @Test func `AWS T1, T2: an update has attributes, metrics and the user`() async {
    let store = world.store()
    store.change {
      $0.setAttribute(["science", "politics", "travel"], for: "interests")
      $0.setMetric(7, for: "interests")
      $0.userID = "UserIdValue"
    }
    let client = world.client(store: store, settings: { $0.rules.sessions = nil })
    client.updateEndpoint()
    await client.settle()
    await client.updated()
    let sent = world.updated.last ?? [:]
    let attributes = sent["Attributes"] as? [String: [String]]
    #expect(attributes == ["interests": ["science", "politics", "travel"]])
    #expect(sent["Metrics"] as? [String: Double] == ["interests": 7])
    #expect(sent["User"] as? [String: String] == ["UserId": "UserIdValue"])
  }

  @Test func `AWS T6: a removed attribute is an empty list until the service has taken that`() async
  {
    let store = world.store()
    store.change { $0.setAttribute(["a"], for: "k") }
    let client = world.client(store: store, settings: { $0.rules.sessions = nil })
    func update() async -> [String: [String]]? {
      client.updateEndpoint()
      await client.settle()
      await client.updated()
      return world.updated.last?["Attributes"] as? [String: [String]]
    }
    #expect(await update() == ["k": ["a"]])
    store.change { $0.setAttribute(nil, for: "k") }
    // Events never say so: what they leave out stays.
    client.record("e")
    await client.submit()
    #expect(sent["Attributes"] == nil)
    #expect(await update() == ["k": []])
    #expect(await update() == nil)
  }

  @Test func `an update that was not answered is sent after a relaunch, the newest alone`() async {
    let store = world.store()
    let client = world.client(store: store, settings: { $0.rules.sessions = nil })
    world.updates.then(.fail(.offline("no route")))
    for level in 1...3 {
      store.change {
        $0.setMetric(Double(level), for: "level")
        $0.setAttribute(["a"], for: "k")
        $0.setAttribute(nil, for: "k")
      }
      client.updateEndpoint()
      await client.settle()
    }
    await world.updates.waitForRequests(1)
    await client.settle()
    client.engine.shutdown(limitSeconds: 0)
    store.writeIfChanged()
    let again = PinpointWorld(files: world.files, clock: world.clock)
    let relaunched = again.client(store: again.store(), settings: { $0.rules.sessions = nil })
    await relaunched.settle()
    await relaunched.updated()
    let last = again.updated.last ?? [:]
    #expect(last["Metrics"] as? [String: Double] == ["level": 3])
    #expect(last["Attributes"] as? [String: [String]] == ["k": []])
    // One that was on its way, one that was sealed behind it, and the newest.
    #expect(again.updates.requests.count <= 3)
    #expect(again.store().endpoint != PinpointEndpoint())
  }

  @Test(arguments: [(400, 0), (500, 1)])
  func `an update that is refused is given up, another failure is tried again`(
    status: Int,
    stored: Int
  ) async {
    world.updates.then(.status(status))
    let client = world.client(settings: { $0.rules.sessions = nil })
    client.updateEndpoint()
    await client.settle()
    await world.updates.waitForRequests(1)
    while client.engine.diagnostics.destinations["endpoint"]?.requests != 1 {
      await client.settle()
    }
    _ = await client.engine.flush()
    await client.settle()
    if stored == 0 { await client.updated() }
    #expect(client.engine.diagnostics.destinations["endpoint"]?.stored == stored)
    guard stored > 0 else { return }
    await world.pass(1_000, client)
    await client.updated()
    #expect(world.updates.requests.count == 2)
  }

  @Test func `20 attributes and metrics are kept, and those can still be changed`() {
    var endpoint = PinpointEndpoint()
    for index in 0..<20 {
      let isTaken = endpoint.setMetric(Double(index), for: "m\(index)")
      #expect(isTaken)
    }
    let isOneMoreTaken = endpoint.setAttribute(["a"], for: "k")
    let isChanged = endpoint.setMetric(5, for: "m3")
    #expect(!isOneMoreTaken && isChanged)
    #expect(endpoint.metrics["m3"] == 5 && endpoint.metrics.count == 20)
    let isNumber = endpoint.setMetric(.nan, for: "m3")
    #expect(!isNumber)
  }
}
