import FootfallCore
import FootfallEngine
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Pinpoint: the endpoint` {
  let world = PinpointWorld()

  private func store(appID: String = PinpointWorld.appID) -> PinpointEndpointStore {
    PinpointEndpointStore(folder: "/pinpoint", appID: appID, files: world.files)
  }

  /// The endpoint of the last request.
  private var sent: [String: Any] {
    world.transport.requests.last.map { PinpointWorld.endpoint(of: $0) } ?? [:]
  }

  private func submit(_ store: PinpointEndpointStore) async -> PinpointClient {
    let client = world.client(codec: { $0.endpoint = { store.endpoint } })
    client.record("a")
    await client.submit()
    return client
  }

  @Test func `AWS T1, T8: what was set is in the next request, without an update`() async {
    let store = store()
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
    let store = store()
    store.change { $0.userID = "UserIdValue" }
    _ = await submit(store)
    #expect((sent["User"] as? [String: String]) == ["UserId": "UserIdValue"])
  }

  @Test func `AWS T3: without a token neither address, channel nor opt-out is sent`() async {
    let store = store()
    store.change { $0.channelType = "APNS" }
    _ = await submit(store)
    #expect(Set(sent.keys) == ["EffectiveDate", "Demographic"])
  }

  @Test func `AWS-T4: an opt-out that the app set survives a relaunch`() async {
    store().change { $0.isOptedOut = false }
    _ = await submit(store())
    #expect(sent["OptOut"] as? String == "NONE")
  }

  @Test func `AWS-T5: id and attributes survive a relaunch, not another app id`() async {
    let first = store()
    first.change { $0.setAttribute(["a"], for: "k") }
    let client = await submit(first)
    client.engine.shutdown(limitSeconds: 0)
    let again = PinpointWorld(files: world.files)
    let relaunched = store()
    let second = again.client(codec: { $0.endpoint = { relaunched.endpoint } })
    await second.submit()
    let ids = (world.transport.requests + again.transport.requests).map(PinpointWorld.endpointID)
    #expect(ids.count == 2 && Set(ids).count == 1)
    let request = again.transport.requests.last
    let attributes = request.map { PinpointWorld.endpoint(of: $0) }?["Attributes"]
    #expect(attributes as? [String: [String]] == ["k": ["a"]])
    #expect(store(appID: "other").endpoint == PinpointEndpoint())
  }

  @Test func `AWS-T7: of 55 values the first 50 are sent`() async {
    let store = store()
    store.change { $0.setAttribute((0..<55).map(String.init), for: "k") }
    _ = await submit(store)
    let attributes = sent["Attributes"] as? [String: [String]]
    #expect(attributes?["k"] == (0..<50).map(String.init))
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
