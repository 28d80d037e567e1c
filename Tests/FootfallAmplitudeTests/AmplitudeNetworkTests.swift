import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: the network comes and goes` {
  /// How a client comes to be offline.
  enum Cause: CaseIterable, CustomTestStringConvertible {
    case failedRetries, connectionError

    var testDescription: String {
      switch self {
      case .failedRetries: "failed retries"
      case .connectionError: "a connection error"
      }
    }
  }

  /// Takes a client offline that has stored three events.
  private func takeOffline(_ engine: Engine, in world: AmplitudeWorld, by cause: Cause) async {
    world.script.then(cause == .failedRetries ? .status(501) : .fail(.offline("no route")))
    for name in ["a", "b", "c"] as [EventName] { engine.track(name) }
    _ = await engine.flush()
    await engine.settle()
    #expect(engine.isOffline)
    #expect(engine.diagnostics.requests == 1)
    #expect(engine.diagnostics.stored == 3)
  }

  @Test(arguments: Cause.allCases)
  func `AMP-D36: a network that is reported to be back ends being offline, without a call`(
    cause: Cause
  ) async throws {
    let world = AmplitudeWorld()
    let engine = world.engine(maxRetries: 0)
    await engine.settle()
    await takeOffline(engine, in: world, by: cause)
    await world.pass(600, for: engine)
    #expect(engine.diagnostics.requests == 1)
    world.connectivity.set(false)
    await world.pass(600, for: engine)
    #expect(engine.isOffline && engine.diagnostics.requests == 1)
    world.connectivity.set(true)
    await engine.untilDelivered(3)
    await engine.settle()
    #expect(!engine.isOffline)
    #expect(try world.names == [["a", "b", "c"], ["a", "b", "c"]])
  }

  @Test func `AMP-D37: a new launch is online and sends what an offline one left, once`()
    async throws
  {
    let world = AmplitudeWorld()
    let engine = world.engine(maxRetries: 0)
    await takeOffline(engine, in: world, by: .failedRetries)
    engine.shutdown(limitSeconds: 0)
    let again = AmplitudeWorld(files: world.files)
    let relaunched = again.engine()
    await relaunched.settle()
    #expect(!relaunched.isOffline)
    _ = await relaunched.flush()
    await relaunched.untilDelivered(3)
    await again.pass(3_600, for: relaunched)
    #expect(try again.names == [["a", "b", "c"]])
    #expect(relaunched.diagnostics.stored == 0)
  }

  /// On Apple platforms a transport security block is a `tls` failure (`AnswerReceiver.swift`).
  @Test(arguments: [
    TransportFailure.offline("no network"), .offline("Could not resolve host: nowhere.invalid"),
    .tls("The resource could not be loaded because of App Transport Security"),
  ])
  func `AMP-D39: a host that cannot be reached means offline at once, with the file kept`(
    failure: TransportFailure
  ) async {
    let world = AmplitudeWorld(ScriptedTransport(otherwise: .fail(failure)))
    let engine = world.engine()
    for name in ["a", "b", "c"] as [EventName] { engine.track(name) }
    _ = await engine.flush()
    await engine.settle()
    #expect(engine.isOffline)
    for _ in 0..<10 {
      await world.pass(60, for: engine)
      _ = await engine.flush()
    }
    #expect(engine.diagnostics.requests == 1)
    #expect(engine.diagnostics.stored == 3)
    #expect(world.files.paths.count { $0.hasSuffix(".batch") } == 1)
  }

  @Test(arguments: [
    UploadResponse.answered(status: 200, headers: [:], body: []), .failed(.timedOut),
  ])
  func `AMP-D40: time is asked for before a request, and given back after its end`(
    response: UploadResponse
  ) async {
    let lifecycle = ManualLifecycle()
    let opened = Lock<[Int]>([])
    let script = ScriptedTransport([
      .make { _ in
        opened.withLock { $0.append(lifecycle.openGrants) }
        return .answered(status: 503, headers: [:], body: [])
      },
      .hold(response),
    ])
    let world = AmplitudeWorld(script, lifecycle: lifecycle)
    let engine = world.engine()
    engine.track("a")
    _ = await engine.flush()
    await engine.settle()
    // While the first request was looked at by the server there was one grant, and none after.
    #expect(opened.withLock { $0 } == [1])
    #expect(lifecycle.askedForTime == 1 && lifecycle.openGrants == 0)
    await world.pass(1, for: engine)
    await script.waitForRequests(2)
    lifecycle.announce(.inactive)
    #expect(lifecycle.askedForTime == 2 && lifecycle.openGrants == 1)
    script.release()
    await engine.until { _ in lifecycle.openGrants == 0 }
  }

  @Test func `AMP-D40: a request that is cut off gives its time back`() async {
    let lifecycle = ManualLifecycle()
    let script = ScriptedTransport([.hold(.answered(status: 200, headers: [:], body: []))])
    let world = AmplitudeWorld(script, lifecycle: lifecycle)
    let engine = world.engine()
    engine.track("a")
    engine.flush { _ in }
    await script.waitForRequests(1)
    #expect(lifecycle.openGrants == 1)
    engine.shutdown(limitSeconds: 0)
    await engine.until { _ in lifecycle.openGrants == 0 }
  }

  /// AMP D45, but for the constant's name, which is that of a public class.
  @Test func `with nobody watching the network a client stays offline until it is set online`()
    async throws
  {
    var options = AmplitudeOptions(key: "KEY")
    options.isOffline = nil
    let world = AmplitudeWorld()
    let watches = options.settings(folder: "/client", in: .test()).watchesNetwork
    #expect(!watches)
    let engine = world.engine(maxRetries: 0, settings: { $0.watchesNetwork = watches })
    await takeOffline(engine, in: world, by: .connectionError)
    #expect(world.connectivity.starts == 0)
    world.connectivity.set(false)
    world.connectivity.set(true)
    await world.pass(86_400, for: engine)
    #expect(engine.isOffline && engine.diagnostics.requests == 1)
    engine.setOffline(false)
    _ = await engine.flush()
    await engine.untilDelivered(3)
  }

  /// watchOS has no monitor, which is `UnknownConnectivity`.
  @Test func `AMP-D47: where there is no monitor, an error takes the client offline`() async throws
  {
    let world = AmplitudeWorld(network: UnknownConnectivity())
    let engine = world.engine()
    await engine.settle()
    #expect(!engine.isOffline)
    await takeOffline(engine, in: world, by: .connectionError)
    await world.pass(86_400, for: engine)
    #expect(engine.diagnostics.requests == 1)
    engine.setOffline(false)
    await engine.untilDelivered(3)
  }

  @Test func `AMP-D41: the usual choices are those of the documentation`() {
    let options = AmplitudeOptions(key: "KEY")
    #expect(options.flushQueueSize == 30)
    #expect(options.flushIntervalMilliseconds == 30_000)
    #expect(!options.isOptedOut && !options.usesBatch && !options.protectsChildren)
    #expect(options.minIDLength == nil && options.serverURL == nil)
    #expect(options.userID == nil && options.deviceID == nil)
    #expect(options.flushMaxRetries == 6)
    #expect(options.zone == .us)
    #expect(options.withheld.isEmpty)
    #expect(options.flushesOnClose && options.asksForConfiguration)
    #expect(!options.compressesForServerURL)
    #expect(options.sessionMilliseconds == 300_000)
    #expect(options.maxQueuedEvents == -1)
    #expect(options.isOffline == false)
    let captured = options.autocapture.features
    #expect(
      AutomaticFeature.allCases.filter { captured.choice($0) == true } == [.sessions, .diagnostics]
    )
    #expect(
      captured[.networkTracking] == [
        "enabled": false, "ignoreHosts": [], "ignoreAmplitudeRequests": true,
        "captureRules": [["hosts": ["*"], "methods": ["*"], "statusCodeRange": "500-599"]],
      ]
    )
    #expect(
      captured[.frustrationInteractions] == [
        "enabled": false, "rageClick": ["enabled": true], "deadClick": ["enabled": true],
      ]
    )
    let settings = options.settings(folder: "/client", in: .test())
    #expect(settings.main.flush.triggerEvents == 30)
    #expect(settings.main.flush.interval == .periodic(seconds: 30))
    #expect(settings.main.delivery.failuresBeforeOffline == 6)
    #expect(settings.main.outbox.launchEvents == .max)
    #expect(settings.rules.sessions?.timeoutMilliseconds == 300_000)
    #expect(settings.rules.sessions?.announces == true && !settings.rules.tellsAppLifecycle)
    #expect(settings.leaving == .flushes && settings.consent == .sendsStored)
    #expect(settings.isEnabled && !settings.isOffline && settings.watchesNetwork)
    #expect(settings.remoteConfiguration?.rules.isEnabled == true)
    #expect(settings.main.codec.host == nil || settings.main.codec.host == "api2.amplitude.com")
  }
}
