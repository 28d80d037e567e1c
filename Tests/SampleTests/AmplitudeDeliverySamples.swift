import Footfall
import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// Programs that make the calls of the document's samples about delivery, the log and privacy.
@Suite(.timeLimit(.minutes(5))) struct `Samples of Amplitude's document: delivery and privacy` {
  let phone = SamplePhone()

  @Test func `AMP-X28: a queue, an interval and retries of one's own`() async throws {
    let amplitude = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        flushQueueSize: 50,
        flushIntervalMillis: 10_000,
        flushMaxRetries: 10,
        enableAutoCaptureRemoteConfig: false
      )
    )
    // The session's start is one of them.
    for number in 1...48 { amplitude.track(eventType: "Lamp \(number)") }
    await phone.settle(amplitude)
    #expect(phone.uploads.isEmpty)
    amplitude.track(eventType: "Lamp 49")
    await phone.script.waitForRequests(1)
    await phone.settle(amplitude)
    #expect(phone.uploads.count == 1)
    amplitude.track(eventType: "Lamp 50")
    await phone.settle(amplitude)
    #expect(phone.uploads.count == 1)
    await phone.pass(10, for: amplitude)
    await phone.script.waitForRequests(2)
    #expect(phone.uploads.count == 2)
    amplitude.track(eventType: "Lamp 51")
    let events = try await phone.sent(by: amplitude)
    #expect(phone.uploads.count == 3 && events.ordinary.count == 51)
    _ = try await phone.sent(by: amplitude)
    #expect(phone.uploads.count == 3)
  }

  @Test func `AMP-X29: the European zone`() async throws {
    let amplitude = phone.amplitude(
      Configuration(apiKey: "KEY", serverZone: .EU, enableAutoCaptureRemoteConfig: false)
    )
    amplitude.track(eventType: "Lamp Lit")
    _ = try await phone.sent(by: amplitude)
    #expect(Set(phone.uploads.map(\.url)) == ["https://api.eu.amplitude.com/2/httpapi"])
  }

  @Test func `AMP-X30: a proxy that takes what is compressed`() async throws {
    var environment = phone.environment
    environment.gzip = .system(log: .silent)
    let amplitude = Amplitude(
      configuration: Configuration(
        apiKey: "KEY",
        serverUrl: "https://proxy.example/lamps",
        enableAutoCaptureRemoteConfig: false,
        enableRequestBodyCompression: true
      ),
      environment: environment
    )
    amplitude.track(eventType: "Lamp Lit")
    amplitude.flush()
    await phone.deliver(amplitude)
    let request = try #require(phone.uploads.first)
    #expect(request.url == "https://proxy.example/lamps")
    #expect(request.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" })
    #expect(Array(request.body.prefix(2)) == [0x1f, 0x8b])
  }

  @Test func `AMP-X31: connectivity of the app's own`() async throws {
    let amplitude = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        autocapture: [],
        offline: NetworkConnectivityCheckerPlugin.Disabled,
        enableAutoCaptureRemoteConfig: false
      )
    )
    amplitude.configuration.offline = true
    amplitude.track(eventType: "Lamp Lit")
    #expect(try await phone.sent(by: amplitude).isEmpty)
    #expect(amplitude.configuration.offline == true && phone.uploads.isEmpty)
    amplitude.configuration.offline = false
    amplitude.flush()
    #expect(try await phone.sent(by: amplitude).names == ["Lamp Lit"])
    #expect(phone.uploads.count == 1)
    #expect(phone.connectivity.starts == 0)
  }

  /// A log of an app: the lines it would print, and whether it does is its own to decide.
  final class PrintingLogger: FootfallAmplitude.Logger {
    typealias LogLevel = LogLevelEnum
    let lines = Lock<[String]>([])
    var logLevel: Int = LogLevelEnum.warn.rawValue

    func error(message: String) { say(.error, "Lamp error: \(message)") }
    func warn(message: String) { say(.warn, "Lamp warn: \(message)") }
    func log(message: String) { say(.log, "Lamp log: \(message)") }
    func debug(message: String) { say(.debug, "Lamp debug: \(message)") }

    private func say(_ level: LogLevelEnum, _ line: String) {
      if logLevel >= level.rawValue { lines.withLock { $0.append(line) } }
    }
  }

  @Test func `AMP-X33: every request's result at level debug`() async throws {
    let log = PrintingLogger()
    let amplitude = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        logLevel: .debug,
        loggerProvider: log,
        enableAutoCaptureRemoteConfig: false
      )
    )
    amplitude.track(eventType: "Lamp Lit")
    _ = try await phone.sent(by: amplitude)
    #expect(log.lines.withLock { $0 }.contains { $0.contains("answered 200") })
  }

  @Test func `AMP-X34: a log of the app's own at level error`() async throws {
    let phone = SamplePhone(ScriptedTransport(otherwise: .status(500)))
    let log = PrintingLogger()
    let amplitude = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        logLevel: .error,
        loggerProvider: log,
        enableAutoCaptureRemoteConfig: false
      )
    )
    amplitude.revenue(revenue: Revenue())
    await phone.settle(amplitude)
    #expect(log.lines.withLock { $0 }.isEmpty)
    amplitude.track(eventType: "Lamp Lit")
    _ = try await phone.sent(by: amplitude)
    let lines = log.lines.withLock { $0 }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("Lamp error: ") })
  }

  @Test func `AMP-X35: opted out, then not`() async throws {
    let configuration = {
      Configuration(apiKey: "KEY", optOut: true, enableAutoCaptureRemoteConfig: false)
    }
    let amplitude = phone.amplitude(configuration())
    amplitude.track(eventType: "Unseen")
    #expect(try await phone.sent(by: amplitude).isEmpty)
    amplitude.optOut = false
    amplitude.track(eventType: "Lamp Lit")
    #expect(try await phone.sent(by: amplitude).ordinary.names == ["Lamp Lit"])
    let again = phone.restarted()
    let next = again.amplitude(configuration())
    next.track(eventType: "Unseen")
    #expect(try await again.sent(by: next).isEmpty && next.optOut)
  }

  @Test func `AMP-X36: three fields off`() async throws {
    let amplitude = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        trackingOptions: TrackingOptions()
          .disableTrackCarrier()
          .disableTrackIpAddress()
          .disableTrackLanguage(),
        enableAutoCaptureRemoteConfig: false
      )
    )
    amplitude.track(eventType: "Lamp Lit")
    let event = try await phone.event("Lamp Lit", by: amplitude)
    for field in ["carrier", "ip", "language"] { #expect(event[field] == nil) }
    #expect(event.text("country") == "GB" && event.text("idfv") == "VENDOR-1")
  }

  @Test func `AMP-X37: an app for children, and one that is not`() async throws {
    let child = phone.amplitude(
      Configuration(
        apiKey: "KEY",
        trackingOptions: TrackingOptions().disableTrackIDFV(),
        enableCoppaControl: true,
        enableAutoCaptureRemoteConfig: false
      )
    )
    let other = phone.amplitude(
      Configuration(apiKey: "KEY", instanceName: "two", enableAutoCaptureRemoteConfig: false)
    )
    child.track(eventType: "Night Light Lit")
    other.track(eventType: "Lamp Lit")
    let events = try await phone.sent(by: child, other)
    let first = try #require(events.named("Night Light Lit").first)
    #expect(UUID(uuidString: first.text("device_id")) != nil)
    for field in ["idfv", "idfa", "ip"] { #expect(first[field] == nil) }
    #expect(first.text("country") == "GB")
    let second = try #require(events.named("Lamp Lit").first)
    #expect(second.text("idfv") == "VENDOR-1" && second.text("ip") == "$remote")
  }

  /// A box for lamps that an app wrote to keep its events in.
  final class LampBox: Storage {
    let values = Lock<[String: String]>([:])
    let open = Lock<[String]>([])
    let closed = Lock<[String: [String]]>([:])
    let calls = Lock(0)

    func write(key: StorageKey, value: Any?) throws {
      calls.withLock { $0 += 1 }
      if let event = value as? BaseEvent {
        let text = event.toString()
        open.withLock { $0.append(text) }
      } else {
        let text = value.map { "\($0)" }
        values.withLock { $0[key.rawValue] = text }
      }
    }

    func read<T>(key: StorageKey) -> T? {
      if key == .EVENTS {
        return closed.withLock { $0.keys.sorted() }.compactMap { URL(string: $0) } as? T
      }
      let text = values.withLock { $0[key.rawValue] }
      return text as? T ?? text.flatMap { Int64($0) } as? T
    }

    func getEventsString(eventBlock: URL) -> String? {
      closed.withLock { $0[eventBlock.absoluteString] }.map { "[\($0.joined(separator: ","))]" }
    }

    func remove(eventBlock: URL) {
      closed.withLock { $0[eventBlock.absoluteString] = nil }
    }

    func splitBlock(eventBlock: URL, events: [BaseEvent]) {}

    func rollover() {
      let events = open.withLock { events in
        defer { events = [] }
        return events
      }
      guard !events.isEmpty else { return }
      closed.withLock { $0["lamps:\($0.count)"] = events }
    }

    func reset() {}

    func getResponseHandler(
      configuration: Configuration,
      eventPipeline: EventPipeline,
      eventBlock: URL,
      eventsString: String
    ) -> any ResponseHandler {
      LampHandler(box: self, block: eventBlock)
    }
  }

  struct LampHandler: ResponseHandler {
    let box: LampBox
    let block: URL

    func handleSuccessResponse(code: Int) -> Bool {
      box.remove(eventBlock: block)
      return true
    }
    func handleBadRequestResponse(data: [String: Any]) -> Bool { false }
    func handlePayloadTooLargeResponse(data: [String: Any]) -> Bool { false }
    func handleTooManyRequestsResponse(data: [String: Any]) -> Bool { false }
    func handleTimeoutResponse(data: [String: Any]) -> Bool { false }
    func handleFailedResponse(data: [String: Any]) -> Bool { false }
  }

  @Test func `AMP-X32: a storage of the app's own`() async throws {
    let box = LampBox()
    func configuration() -> Configuration {
      Configuration(
        apiKey: "KEY",
        storageProvider: box,
        autocapture: [],
        enableAutoCaptureRemoteConfig: false
      )
    }
    let amplitude = phone.amplitude(configuration())
    for number in 1...3 { amplitude.track(eventType: "Lamp \(number)") }
    await phone.settle(amplitude)
    #expect(box.open.withLock { $0.count } == 3)
    let events = try await phone.sent(by: amplitude)
    #expect(events.names == ["Lamp 1", "Lamp 2", "Lamp 3"])
    #expect(box.closed.withLock { $0.isEmpty } && phone.files.paths.isEmpty)
    amplitude.client.shutdown(limitSeconds: 0)
    let later = phone.restarted()
    let again = later.amplitude(configuration())
    again.track(eventType: "Lamp 4")
    #expect(try await later.sent(by: again).names == ["Lamp 4"])
    #expect(again.getDeviceId() == amplitude.getDeviceId())
    #expect(later.files.paths.isEmpty)
  }
}
