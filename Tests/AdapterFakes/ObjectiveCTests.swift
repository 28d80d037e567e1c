import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing
import os

/// Programs that call Amplitude's SDK by its Objective-C names, and what the server got.
///
/// Their calls are Swift's here, since Linux has no Objective-C; that the names are there under
/// Objective-C, and that such programs compile, is shown by `Tools/apple-check/tests`.
@Suite(.timeLimit(.minutes(5))) struct `Objective-C's names` {
  /// A phone and a server that answers 200.
  final class Phone {
    let clock = ManualClock()
    let script: ScriptedTransport
    let configuration = ObjCConfiguration.initWithApiKey("KEY")
    var amplitude: ObjCAmplitude?

    init(_ script: ScriptedTransport = ScriptedTransport(otherwise: .status(200, #"{"code":200}"#)))
    {
      self.script = script
      configuration.autocapture = ObjCAutocaptureOptions()
    }

    /// Starts the client; the answer is kept, since nobody else keeps it.
    func start() -> ObjCAmplitude {
      let environment = Environment.test(
        clock: clock,
        transport: script,
        files: MemoryFiles(),
        random: .another(),
        lifecycle: ManualLifecycle(),
        connectivity: ManualConnectivity()
      )
      let made = ObjCAmplitude(configuration: configuration, environment: environment)
      amplitude = made
      return made
    }

    /// Everything the server got once what is stored was sent.
    func sent() async throws -> [JSONFields] {
      if let client = amplitude?.inSwift.client {
        await client.flush()
        await client.settle()
      }
      return try uploads.flatMap { try JSONFields.list("events", in: $0.body) }
    }

    var uploads: [UploadRequest] { script.requests.filter { $0.method == .post } }
  }

  @Test func `AMP-X44: a client that is set up, tracks, identifies, signs in and resets`()
    async throws
  {
    let phone = Phone()
    phone.configuration.autocapture = ObjCAutocaptureOptions(optionsToUnion: [
      .sessions, .appLifecycles,
    ])
    phone.configuration.serverZone = .EU
    phone.configuration.logLevel = .debug
    let amplitude = phone.start()
    amplitude.track(
      ObjCBaseEvent.initWithEventType("Lamp Lit", eventProperties: ["room": "study"])
    )
    let identify = ObjCIdentify()
    identify.set("floor", value: "attic")
    amplitude.identify(identify)
    amplitude.setUserId("lamp-keeper")
    amplitude.track(ObjCBaseEvent.initWithEventType("Signed In"))
    amplitude.reset()
    amplitude.track(ObjCBaseEvent.initWithEventType("Signed Out"))
    let events = try await phone.sent()
    let names = events.map { $0.text("event_type") }
    #expect(Set(phone.uploads.map(\.url)) == ["https://api.eu.amplitude.com/2/httpapi"])
    #expect(amplitude.configuration.logLevel == .debug)
    #expect(
      amplitude.configuration.autocapture.isEqual(
        ObjCAutocaptureOptions.sessions.union(.appLifecycles)
      )
    )
    #expect(names.first == "session_start")
    #expect(
      Set(names).subtracting(["session_start", "Lamp Lit", "$identify", "Signed In", "Signed Out"])
        == ["[Amplitude] Application Installed", "[Amplitude] Application Opened"]
    )
    let lamp = try #require(events.first { $0.text("event_type") == "Lamp Lit" })
    #expect(lamp["event_properties"] == #"{"room":"study"}"#)
    let change = try #require(events.first { $0.text("event_type") == "$identify" })
    #expect(change["user_properties"] == #"{"$set":{"floor":"attic"}}"#)
    #expect(events.first { $0.text("event_type") == "Signed In" }?.text("user_id") == "lamp-keeper")
    #expect(events.first { $0.text("event_type") == "Signed Out" }?.text("user_id") == "")
  }

  @Test func `AMP-X45: a plugin of a block adds a property`() async throws {
    let phone = Phone()
    let amplitude = phone.start()
    amplitude.add(
      ObjCPlugin.initWithType(
        .enrichment,
        execute: { event in
          event.eventProperties.set("room", value: "hall")
          return event
        }
      )
    )
    amplitude.track(ObjCBaseEvent.initWithEventType("Lamp Lit", eventProperties: ["a": 1]))
    let events = try await phone.sent()
    #expect(events.map { $0["event_properties"] } == [#"{"a":1,"room":"hall"}"#])
  }

  @Test func `AMP-O3: a union of options is these and nothing else`() {
    let options = ObjCAutocaptureOptions(optionsToUnion: [.sessions, .appLifecycles])
    #expect(options.contains(.sessions) && options.contains(.appLifecycles))
    for other in [
      ObjCAutocaptureOptions.screenViews, .elementInteractions, .networkTracking,
      .frustrationInteractions, .all,
    ] {
      #expect(!options.contains(other))
    }
  }

  @Test func `AMP-O5: opting out on the configuration of a running client stores nothing more`()
    async throws
  {
    let phone = Phone()
    let amplitude = phone.start()
    amplitude.track(ObjCBaseEvent.initWithEventType("before"))
    amplitude.configuration.optOut = true
    amplitude.track(ObjCBaseEvent.initWithEventType("after"))
    let names = try await phone.sent().map { $0.text("event_type") }
    #expect(names == ["before"])
    #expect(amplitude.inSwift.client.diagnostics.destinations["main"]?.stored == 0)
  }

  @Test func `AMP-O7: blocks are set up once, see every kind of event, and hear of one flush`()
    async throws
  {
    let phone = Phone()
    let amplitude = phone.start()
    let (setUps, seen, flushes) = (Lock(0), Lock<[String]>([]), Lock(0))
    amplitude.add(
      ObjCPlugin.initWithType(
        .destination,
        setup: { _ in setUps.withLock { $0 += 1 } },
        execute: { event in
          let name = event.eventType
          seen.withLock { $0.append(name) }
          return event
        },
        flush: { flushes.withLock { $0 += 1 } }
      )
    )
    amplitude.track(ObjCBaseEvent.initWithEventType("Lamp Lit"))
    let identify = ObjCIdentify()
    identify.set("floor", value: "attic")
    amplitude.identify(identify)
    let revenue = ObjCRevenue()
    revenue.price = 4.5
    amplitude.revenue(revenue)
    amplitude.flush()
    await amplitude.inSwift.client.settle()
    #expect(setUps.withLock { $0 } == 1)
    #expect(seen.withLock { $0 } == ["Lamp Lit", "$identify", "revenue_amount"])
    #expect(flushes.withLock { $0 } == 1)
  }

  /// A plugin that was written in Swift, for an app that has both.
  final class SwiftPlugin: NSObject, Plugin {
    let type: PluginType = .enrichment

    func execute(event: BaseEvent) -> BaseEvent? {
      event.eventProperties = ["room": "hall"]
      return event
    }
  }

  @Test func `AMP-O8: a plugin of Swift's runs as in Swift`() async throws {
    let phone = Phone()
    let amplitude = phone.start()
    let plugin = SwiftPlugin()
    amplitude.add(plugin)
    amplitude.track(ObjCBaseEvent.initWithEventType("Lamp Lit"))
    await amplitude.inSwift.client.settle()
    amplitude.remove(plugin)
    amplitude.track(ObjCBaseEvent.initWithEventType("Lamp Out"))
    let events = try await phone.sent()
    #expect(
      events.map { $0["event_properties"] ?? "none" } == [#"{"room":"hall"}"#, "none"]
    )
  }

  @Test func `AMP-O9: the log's block gets the level that was set, not the line's`() async throws {
    let phone = Phone(ScriptedTransport(otherwise: .status(500, #"{"code":500}"#)))
    let lines = Lock<[(level: Int, text: String)]>([])
    phone.configuration.logLevel = .warn
    phone.configuration.loggerProvider = { level, text in
      lines.withLock { $0.append((level, text)) }
    }
    let amplitude = phone.start()
    amplitude.track(ObjCBaseEvent.initWithEventType("Lamp Lit"))
    _ = try await phone.sent()
    let said = lines.withLock { $0 }
    #expect(!said.isEmpty && said.allSatisfy { $0.level == LogLevelEnum.warn.rawValue })
    #expect(said.contains { $0.text.contains("500") })
  }

  @Test func `AMP-O10: a block that answers nil drops the event`() async throws {
    let phone = Phone()
    let amplitude = phone.start()
    amplitude.add(
      ObjCPlugin(type: .before, execute: { $0.eventType == "Trial" ? nil : $0 })
    )
    for name in ["Trial", "Lamp Lit"] { amplitude.track(ObjCBaseEvent.initWithEventType(name)) }
    #expect(try await phone.sent().map { $0.text("event_type") } == ["Lamp Lit"])
  }

  @Test func `AMP-L16: the console's lines are the system log's, under Amplitude and Logging`() {
    let console = ConsoleLogger(logLevel: LogLevelEnum.debug.rawValue)
    console.error(message: "lamp broken")
    console.warn(message: "lamp flickers")
    console.log(message: "lamp lit")
    console.debug(message: "lamp at 40 W")
    let ours = FakeLog.entries.filter { $0.line.contains("lamp ") }
    #expect(
      ours.map(\.line) == [
        "error: lamp broken", "error: lamp flickers", "info: lamp lit", "debug: lamp at 40 W",
      ]
    )
    #expect(ours.allSatisfy { $0.subsystem == "Amplitude" && $0.category == "Logging" })
  }
}
