import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Testing

/// Amplitude's own question for the configuration, and what its answers do.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: remote configuration` {
  /// A server whose answer to the first question says this of autocapture, once `release` is called.
  private static func world(
    _ autocapture: String,
    diagnostics: String = "{}"
  ) -> AmplitudeWorld {
    let answer =
      #"{"configs":{"analyticsSDK":{"iosSDK":{"autocapture":\#(autocapture)}},"#
      + #""diagnostics":{"iosSDK":\#(diagnostics)}}}"#
    let world = AmplitudeWorld()
    world.script.then(.hold(.answered(status: 200, headers: [:], body: Array(answer.utf8))))
    return world
  }

  /// An engine that asks, with what the app chose.
  private func engine(
    in world: AmplitudeWorld,
    endpoint: AmplitudeEndpoint = AmplitudeEndpoint(),
    isEnabled: Bool = true,
    _ choose: (inout AmplitudeAutocapture) -> Void = { _ in }
  ) -> Engine {
    var autocapture = AmplitudeAutocapture()
    choose(&autocapture)
    let chosen = autocapture
    return world.engine(
      endpoint: endpoint,
      settings: { settings in
        settings.rules = .amplitude(
          announcesSessions: chosen.sessions,
          tellsAppLifecycle: chosen.appLifecycles
        )
        settings.remoteConfiguration = .amplitude(
          isEnabled: isEnabled,
          endpoint: endpoint,
          key: "KEY",
          bundleID: "com.example.notes",
          autocapture: chosen,
          device: DeviceContext(library: "footfall-swift/0.0.0", platform: "iOS")
        )
        settings.selfReport = .amplitude(
          endpoint: endpoint,
          key: "KEY",
          autocapture: chosen,
          device: DeviceContext(library: "footfall-swift/0.0.0", platform: "iOS")
        )
      }
    )
  }

  /// Lets the held answer through and waits until it is in force.
  private func answer(_ world: AmplitudeWorld, _ engine: Engine) async {
    await world.script.waitForRequests(1)
    world.script.release()
    while engine.remoteConfiguration.source != .server, !Task.isCancelled { await engine.settle() }
  }

  private func leaveAndReturn(_ world: AmplitudeWorld, _ engine: Engine) async {
    world.lifecycle.announce(.background)
    await world.pass(1, for: engine)
    world.lifecycle.announce(.foreground)
    await engine.settle()
  }

  /// The names of all that was sent.
  private func sent(_ world: AmplitudeWorld, _ engine: Engine) async throws -> [String] {
    _ = await engine.flush()
    return try world.names.flatMap { $0 }
  }

  private static let opened = "[Amplitude] Application Opened"
  private static let left = "[Amplitude] Application Backgrounded"

  @Test func `AMP-M5: the server switches lifecycle events on while the app runs`() async throws {
    let world = Self.world(#"{"appLifecycles":true}"#)
    let engine = engine(in: world)
    engine.track("a")
    await leaveAndReturn(world, engine)
    #expect(try await sent(world, engine) == ["session_start", "a"])
    await answer(world, engine)
    await leaveAndReturn(world, engine)
    #expect(try await sent(world, engine) == ["session_start", "a", Self.left, Self.opened])
  }

  @Test func `the server switches lifecycle events off, and they stay off at the next launch`()
    async throws
  {
    let world = Self.world(#"{"appLifecycles":false}"#)
    let first = engine(in: world) { $0.appLifecycles = true }
    await answer(world, first)
    await leaveAndReturn(world, first)
    let names = try await sent(world, first)
    #expect(names == ["session_start", "[Amplitude] Application Installed", Self.opened])
    first.shutdown(limitSeconds: 0)
    let again = AmplitudeWorld(files: world.files)
    again.script.then(.hold(.answered(status: 304, headers: [:], body: [])))
    let second = engine(in: again) { $0.appLifecycles = true }
    await leaveAndReturn(again, second)
    #expect(try await sent(again, second).isEmpty)
  }

  @Test(arguments: [true, false])
  func `the server switches sessions the other way, for what comes after`(
    isOn: Bool
  ) async throws {
    let world = Self.world(#"{"sessions":\#(!isOn)}"#)
    let engine = engine(in: world) { $0.sessions = isOn }
    engine.track("a")
    await engine.settle()
    await answer(world, engine)
    world.lifecycle.announce(.background)
    await world.pass(301, for: engine)
    world.lifecycle.announce(.foreground)
    engine.track("b")
    await engine.settle()
    world.lifecycle.announce(.background)
    await world.pass(301, for: engine)
    world.lifecycle.announce(.foreground)
    let names = try await sent(world, engine)
    // A start that was not told has no end that is.
    let later = ["a", "session_start", "b", "session_end", "session_start"]
    #expect(names == (isOn ? ["session_start", "a", "b"] : later))
    let sessions = try Set(world.requests.flatMap { $0 }.map(\.session_id))
    #expect(!sessions.contains(-1))
  }

  @Test func `AMP-M3: with the flag off nothing is asked, and what the app chose counts`()
    async throws
  {
    let before = Self.world(
      #"{"sessions":false,"appLifecycles":true,"pageViews":true,"elementInteractions":true}"#
    )
    let earlier = engine(in: before)
    await answer(before, earlier)
    _ = await earlier.flush()
    earlier.shutdown(limitSeconds: 0)
    // What an earlier run was told is on the disk, and the server would say it again.
    let world = AmplitudeWorld(files: before.files)
    let engine = engine(in: world, isEnabled: false)
    engine.track("a")
    await leaveAndReturn(world, engine)
    engine.refreshRemoteConfiguration()
    await world.pass(1_000, for: engine)
    #expect(try await sent(world, engine) == ["a"])
    #expect(world.script.requests.allSatisfy { $0.method == .post })
    #expect(engine.features.choice(.sessions) == true)
    for feature in [.appLifecycle, .screenViews, .elementInteractions] as [AutomaticFeature] {
      #expect(engine.features.choice(feature) == false)
    }
    let fresh = AmplitudeWorld()
    let first = self.engine(in: fresh, isEnabled: false)
    first.track("a")
    #expect(try await sent(fresh, first) == ["session_start", "a"])
  }

  @Test(arguments: [401, 403])
  func `AMP-M4: a refusal is not asked again`(status: Int) async {
    let world = AmplitudeWorld()
    world.script.then(.status(status))
    let engine = engine(in: world)
    await world.script.waitForRequests(1)
    for _ in 0..<100 {
      engine.refreshRemoteConfiguration()
      await world.pass(400, for: engine)
    }
    #expect(world.script.requests.count { $0.method == .get } == 1)
    #expect(engine.remoteConfiguration.source == .local)
  }

  @Test func `AMP-M4: of 500, 500 and an answer the third try counts`() async {
    let world = AmplitudeWorld()
    let answer = #"{"configs":{"analyticsSDK":{"iosSDK":{"autocapture":{"pageViews":true}}}}}"#
    world.script.then(.status(500), .status(500), .status(200, answer))
    let engine = engine(in: world)
    while engine.remoteConfiguration.source != .server, !Task.isCancelled {
      await world.pass(0.5, for: engine)
    }
    #expect(world.script.requests.count { $0.method == .get } == 3)
    #expect(engine.features.choice(.screenViews) == true)
  }

  @Test func `AMP-M2: of network tracking the server replaces what it names, the rest is kept`()
    async
  {
    let world = Self.world(
      #"{"networkTracking":{"enabled":true,"ignoreHosts":["remote-ignore.com"]}}"#
    )
    let rules: PropertyValue = [["hosts": ["*.lamps.example"], "statusCodeRange": "0,500-599"]]
    let engine = engine(in: world) { choice in
      choice.networkTracking = [
        "enabled": false, "ignoreHosts": ["local-ignore.com"], "ignoreAmplitudeRequests": false,
        "captureRules": rules,
      ]
    }
    await answer(world, engine)
    #expect(
      engine.features[.networkTracking] == [
        "enabled": true, "ignoreHosts": ["remote-ignore.com"], "ignoreAmplitudeRequests": false,
        "captureRules": rules,
      ]
    )
  }

  /// AMP M1, M6 and M7 as values: what captures screens, requests and taps reads them.
  @Test func `settings for what is captured elsewhere are merged and held`() async {
    let world = Self.world(
      """
      {"pageViews":true,"sessions":false,"elementInteractions":1,
      "frustrationInteractions":{"rageClick":{"enabled":false}},
      "networkTracking":{"enabled":true,"ignoreHosts":["remote-ignore.com"],
      "captureRules":[{"hosts":["api.example.com"],"statusCodeRange":"400-499"}]}}
      """
    )
    let engine = engine(in: world) { choice in
      choice.frustrationInteractions["enabled"] = true
      choice.networkTracking["ignoreHosts"] = ["local-ignore.com"]
    }
    await engine.settle()
    #expect(engine.features.choice(.networkTracking) == false)
    await answer(world, engine)
    let features = engine.features
    #expect(features.choice(.screenViews) == true)
    #expect(features.choice(.sessions) == false)
    #expect(features.choice(.appLifecycle) == false)
    #expect(features.choice(.elementInteractions) == false, "another kind of value")
    #expect(
      features[.frustrationInteractions] == [
        "enabled": true, "rageClick": ["enabled": false], "deadClick": ["enabled": true],
      ]
    )
    #expect(
      features[.networkTracking] == [
        "enabled": true, "ignoreHosts": ["remote-ignore.com"], "ignoreAmplitudeRequests": true,
        "captureRules": [["hosts": ["api.example.com"], "statusCodeRange": "400-499"]],
      ]
    )
  }

  static let zones: [(AmplitudeEndpoint, question: String, events: String, diagnostics: String)] = [
    (
      AmplitudeEndpoint(), "https://sr-client-cfg.amplitude.com",
      "https://api2.amplitude.com/2/httpapi",
      "https://diagnostics.prod.us-west-2.amplitude.com/v1/capture"
    ),
    (
      AmplitudeEndpoint(zone: .eu), "https://sr-client-cfg.eu.amplitude.com",
      "https://api.eu.amplitude.com/2/httpapi",
      "https://diagnostics.prod.eu-central-1.amplitude.com/v1/capture"
    ),
    (
      AmplitudeEndpoint(zone: .eu, serverURL: "https://proxy.example.com/events"),
      "https://sr-client-cfg.eu.amplitude.com", "https://proxy.example.com/events",
      "https://diagnostics.prod.eu-central-1.amplitude.com/v1/capture"
    ),
    (
      AmplitudeEndpoint(zone: .eu, base: "https://events.example.com/"),
      "https://events.example.com", "https://events.example.com/2/httpapi",
      "https://events.example.com/v1/capture"
    ),
    (
      AmplitudeEndpoint(serverURL: "https://proxy.example.com/e", base: "https://a.example.com"),
      "https://a.example.com", "https://proxy.example.com/e", "https://a.example.com/v1/capture"
    ),
  ]

  @Test(arguments: zones)
  func `AMP-M8, AMP-D49: question and diagnostics go to the zone, events to the server's address`(
    zone: (endpoint: AmplitudeEndpoint, question: String, events: String, diagnostics: String)
  ) async throws {
    let world = Self.world("{}", diagnostics: #"{"enabled":true,"sampleRate":1}"#)
    let engine = engine(in: world, endpoint: zone.endpoint)
    await answer(world, engine)
    engine.track("a")
    _ = await engine.flush()
    let question = try #require(world.script.requests.first { $0.method == .get })
    #expect(
      question.url
        == zone.question
        + "/config/KEY?config_keys=analyticsSDK.iosSDK&config_keys=diagnostics.iosSDK"
    )
    let fields = Dictionary(uniqueKeysWithValues: question.headers.map { ($0.name, $0.value) })
    #expect(
      fields == [
        "Content-Type": "application/json", "Accept": "*/*", "X-Client-Version": "2",
        "X-Client-Bundle-Id": "com.example.notes", "X-Client-Library": "footfall-swift/0.0.0",
        "X-Client-Platform": "ios",
      ]
    )
    let posted = world.script.requests.filter { $0.method == .post }
    #expect(!posted.isEmpty && posted.allSatisfy { $0.url == zone.events })
    await world.pass(301, for: engine)
    await world.script.waitForRequests(posted.count + 2)
    let told = try #require(world.script.requests.last)
    #expect(told.url == zone.diagnostics && told.method == .post)
  }
}
