import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

/// What an app chooses by the names of Amplitude's SDK.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude's names: options` {
  @Test func `AMP-D41: a configuration of a key alone says what the document says`() {
    let made = Configuration(apiKey: "KEY")
    #expect(made.apiKey == "KEY" && made.instanceName == "$default_instance")
    #expect(made.flushQueueSize == 30 && made.flushIntervalMillis == 30_000)
    #expect(!made.optOut && made.logLevel == .warn && made.loggerProvider is ConsoleLogger)
    #expect(made.storageProvider == nil && made.identifyStorageProvider == nil)
    #expect(made.minIdLength == nil && made.partnerId == nil && made.callback == nil)
    #expect(made.plan == nil && made.ingestionMetadata == nil)
    #expect(made.flushMaxRetries == 6 && !made.useBatch && made.serverZone == .US)
    #expect(made.serverUrl == nil && !made.enableCoppaControl && made.flushEventsOnClose)
    #expect(made.minTimeBetweenSessionsMillis == 300_000 && made.autocapture == .sessions)
    #expect(made.identifyBatchIntervalMillis == 30_000 && made.maxQueuedEventCount == -1)
    #expect(made.migrateLegacyData && made.offline == false)
    #expect(made.networkTrackingOptions == .default && made.enableAutoCaptureRemoteConfig)
    #expect(made.networkTrackingOptions.captureRules == [.init(hosts: ["*"])])
    #expect(made.interactionsOptions == InteractionsOptions())
    #expect(made.enableDiagnostics && !made.enableRequestBodyCompression)
    #expect(made.userId == nil && made.deviceId == nil && made.baseUrl == nil)
    #expect(Configuration(apiKey: "KEY", instanceName: "").instanceName == "$default_instance")
  }

  @Test func `AMP-P31: every switch returns its object, and switches one thing`() {
    let options = TrackingOptions()
    let chained =
      options.disableTrackCarrier().disableTrackIpAddress().disableTrackLanguage()
    #expect(chained === options)
    #expect(!options.shouldTrackCarrier() && !options.shouldTrackIpAddress())
    #expect(!options.shouldTrackLanguage())
    #expect(options.shouldTrackVersionName() && options.shouldTrackOsName())
    #expect(options.shouldTrackOsVersion() && options.shouldTrackDeviceManufacturer())
    #expect(options.shouldTrackDeviceModel() && options.shouldTrackCountry())
    #expect(options.shouldTrackCity() && options.shouldTrackDMA() && options.shouldTrackIDFV())
    #expect(options.shouldTrackRegion() && options.shouldTrackPlatform())
  }

  @Test func `AMP-P32: what one configuration switches off in place, another sends`() async throws {
    var device = DeviceContext.test
    device.language = "en"
    let one = AmplitudeApp(device: device) { $0.trackingOptions.disableTrackLanguage() }
    let two = AmplitudeApp(device: device)
    for app in [one, two] { app.amplitude.track(eventType: "a") }
    #expect(try await one.event("a")["language"] == nil)
    #expect(try await two.event("a").text("language") == "en")
  }

  @Test func `AMP-P34: an app for children has it in its own options`() async throws {
    let options = TrackingOptions()
    let app = AmplitudeApp {
      $0.trackingOptions = options
      $0.enableCoppaControl = true
    }
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    #expect(!options.shouldTrackIDFV() && !options.shouldTrackIpAddress())
    #expect(!options.shouldTrackCity() && options.shouldTrackCarrier())
  }

  @Test func `AMP-D29: an interval that is set later counts for the next client`() async throws {
    let app = AmplitudeApp()
    await app.settle()
    app.configuration.flushIntervalMillis = 1_000
    app.amplitude.track(eventType: "a")
    await app.settle()
    for _ in 0..<29 { await app.pass(1) }
    #expect(app.uploads.isEmpty)
    await app.pass(1)
    await app.script.waitForRequests(1)
    #expect(app.uploads.count == 1)
  }

  @Test func `AMP-D45: nobody watches the network, and only the app ends being offline`()
    async throws
  {
    #expect(NetworkConnectivityCheckerPlugin.Disabled == nil)
    let app = AmplitudeApp(
      ScriptedTransport([.fail(.offline("no route"))], otherwise: AmplitudeWorld.ok)
    ) {
      $0.offline = NetworkConnectivityCheckerPlugin.Disabled
    }
    app.amplitude.track(eventType: "a")
    #expect(try await app.sent().count == 1)
    #expect(app.connectivity.starts == 0 && app.configuration.offline == true)
    app.connectivity.set(false)
    app.connectivity.set(true)
    await app.pass(120)
    #expect(app.uploads.count == 1 && app.configuration.offline == true)
    app.configuration.offline = false
    app.amplitude.flush()
    #expect(try await app.names() == ["a", "a"])
    #expect(app.configuration.offline == false)
  }

  @Test(arguments: [1_000, 60_000])
  func `AMP-C10: what is held waits for thirty seconds, whatever the option says`(
    interval: Int
  ) async throws {
    let app = AmplitudeApp { $0.identifyBatchIntervalMillis = interval }
    await app.settle()
    app.amplitude.identify(userProperties: ["a": 1])
    await app.settle()
    for _ in 0..<29 { await app.pass(1) }
    app.amplitude.groupIdentify(groupType: "g", groupName: "1", groupProperties: ["b": 2])
    await app.settle()
    await app.pass(1)
    // The group's change did not wait, what was held did: they stand in this order in the request.
    #expect(try await app.names() == ["$groupidentify", "$identify"])
  }

  /// Nothing tells of the library's own work yet; the address it would go to is the same value.
  @Test func `AMP D49: events go to their own address, the rest to the zone's, or all to one base`()
    async throws
  {
    let app = AmplitudeApp {
      $0.serverZone = .EU
      $0.serverUrl = "https://own.example/2/httpapi"
    }
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    #expect(Set(app.uploads.map(\.url)) == ["https://own.example/2/httpapi"])
    let zone = AmplitudeEndpoint(zone: .eu, serverURL: "https://own.example/2/httpapi")
    #expect(zone.configurationBase == "https://sr-client-cfg.eu.amplitude.com")
    #expect(
      zone.diagnosticsURL == "https://diagnostics.prod.eu-central-1.amplitude.com/v1/capture"
    )
  }

  @Test func `one base address takes events and the question for the configuration`() async throws {
    let app = AmplitudeApp(
      make: { key, log, level, autocapture in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: autocapture,
          baseUrl: "https://events.example/"
        )
      }
    )
    app.amplitude.track(eventType: "a")
    _ = try await app.event("a")
    let urls = app.script.requests.map(\.url)
    #expect(urls.allSatisfy { $0.hasPrefix("https://events.example/") })
    #expect(urls.contains("https://events.example/2/httpapi"))
    #expect(urls.contains { $0.hasPrefix("https://events.example/config/KEY?") })
  }

  @Test func `what is asked for and not captured yet is said once`() async throws {
    let app = AmplitudeApp(
      make: { key, log, level, _ in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: .all,
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
    app.amplitude.track(eventType: "a")
    _ = try await app.sent()
    let said = app.lines.filter { $0.contains("not captured by this version yet") }
    #expect(said.count == 1)
    #expect(said.first?.contains("screenViews, elementInteractions, networkTracking") == true)
    #expect(app.configuration.autocapture == .all)
  }

  @Test func `AMP-T23: a link that opens the app is told by nobody but the app`() async throws {
    let app = AmplitudeApp(
      phase: .background,
      make: { key, log, level, _ in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: .all,
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
    await app.settle()
    app.lifecycle.announce(.foreground)
    let names = try await app.names()
    #expect(names.contains("[Amplitude] Application Opened"))
    #expect(!names.contains("[Amplitude] Deep Link Opened"))
  }

  @Test func `what is set later counts for the events and requests of later`() async throws {
    let app = AmplitudeApp()
    app.amplitude.track(eventType: "before")
    app.configuration.plan = Plan(branch: "main", source: "ios", version: "2")
    app.configuration.partnerId = "partner-1"
    app.configuration.ingestionMetadata = IngestionMetadata(
      sourceName: "lamps",
      sourceVersion: "3"
    )
    app.amplitude.track(eventType: "after")
    #expect(try await app.names() == ["before", "after"])
    let (before, after) = (try await app.event("before"), try await app.event("after"))
    #expect(before["plan"] == nil && before["partner_id"] == nil)
    #expect(after["plan"] == #"{"branch":"main","source":"ios","version":"2"}"#)
    #expect(after["partner_id"] == #""partner-1""#)
    #expect(
      after["ingestion_metadata"] == #"{"source_name":"lamps","source_version":"3"}"#
    )
    #expect(after["version_name"] == before["version_name"])
    #expect(app.uploads.last?.url == "https://api2.amplitude.com/2/httpapi")
    app.configuration.minIdLength = 3
    app.configuration.serverZone = .EU
    app.configuration.useBatch = true
    app.amplitude.track(eventType: "moved")
    _ = try await app.names()
    #expect(app.uploads.last?.url == "https://api.eu.amplitude.com/batch")
    let body = try JSONFields.object(app.uploads.last?.body ?? [])
    #expect(body["options"] == #"{"min_id_length":3}"#)
    app.configuration.serverUrl = "https://proxy.example/lamps"
    app.amplitude.track(eventType: "proxied")
    _ = try await app.names()
    #expect(app.uploads.last?.url == "https://proxy.example/lamps")
  }
}
