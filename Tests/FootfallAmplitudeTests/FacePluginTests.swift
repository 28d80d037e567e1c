import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

/// Plugins by the names of Amplitude's SDK.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude's names: plugins` {
  let app = AmplitudeApp()

  /// Who was called, in order.
  final class Calls: Sendable {
    private let lines = Lock<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  class NotingBefore: BeforePlugin {
    let mark: String
    let calls: Calls
    init(_ mark: String, _ calls: Calls) {
      self.mark = mark
      self.calls = calls
    }
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("\(mark) \(event.osName ?? "-") \(event.platform ?? "-")")
      return event
    }
  }

  class NotingEnrichment: EnrichmentPlugin {
    let mark: String
    let calls: Calls
    let drops: Bool
    init(_ mark: String, _ calls: Calls, drops: Bool = false) {
      self.mark = mark
      self.calls = calls
      self.drops = drops
    }
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("\(mark) \(event.osName ?? "-") \(event.platform ?? "-")")
      event.eventProperties = (event.eventProperties ?? [:]).merging([mark: true]) { $1 }
      return drops ? nil : event
    }
  }

  class NotingDestination: DestinationPlugin {
    let mark: String
    let calls: Calls
    init(_ mark: String, _ calls: Calls) {
      self.mark = mark
      self.calls = calls
    }
    override func track(event: BaseEvent) -> BaseEvent? {
      calls.add("\(mark) \(event.eventType) \((event.eventProperties ?? [:]).keys.sorted())")
      return nil
    }
    override func identify(event: IdentifyEvent) -> IdentifyEvent? {
      calls.add("\(mark) identify")
      return event
    }
    override func revenue(event: RevenueEvent) -> RevenueEvent? {
      calls.add("\(mark) revenue")
      return event
    }
    override func flush() { calls.add("\(mark) flush") }
  }

  @Test func `AMP-L17, AMP-L27, AMP-L3: types in their order, and the context between them`()
    async throws
  {
    let calls = Calls()
    let amplitude = app.amplitude
    amplitude.add(plugin: NotingDestination("D1", calls))
    amplitude.add(plugin: NotingEnrichment("E1", calls))
    amplitude.add(plugin: NotingBefore("B1", calls))
    amplitude.add(plugin: NotingEnrichment("E2", calls))
    amplitude.add(plugin: NotingBefore("B2", calls))
    amplitude.add(plugin: NotingDestination("D2", calls))
    amplitude.track(eventType: "a")
    #expect(try await app.event("a")["event_properties"] == #"{"E1":true,"E2":true}"#)
    #expect(
      calls.all.filter { !$0.hasSuffix("flush") } == [
        "B1 - -", "B2 - -", "E1 ios iOS", "E2 ios iOS", #"D1 a ["E1", "E2"]"#,
        #"D2 a ["E1", "E2"]"#,
      ]
    )
  }

  @Test func `AMP-L19: what an enrichment drops, nobody after it sees`() async throws {
    let calls = Calls()
    app.amplitude.add(plugin: NotingEnrichment("E1", calls, drops: true))
    app.amplitude.add(plugin: NotingEnrichment("E2", calls))
    app.amplitude.add(plugin: NotingDestination("D", calls))
    app.amplitude.track(eventType: "a")
    #expect(try await app.sent().isEmpty)
    #expect(calls.all.filter { !$0.hasSuffix("flush") } == ["E1 ios iOS"])
  }

  @Test func `AMP-L4, AMP-L24, AMP-L26: a destination gets each kind at once, unmerged`()
    async throws
  {
    let app = AmplitudeApp(
      ScriptedTransport([.status(503)], otherwise: AmplitudeWorld.ok)
    )
    let calls = Calls()
    app.amplitude.add(plugin: NotingDestination("D", calls))
    app.amplitude.track(eventType: "a")
    app.amplitude.identify(userProperties: ["x": 1])
    app.amplitude.identify(userProperties: ["y": 2])
    let revenue = Revenue()
    revenue.price = 1
    app.amplitude.revenue(revenue: revenue)
    app.amplitude.groupIdentify(groupType: "g", groupName: "1", groupProperties: ["z": 3])
    await app.settle()
    let kinds = ["D a []", "D identify", "D identify", "D revenue", "D $groupidentify []"]
    #expect(calls.all == kinds)
    app.amplitude.flush()
    await app.settle()
    #expect(calls.all == kinds + ["D flush"])
    await app.pass(2)
    _ = try await app.sent()
    #expect(calls.all.filter { !$0.hasSuffix("flush") } == kinds)
  }

  class NamedPlugin: EnrichmentPlugin {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }
    var name: String? { "x" }
    func onReset() { calls.add("reset") }
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("execute")
      return event
    }
  }

  @Test func `AMP-L22: a subclass's own name and reset are nobody's`() async throws {
    let calls = Calls()
    app.amplitude.add(plugin: NamedPlugin(calls))
    app.amplitude.add(plugin: NamedPlugin(calls))
    #expect(app.amplitude.plugin(name: "x") == nil)
    app.amplitude.reset()
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    #expect(calls.all == ["execute", "execute"])
  }

  final class NamedOwn: Plugin {
    let type = PluginType.enrichment
    let name: String? = "reset-aware"
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }
    func setup(amplitude: Amplitude) { calls.add("setup") }
    func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("execute")
      return event
    }
    func teardown() { calls.add("teardown") }
    func onReset() { calls.add("reset") }
  }

  @Test func `AMP-L5, AMP-L6, AMP-L21, AMP-L23: a named plugin is there once, from its call on`()
    async throws
  {
    let (first, second) = (Calls(), Calls())
    let plugin = NamedOwn(first)
    app.amplitude.add(plugin: plugin)
    #expect(first.all == ["setup"])
    app.amplitude.add(plugin: NamedOwn(second))
    #expect(app.amplitude.plugin(name: "reset-aware") === plugin)
    app.amplitude.reset()
    app.amplitude.track(eventType: "a")
    await app.settle()
    app.amplitude.remove(plugin: plugin)
    app.amplitude.track(eventType: "b")
    #expect(try await app.names() == ["a", "b"])
    #expect(first.all == ["setup", "reset", "execute", "teardown"])
    #expect(!second.all.contains("execute"))
  }

  @Test func `AMP-L29: only the very object that is given is removed`() async throws {
    let calls = Calls()
    let (one, two) = (NotingEnrichment("A", calls), NotingEnrichment("B", calls))
    app.amplitude.add(plugin: one)
    app.amplitude.remove(plugin: two)
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    #expect(calls.all == ["A ios iOS"])
  }

  class NotingUtility: UtilityPlugin {
    let calls = Calls()
    override func setup(amplitude: Amplitude) {
      super.setup(amplitude: amplitude)
      calls.add("setup \(amplitude === self.amplitude)")
    }
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("execute")
      return event
    }
  }

  class NotingObserver: ObservePlugin {
    let calls = Calls()
    override func onUserIdChanged(_ userId: String?) { calls.add("user \(userId ?? "-")") }
    override func onDeviceIdChanged(_ deviceId: String?) { calls.add("device \(deviceId ?? "-")") }
    override func onSessionIdChanged(_ sessionId: Int64) { calls.add("session \(sessionId)") }
    override func onOptOutChanged(_ optOut: Bool) { calls.add("optOut \(optOut)") }
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("execute")
      return event
    }
  }

  @Test func `AMP-L7, AMP-L18: who sees no events hears of changes, once each`() async throws {
    let (utility, observer) = (NotingUtility(), NotingObserver())
    app.amplitude.add(plugin: utility)
    app.amplitude.add(plugin: observer)
    app.amplitude.track(eventType: "a")
    app.amplitude.identify(userProperties: ["a": 1])
    await app.settle()
    let before = observer.calls.all
    app.amplitude.setUserId(userId: "user-2")
    app.amplitude.setDeviceId(deviceId: "device-2")
    app.amplitude.setSessionId(timestamp: 1_000)
    app.amplitude.optOut = true
    await app.settle()
    #expect(utility.calls.all == ["setup true"])
    #expect(
      Array(observer.calls.all.dropFirst(before.count))
        == ["user user-2", "device device-2", "session 1000", "optOut true"]
    )
    #expect(!observer.calls.all.contains("execute"))
  }

  @Test func `AMP-L25: a session's start and the app's opening come to a destination as events`()
    async throws
  {
    let app = AmplitudeApp(
      phase: .background,
      make: { key, log, level, _ in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: [.sessions, .appLifecycles],
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
    let calls = Calls()
    app.amplitude.add(plugin: NotingDestination("D", calls))
    await app.settle()
    app.lifecycle.announce(.foreground)
    await app.settle()
    #expect(calls.all.contains { $0.hasPrefix("D session_start") })
    #expect(calls.all.contains { $0.hasPrefix("D [Amplitude] Application Opened") })
  }

  @Test func `AMP-L28: without a plugin there are those of the library`() {
    var seen: [String] = []
    app.amplitude.apply { seen.append("\(Swift.type(of: $0))") }
    #expect(seen == ["ContextPlugin", "AmplitudeDestinationPlugin"])
    #expect(app.amplitude.plugins(type: ContextPlugin.self).count == 1)
    #expect(app.amplitude.plugins(type: NotingBefore.self).isEmpty)
  }

  @Test func `AMP-L13: the level is that of the start`() async throws {
    app.configuration.logLevel = .debug
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    #expect(app.lines.isEmpty)
  }

  @Test func `AMP-L20: an enrichment sees every event there is`() async throws {
    let app = AmplitudeApp(announcesSessions: true, phase: .background)
    let seen = SeeingPlugin()
    app.amplitude.add(plugin: seen)
    app.amplitude.track(eventType: "a")
    app.amplitude.identify(userProperties: ["x": 1])
    app.amplitude.setGroup(groupType: "g", groupName: "1")
    app.amplitude.groupIdentify(groupType: "g", groupName: "1", groupProperties: ["z": 3])
    let revenue = Revenue()
    revenue.price = 1
    app.amplitude.revenue(revenue: revenue)
    await app.settle()
    #expect(
      seen.calls.all == [
        "BaseEvent session_start", "BaseEvent a", "IdentifyEvent $identify",
        "IdentifyEvent $identify", "GroupIdentifyEvent $groupidentify",
        "RevenueEvent revenue_amount",
      ]
    )
  }

  /// Says which class and name each event has.
  class SeeingPlugin: EnrichmentPlugin {
    let calls = Calls()
    override func execute(event: BaseEvent) -> BaseEvent? {
      calls.add("\(Swift.type(of: event)) \(event.eventType)")
      return event
    }
  }

  /// Adds a property, as a plugin for several products does.
  private final class Universal: UniversalPlugin {
    let calls = Calls()
    func setup(analyticsClient: any AnalyticsClient, amplitudeContext: AmplitudeContext) {
      calls.add("setup \(amplitudeContext.apiKey)")
    }
    func execute<Event: AnalyticsEvent>(_ event: inout Event) {
      event.eventProperties = ["universal": true]
    }
    func onOptOutChanged(_ optOut: Bool) { calls.add("optOut \(optOut)") }
  }

  @Test func `a plugin for several products may change events and hears of changes`() async throws {
    let plugin = Universal()
    app.amplitude.add(plugin: plugin)
    app.amplitude.track(eventType: "a")
    #expect(try await app.event("a")["event_properties"] == #"{"universal":true}"#)
    app.amplitude.optOut = true
    await app.settle()
    #expect(plugin.calls.all == ["setup KEY", "optOut true"])
  }
}
