import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

/// Programs that make the calls of the document's samples about plugins.
@Suite(.timeLimit(.minutes(5))) struct `Samples of Amplitude's document: plugins` {
  let phone = SamplePhone()

  private func amplitude() -> Amplitude {
    phone.amplitude(
      Configuration(apiKey: "KEY", autocapture: [], enableAutoCaptureRemoteConfig: false)
    )
  }

  class RoomPlugin: EnrichmentPlugin {
    override func execute(event: BaseEvent) -> BaseEvent? {
      var properties = event.eventProperties ?? [:]
      properties["room"] = "study"
      event.eventProperties = properties
      return event
    }
  }

  @Test func `AMP-X38: a plugin that adds a property`() async throws {
    let amplitude = amplitude()
    let room = RoomPlugin()
    amplitude.add(plugin: room)
    amplitude.track(eventType: "Lamp Lit", eventProperties: ["a": 1])
    let event = try await phone.event("Lamp Lit", by: amplitude)
    #expect(event["event_properties"] == #"{"a":1,"room":"study"}"#)
  }

  @Test func `AMP-X39: the same plugin removed`() async throws {
    let amplitude = amplitude()
    let room = RoomPlugin()
    amplitude.add(plugin: room)
    amplitude.remove(plugin: room)
    amplitude.track(eventType: "Lamp Lit", eventProperties: ["a": 1])
    let event = try await phone.event("Lamp Lit", by: amplitude)
    #expect(event["event_properties"] == #"{"a":1}"#)
  }

  class DropTrialsPlugin: BeforePlugin {
    override func execute(event: BaseEvent) -> BaseEvent? {
      event.eventType.hasPrefix("Trial ") ? nil : event
    }
  }

  @Test func `AMP-X40: a plugin that drops events`() async throws {
    let amplitude = amplitude()
    amplitude.add(plugin: DropTrialsPlugin())
    for name in ["Trial Lamp", "Lamp", "trial x"] { amplitude.track(eventType: name) }
    #expect(try await phone.sent(by: amplitude).names == ["Lamp", "trial x"])
  }

  final class ResetPlugin: Plugin {
    let type: PluginType = .enrichment
    let name: String? = "reset-lamp"
    let resets = Lock(0)

    func execute(event: BaseEvent) -> BaseEvent? { event }
    func onReset() { resets.withLock { $0 += 1 } }
  }

  @Test func `AMP-X41: a plugin with a name that hears of a reset`() async throws {
    let amplitude = amplitude()
    let plugin = ResetPlugin()
    amplitude.add(plugin: plugin)
    amplitude.reset()
    amplitude.track(eventType: "Lamp Lit", eventProperties: ["a": [1, 2.5, "x", true] as [Any]])
    let event = try await phone.event("Lamp Lit", by: amplitude)
    #expect(plugin.resets.withLock { $0 } == 1)
    #expect(amplitude.plugin(name: "reset-lamp") === plugin)
    #expect(event["event_properties"] == #"{"a":[1,2.5,"x",true]}"#)
  }

  class HousePlugin: DestinationPlugin {
    let calls = Lock<[String]>([])
    private func add(_ call: String) { calls.withLock { $0.append(call) } }

    override func track(event: BaseEvent) -> BaseEvent? {
      add("track \(event.eventType)")
      return event
    }
    override func identify(event: IdentifyEvent) -> IdentifyEvent? {
      add("identify")
      return event
    }
    override func revenue(event: RevenueEvent) -> RevenueEvent? {
      add("revenue")
      return event
    }
    override func flush() { add("flush") }
  }

  @Test func `AMP-X42: another destination`() async throws {
    // Out of sight, so that the session begins with the first event and not before the plugin is there.
    let phone = SamplePhone(phase: .background)
    let amplitude = phone.amplitude(
      Configuration(apiKey: "KEY", enableAutoCaptureRemoteConfig: false)
    )
    // An app that starts out of sight has what it left sent; that is over.
    await phone.settle(amplitude)
    let house = HousePlugin()
    amplitude.add(plugin: house)
    amplitude.track(eventType: "Lamp Lit")
    amplitude.identify(identify: Identify().add(property: "lit", value: 1))
    let revenue = Revenue()
    revenue.price = 1
    amplitude.revenue(revenue: revenue)
    amplitude.groupIdentify(
      groupType: "house",
      groupName: "15",
      identify: Identify().set(property: "rooms", value: 4)
    )
    amplitude.flush()
    await phone.settle(amplitude)
    #expect(
      house.calls.withLock { $0 } == [
        "track session_start", "track Lamp Lit", "identify", "revenue", "track $groupidentify",
        "flush",
      ]
    )
    #expect(
      try await phone.sent(by: amplitude).names
        == ["session_start", "Lamp Lit", "$identify", "revenue_amount", "$groupidentify"]
    )
  }

  class UserPlugin: ObservePlugin {
    let users = Lock<[String?]>([])
    let events = Lock(0)

    override func onUserIdChanged(_ userId: String?) { users.withLock { $0.append(userId) } }
    override func execute(event: BaseEvent) -> BaseEvent? {
      events.withLock { $0 += 1 }
      return event
    }
  }

  @Test func `AMP-X43: a plugin that hears of users`() async throws {
    let amplitude = amplitude()
    let plugin = UserPlugin()
    amplitude.add(plugin: plugin)
    amplitude.setUserId(userId: "user-12345")
    amplitude.track(eventType: "Lamp Lit")
    amplitude.setUserId(userId: nil)
    _ = try await phone.sent(by: amplitude)
    #expect(plugin.users.withLock { $0 } == ["user-12345", nil])
    #expect(plugin.events.withLock { $0 } == 0)
  }
}
