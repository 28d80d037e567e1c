import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A storage of the app's own, in the place of the client's files.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: a storage of the app's own` {
  private static func app(
    _ storage: ListStorage,
    _ script: ScriptedTransport = ScriptedTransport(otherwise: AmplitudeWorld.ok),
    files: MemoryFiles = MemoryFiles(),
    announcesSessions: Bool = false,
    flushQueueSize: Int = 30
  ) -> AmplitudeApp {
    AmplitudeApp(
      script,
      files: files,
      announcesSessions: announcesSessions,
      make: { key, log, level, autocapture in
        Configuration(
          apiKey: key,
          flushQueueSize: flushQueueSize,
          storageProvider: storage,
          identifyStorageProvider: storage,
          logLevel: level,
          loggerProvider: log,
          autocapture: autocapture,
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
  }

  @Test func `AMP-F11: three events go through the protocol, and no file is written`() async throws
  {
    let storage = ListStorage()
    let app = Self.app(storage)
    for name in ["a", "b", "c"] { app.amplitude.track(eventType: name) }
    await app.settle()
    #expect(storage.openEvents == ["a", "b", "c"], "kept at once, not only when they are sent")
    #expect(app.uploads.isEmpty)
    #expect(try await app.names() == ["a", "b", "c"])
    #expect(app.uploads.count == 1)
    #expect(
      storage.calls.filter { $0 != "read" && !$0.hasPrefix("write ") }
        == ["rollover", "string block:1", "handler block:1", "success 200", "remove block:1"]
    )
    #expect(storage.calls.filter { $0 == "write events" }.count == 3)
    #expect(storage.blocks.isEmpty && app.files.paths.isEmpty)
    #expect(app.client.diagnostics.destinations["main"]?.delivered == 3)
    #expect(app.told.withLock { $0 }.map(\.code) == [200, 200, 200])
  }

  @Test func `AMP-F16: what the client is stays in the storage, and what was sent is not again`()
    async throws
  {
    let storage = ListStorage()
    let app = Self.app(storage, announcesSessions: true)
    app.amplitude.setUserId(userId: "user-12345")
    app.amplitude.track(eventType: "a")
    _ = try await app.names()
    app.client.shutdown(limitSeconds: 0)
    let next = Self.app(storage, files: app.files, announcesSessions: true)
    #expect(next.amplitude.getUserId() == "user-12345")
    #expect(next.amplitude.getDeviceId() == app.amplitude.getDeviceId())
    next.amplitude.track(eventType: "b")
    #expect(try await next.names() == ["b"], "the same session goes on")
    let (first, second) = (try await app.event("a"), try await next.event("b"))
    #expect(first["session_id"] == second["session_id"])
    #expect(next.files.paths.isEmpty)
    #expect(
      StorageKey.allCases.map(\.rawValue) == [
        "last_event_id", "previous_session_id", "last_event_time", "opt_out", "events",
        "user_id", "device_id", "app_build", "app_version", "storage_version",
      ]
    )
  }

  private static func app(holdingIn storage: ListStorage, files: MemoryFiles) -> AmplitudeApp {
    AmplitudeApp(
      files: files,
      make: { key, log, level, autocapture in
        Configuration(
          apiKey: key,
          identifyStorageProvider: storage,
          logLevel: level,
          loggerProvider: log,
          autocapture: autocapture,
          enableAutoCaptureRemoteConfig: false
        )
      }
    )
  }

  @Test func `AMP-F15: identifies are held in a storage for them, and go as one from the files`()
    async throws
  {
    let storage = ListStorage()
    let app = Self.app(holdingIn: storage, files: MemoryFiles())
    for (key, value) in [("lamp", "on"), ("shade", "green")] {
      app.amplitude.identify(identify: Identify().set(property: key, value: value))
    }
    await app.settle()
    #expect(storage.openEvents == ["$identify", "$identify"])
    #expect(app.uploads.isEmpty && !app.files.paths.contains { $0.contains("/held/") })
    let sent = try await app.sent()
    #expect(sent.map { $0["user_properties"] } == [#"{"$set":{"lamp":"on","shade":"green"}}"#])
    #expect(storage.openEvents.isEmpty && storage.blocks.isEmpty)
    #expect(!storage.calls.contains("write device_id"), "the rest is in files")
    #expect(!app.files.paths.isEmpty && app.lines(.warning).isEmpty)
  }

  @Test func `identifies that an earlier run held in a storage for them go at the next start`()
    async throws
  {
    let (storage, files) = (ListStorage(), MemoryFiles())
    let before = Self.app(holdingIn: storage, files: files)
    for (key, value) in [("lamp", "on"), ("lamp", "off")] {
      before.amplitude.identify(identify: Identify().set(property: key, value: value))
    }
    await before.settle()
    files.endProcess()
    let next = Self.app(holdingIn: storage, files: files)
    await next.script.waitForRequests(1)
    let sent = try await next.sent()
    #expect(sent.map { $0["user_properties"] } == [#"{"$set":{"lamp":"off"}}"#])
    #expect(storage.openEvents.isEmpty && storage.blocks.isEmpty)
  }

  @Test func `an identify that a storage does not hold goes at once`() async throws {
    let storage = ListStorage()
    storage.isFull = true
    let app = Self.app(holdingIn: storage, files: MemoryFiles())
    app.amplitude.identify(identify: Identify().set(property: "lamp", value: "on"))
    await app.settle()
    #expect(storage.openEvents.isEmpty)
    #expect(app.client.diagnostics.destinations["main"]?.stored == 1)
    #expect(app.lines(.warning).contains { $0.contains("storage does not take an identify") })
    #expect(try await app.names() == ["$identify"])
  }

  @Test func `events of an earlier run are sent at the next start`() async throws {
    let storage = ListStorage()
    let before = Self.app(storage, ScriptedTransport(otherwise: .fail(.offline(""))))
    before.amplitude.track(eventType: "a")
    _ = try await before.names()
    before.client.shutdown(limitSeconds: 0)
    #expect(storage.blocks.count == 1)
    let next = Self.app(storage)
    await next.script.waitForRequests(1)
    #expect(try await next.names() == ["a"])
    #expect(storage.blocks.isEmpty)
  }

  @Test func `a full queue closes a block, and a block that is wanted again is sent again`()
    async throws
  {
    let storage = ListStorage()
    let script = ScriptedTransport(otherwise: AmplitudeWorld.ok)
    script.then(.status(500, "{}"))
    let app = Self.app(storage, script, flushQueueSize: 2)
    for name in ["a", "b"] { app.amplitude.track(eventType: name) }
    await app.script.waitForRequests(1)
    while app.client.diagnostics.destinations["main"]?.problem == nil, !Task.isCancelled {
      await app.settle()
    }
    #expect(storage.blocks.count == 1)
    await app.pass(2)
    await app.script.waitForRequests(2)
    #expect(try await app.names() == ["a", "b", "a", "b"])
    let sent = try app.uploads.map { try JSONFields.object($0.body)["events"] }
    #expect(sent[0] == sent[1])
    #expect(storage.blocks.isEmpty)
  }

  @Test func `a refusal is the handler's to deal with`() async throws {
    let storage = ListStorage()
    let script = ScriptedTransport(otherwise: AmplitudeWorld.ok)
    script.then(.status(400, #"{"code":400,"error":"bad lamp"}"#))
    let app = Self.app(storage, script)
    app.amplitude.track(eventType: "a")
    _ = try await app.names()
    #expect(storage.calls.contains("bad request bad lamp"))
    #expect(storage.blocks.isEmpty && app.uploads.count == 1)
    #expect(app.client.diagnostics.destinations["main"]?.delivered == 0)
  }

  @Test func `a storage that fails is told of, and what it did not take is counted`() async throws {
    let storage = ListStorage()
    storage.isFull = true
    let app = Self.app(storage)
    app.amplitude.track(eventType: "a")
    await app.settle()
    #expect(app.client.diagnostics.destinations["main"]?.dropped.byReason == [.storageFailed: 1])
    #expect(app.lines(.error).contains { $0.contains("storage does not take events") })
  }

  @Test func `a block that its handler does not take away is not sent at once again`() async throws
  {
    let storage = ListStorage()
    storage.isForgetful = true
    let app = Self.app(storage)
    app.amplitude.track(eventType: "a")
    _ = try await app.names()
    for _ in 0..<3 { await app.settle() }
    #expect(app.uploads.count == 1)
    #expect(app.client.diagnostics.destinations["main"]?.problem != nil)
  }
}

/// A storage that keeps everything in lists, as an app might write one, and notes each call.
final class ListStorage: Storage, @unchecked Sendable {
  // Sendable: the client calls it on one thread, and tests look when that is at rest.
  private let lock = NSLock()
  private var values: [StorageKey: Any] = [:]
  private var open: [BaseEvent] = []
  private var closed: [(url: URL, events: [BaseEvent])] = []
  private var number = 0
  private var noted: [String] = []
  var isFull = false
  var isForgetful = false

  struct Full: Error {}

  var calls: [String] { lock.withLock { noted } }
  var openEvents: [String] { lock.withLock { open.map(\.eventType) } }
  var blocks: [URL] { lock.withLock { closed.map(\.url) } }

  func note(_ call: String) { lock.withLock { noted.append(call) } }

  func write(key: StorageKey, value: Any?) throws {
    note("write \(key.rawValue)")
    if isFull { throw Full() }
    lock.withLock {
      if key == .EVENTS, let event = value as? BaseEvent {
        open.append(event)
      } else {
        values[key] = value
      }
    }
  }

  func read<T>(key: StorageKey) -> T? {
    note("read")
    return lock.withLock { key == .EVENTS ? closed.map(\.url) as? T : values[key] as? T }
  }

  func getEventsString(eventBlock: URL) -> String? {
    note("string \(eventBlock.absoluteString)")
    let events = lock.withLock { closed.first { $0.url == eventBlock }?.events }
    return events.map { "[\n  " + $0.map { $0.toString() }.joined(separator: ",\n  ") + "\n]" }
  }

  func remove(eventBlock: URL) {
    note("remove \(eventBlock.absoluteString)")
    if isForgetful { return }
    lock.withLock { closed.removeAll { $0.url == eventBlock } }
  }

  func splitBlock(eventBlock: URL, events: [BaseEvent]) { note("split") }

  func rollover() {
    note("rollover")
    lock.withLock {
      guard !open.isEmpty else { return }
      number += 1
      guard let url = URL(string: "block:\(number)") else { return }
      closed.append((url, open))
      open = []
    }
  }

  func reset() { note("reset") }

  func getResponseHandler(
    configuration: Configuration,
    eventPipeline: EventPipeline,
    eventBlock: URL,
    eventsString: String
  ) -> any ResponseHandler {
    note("handler \(eventBlock.absoluteString)")
    return Handler(storage: self, block: eventBlock)
  }

  /// Takes a block away once it was sent or refused, and wants it sent again otherwise.
  struct Handler: ResponseHandler {
    let storage: ListStorage
    let block: URL

    private func take(_ call: String) -> Bool {
      storage.note(call)
      storage.remove(eventBlock: block)
      return true
    }

    func handleSuccessResponse(code: Int) -> Bool { take("success \(code)") }
    func handleBadRequestResponse(data: [String: Any]) -> Bool {
      take("bad request \(data["error"] ?? "")")
    }
    func handlePayloadTooLargeResponse(data: [String: Any]) -> Bool { false }
    func handleTooManyRequestsResponse(data: [String: Any]) -> Bool { false }
    func handleTimeoutResponse(data: [String: Any]) -> Bool { false }
    func handleFailedResponse(data: [String: Any]) -> Bool { false }
  }
}
