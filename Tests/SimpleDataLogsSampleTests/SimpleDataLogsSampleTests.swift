#if os(Linux) || os(macOS)
import FootfallSimpleDataLogs
import FootfallTesting
import Foundation
import Testing

/// Programs that call what the document's samples call, in the same order, each in a process of its own,
/// as the calls are those of the whole process.
@Suite(.timeLimit(.minutes(5))) struct `Samples of SimpleDataLogs` {
  @Test func `SDL-131: the quick start, allowed`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.setEnabled(true)
      SimpleDataLogs.setDeviceID("tablet-7")
      SimpleDataLogs.setDefaultProperties(["shop_version": "2.3.0", "channel": "beta"])
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track("basket_filled", properties: ["kind": "fruit"])
      await SimpleDataLogs.flush()
      let events = try sample.events
      #expect(events.map(\.name) == ["basket_filled"] && events[0].device_id == "tablet-7")
      #expect(
        events[0].props == ["kind": "fruit", "shop_version": "2.3.0", "channel": "beta"]
      )
      try sample.end()
    }
  }

  @Test func `SDL-131: the quick start, not allowed`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.setEnabled(false)
      SimpleDataLogs.setDeviceID("tablet-7")
      SimpleDataLogs.setDefaultProperties(["shop_version": "2.3.0"])
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track("basket_filled", properties: ["kind": "fruit"])
      await SimpleDataLogs.flush()
      #expect(sample.server.connections == 0)
      #expect(try !sample.isStored("basket_filled"))
      try sample.end()
    }
  }

  @Test func `SDL-132: everything captured`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(
        ingestKey: "sdl_pub_sample",
        endpoint: try sample.endpoint,
        autocapture: .all
      )
      await SimpleDataLogs.flush()
      let events = try sample.events
      #expect(events.map(\.name) == ["session_start", "app_launched"])
      #expect(events.last?.props?["is_first_launch"] == true)
      try sample.end()
    }
  }

  @Test func `SDL-133, SDL-134: the other mode of sessions, and redacted crashes`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(
        ingestKey: "sdl_pub_sample",
        endpoint: try sample.endpoint,
        autocapture: .all,
        sessionMode: .inactivityTimeout(minutes: 30),
        crashReasonRedaction: .standard
      )
      SimpleDataLogs.track("menu_opened")
      await SimpleDataLogs.flush()
      let events = try sample.events
      #expect(events.map(\.name) == ["session_start", "app_launched", "menu_opened"])
      #expect(Set(events.compactMap { $0.props?["session_id"] }.map { "\($0)" }).count == 1)
      try sample.end()
    }
  }

  @Test func `SDL-135, SDL-136: values of every kind, and those of an untyped dictionary`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track(
        "drawing_saved",
        properties: ["kind": "svg", "took_ms": 87, "is_shared": false]
      )
      let parameters: [String: Any] = [
        "a": "x", "b": 1, "c": 1.5, "d": true, "e": Date(), "f": [1],
      ]
      SimpleDataLogs.track(
        "imported",
        properties: parameters.compactMapValues(PropertyValue.init(bridging:))
      )
      await SimpleDataLogs.flush()
      let events = try sample.events
      #expect(events.first?.props == ["kind": "svg", "took_ms": 87, "is_shared": false])
      #expect(events.last?.props == ["a": "x", "b": 1, "c": 1.5, "d": true])
      try sample.end()
    }
  }

  /// A step of a tour that the user took before agreeing.
  struct Step {
    let name: String
    let completedAt: Date
    let id: UUID
  }

  static func steps() throws -> [Step] {
    try (1...3).map { number in
      Step(
        name: "page \(number)",
        completedAt: Date(timeIntervalSince1970: 1_748_779_200 + Double(number - 1) * 86_400),
        id: try #require(UUID(uuidString: "0F0B7C9E-0000-4000-8000-00000000000\(number)"))
      )
    }
  }

  @Test func `SDL-137: the loop over saved steps, and again at the next launch`() async throws {
    for _ in 0..<2 {
      await #expect(processExitsWith: .success) {
        let sample = try SampleServer(folder: SampleServer.folder(of: getppid()))
        SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
        for step in try Self.steps() {
          SimpleDataLogs.track(
            "tour_page",
            properties: ["page": .string(step.name)],
            at: step.completedAt,
            eventID: step.id
          )
        }
        await SimpleDataLogs.flush()
        let events = try sample.events
        #expect(events.map(\.name) == ["tour_page", "tour_page", "tour_page"])
        #expect(events.map(\.ts) == (1...3).map { "2025-06-0\($0)T12:00:00.000Z" })
        // The same ids at every launch: a collector counts them once.
        #expect(
          events.map(\.event_id)
            == (1...3).map { "0f0b7c9e-0000-4000-8000-00000000000\($0)" }
        )
        #expect(events.map { $0.props?["page"] } == ["page 1", "page 2", "page 3"])
        sample.server.stop()
      }
    }
    try FileManager.default.removeItem(atPath: SampleServer.folder(of: getpid()))
  }

  @Test func `SDL-138: the opt-out, and the toggle`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.setEnabled(false)
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track("never")
      SimpleDataLogs.setEnabled(true)
      SimpleDataLogs.track("counted")
      await SimpleDataLogs.flush()
      SimpleDataLogs.setEnabled(false)
      SimpleDataLogs.track("ignored")
      await SimpleDataLogs.flush()
      #expect(try sample.events.map(\.name) == ["counted"])
      #expect(try !sample.isStored("ignored") && !sample.isStored("never"))
      try sample.end()
    }
  }

  @Test func `SDL-139: the last send`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      for number in 1...3 { SimpleDataLogs.track("queued_\(number)") }
      await SimpleDataLogs.flushAndDisable()
      #expect(try sample.events.map(\.name) == ["queued_1", "queued_2", "queued_3"])
      SimpleDataLogs.track("late")
      await SimpleDataLogs.flush()
      #expect(try sample.events.count == 3)
      try sample.end()
    }
  }

  @Test func `SDL-139: the last send, with a completion`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track("queued")
      await withCheckedContinuation { continuation in
        SimpleDataLogs.flushAndDisable(timeLimit: 5) { continuation.resume() }
      }
      SimpleDataLogs.disable()
      #expect(try sample.events.map(\.name) == ["queued"])
      try sample.end()
    }
  }

  #if os(Linux)
  @Test func `SDL-140: the way of a batch is in the log, under the documented subsystem`()
    async throws
  {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("SDL_LOG", "debug", 1)
      let sample = try SampleServer()
      SimpleDataLogs.configure(ingestKey: "sdl_pub_sample", endpoint: try sample.endpoint)
      SimpleDataLogs.track("logged")
      await SimpleDataLogs.flush()
      #expect(try sample.events.count == 1)
      try sample.end()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.split(separator: "\n").contains { $0.hasPrefix("com.simpledatalogs.sdk debug: ") })
  }
  #endif

  @Test func `SDL-141: an endpoint on this machine`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      let address = "http://localhost:\(sample.server.port)"
      SimpleDataLogs.configure(
        ingestKey: "sdl_pub_sample",
        endpoint: try #require(URL(string: address))
      )
      SimpleDataLogs.track("local")
      await SimpleDataLogs.flush()
      #expect(sample.server.requests.map(\.path) == ["/v1/events"])
      #expect(try sample.events.map(\.name) == ["local"])
      try sample.end()
    }
  }

  // The modifier of the same sample is run where there are views: Tests/AdapterFakes.
  @Test func `SDL-142: what is shown within a sentence`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleServer()
      SimpleDataLogs.configure(
        ingestKey: "sdl_pub_sample",
        endpoint: try sample.endpoint,
        autocapture: [.sessions, .crashes],
        crashReasonRedaction: CrashReasonRedaction(
          shouldStripNumbers: true,
          shouldStripPaths: false,
          shouldStripEmails: true,
          maxLength: 120
        ),
        activity: .off
      )
      SimpleDataLogs.trackScreen("Preferences")
      SimpleDataLogs.trackScreen("Preferences", properties: ["tab": 2])
      SimpleDataLogs.track("backup_finished", properties: ["app_state": "background"])
      await SimpleDataLogs.flush()
      let events = try sample.events
      #expect(
        events.map(\.name) == ["session_start", "screen_view", "screen_view", "backup_finished"]
      )
      #expect(events[2].props?["screen"] == "Preferences" && events[2].props?["tab"] == 2)
      #expect(events[3].props?["app_state"] == "background")
      try sample.end()
    }
  }
}
#endif
