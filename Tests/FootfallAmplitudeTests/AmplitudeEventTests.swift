import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: tracking and the shape of events` {
  @Test func `AMP-T1: an event travels with its properties and all that tells it apart`()
    async throws
  {
    let app = AmplitudeApp(announcesSessions: true)
    app.client.track(
      "Song Played",
      ["title": "Here Comes the Sun", "duration_seconds": 185, "genres": ["rock", "pop"]]
    )
    let song = try await app.event("Song Played")
    #expect(
      song["event_properties"]
        == #"{"duration_seconds":185,"genres":["rock","pop"],"title":"Here Comes the Sun"}"#
    )
    #expect(app.bodies.contains { $0.contains(#""duration_seconds":185,"#) })
    #expect(!song.text("insert_id").isEmpty && !song.text("library").isEmpty)
    #expect(song["session_id"] == "1764581400123" && song["time"] == "1764581400123")
    // The session's start has the number before.
    #expect(song["event_id"] == "2")
  }

  @Test func `AMP-T2: an event's own id, app version and time are sent exactly`() async throws {
    let app = AmplitudeApp()
    app.client.track(
      "Song Played",
      ["title": "x"],
      FootfallCore.EventOptions(
        id: "song-played-8f2c",
        at: app.clock.now.addingTimeInterval(-60),
        context: [.statedAppVersion: "4.2.0"]
      )
    )
    let song = try await app.event("Song Played")
    #expect(song.text("insert_id") == "song-played-8f2c")
    #expect(song.text("app_version") == "4.2.0")
    #expect(song["time"] == "1764581340123")
  }

  @Test func `AMP-T4: of two options the later wins, and what only one says stays`() async throws {
    let app = AmplitudeApp()
    let own = FootfallCore.EventOptions(deviceID: "device-of-event", userID: "a1234")
    app.client.track("a", [:], own.merging(FootfallCore.EventOptions(userID: "b1234")))
    let event = try await app.event("a")
    #expect(event.text("user_id") == "b1234")
    #expect(event.text("device_id") == "device-of-event")
  }

  @Test func `AMP-T5: the event's own callback and that of all are told once of the delivery`()
    async throws
  {
    let app = AmplitudeApp()
    let own = Lock<[AmplitudeApp.Told]>([])
    app.amplitude.track(event: BaseEvent(eventType: "Checkout Started")) { event, code, message in
      let told = AmplitudeApp.Told(event, code, message)
      own.withLock { $0.append(told) }
    }
    _ = try await app.sent()
    _ = try await app.sent()
    for told in [own.withLock { $0 }, app.told.withLock { $0 }] {
      #expect(told.map(\.name) == ["Checkout Started"] && told.map(\.code) == [200])
      #expect(told.map(\.message) == ["Successfully send event"])
    }
  }

  @Test func `callbacks hear of what a server refused, and not of what never came to one`()
    async throws
  {
    let app = AmplitudeApp()
    app.script.then(.status(400, #"{"code":400,"error":"E","silenced_events":[0]}"#))
    app.amplitude.track(eventType: "a")
    app.amplitude.track(eventType: "")
    _ = try await app.sent()
    let told = app.told.withLock { $0 }
    #expect(told.map(\.name) == ["a"])
    #expect(told.map(\.code) == [400] && told.map(\.message) == ["E"])
  }

  @Test func `AMP-T7: properties without a value do no harm`() async throws {
    let app = AmplitudeApp()
    let (string, array): (String?, [Int]?) = (nil, nil)
    let untyped: [String: Any] = ["integer": 1, "string": string as Any, "array": array as Any]
    app.amplitude.track(eventType: "a", eventProperties: untyped)
    let event = try await app.event("a")
    #expect(event["event_properties", "integer"] == "1")
    for key in ["string", "array"] {
      #expect([nil, "null"].contains(event["event_properties", key]))
    }
    #expect(app.lines.isEmpty)
  }

  @Test func `AMP-T8: values of every kind come back as they went`() async throws {
    let app = AmplitudeApp()
    let untyped: [String: Any] = [
      "nested": [[["a": ["b": 1]]]], "exact": 9_007_199_254_740_993, "true": true,
      "decimal": Decimal(1_234) / 100, "unsigned": 7 as UInt, "lists": [[1]],
      "date": Date(timeIntervalSince1970: 1_764_581_400.125),
    ]
    var unsupported: [String] = []
    let properties = Properties(converting: untyped, unsupported: &unsupported)
    #expect(unsupported.isEmpty && properties.count == untyped.count)
    app.amplitude.track(eventType: "a", eventProperties: untyped)
    let event = try await app.event("a")
    #expect(
      event["event_properties"]
        == #"{"date":"2025-12-01T09:30:00.125Z","decimal":12.34,"exact":9007199254740993,"#
        + #""lists":[[1]],"nested":[[{"a":{"b":1}}]],"true":true,"unsigned":7}"#
    )
    let body = try #require(app.bodies.first)
    #expect(body.contains(#""exact":9007199254740993"#) && body.contains(#""true":true"#))
    #expect(!body.contains("Non-Encodable"))
    let read = app.told.withLock { $0.first?.properties }
    #expect(read == event["event_properties"])
  }

  @Test func `AMP-T11: a stored event with nothing but a name can be read`() throws {
    let unset = [
      "user_id", "device_id", "time", "insert_id", "event_id", "session_id", "event_properties",
      "user_properties", "groups", "group_properties", "app_version", "version_name", "platform",
      "os_name", "os_version", "device_brand", "device_manufacturer", "device_model", "carrier",
      "country", "region", "city", "dma", "language", "location_lat", "location_lng", "ip", "idfa",
      "idfv", "adid", "price", "quantity", "revenue", "productId", "revenueType", "currency",
      "library", "plan", "ingestion_metadata", "partner_id",
    ]
    let members = unset.map { "\"\($0)\":null" }.joined(separator: ",")
    let text = "{\"event_type\":\"Song Played\",\(members)}"
    let event = try #require(AmplitudeEventReader.read(text.utf8))
    #expect(event.name == "Song Played" && event.properties.isEmpty && event.context.isEmpty)
    #expect(event.userID == nil && event.deviceID == nil && event.sessionID == nil)
    #expect(event.userOperations == nil && event.groupOperations == nil && event.groups.isEmpty)
    #expect(event.id.isEmpty && event.sequence == 0 && event.milliseconds == 0)
  }

  @Test(arguments: ["", "[]", "{}", #"{"event_type":null}"#, #"{"event_type":"a""#, "7"])
  func `bytes that are no event give none`(text: String) {
    #expect(AmplitudeEventReader.read(text.utf8) == nil)
  }

  @Test func `a stored event is read with everything it says`() async throws {
    let app = AmplitudeApp()
    app.client.setUserID("user-12345")
    app.track(
      "a",
      userProperties: ["plan": "free"],
      FootfallCore.EventOptions(
        id: "own",
        deviceID: "device-1",
        sessionID: 1_000,
        groups: ["orgId": ["15"], "sport": ["tennis", "soccer"]],
        context: [.statedAppVersion: "5.0", .latitude: 52.25, .plan: ["branch": "main"]]
      )
    )
    let stored = Lock<[Event?]>([])
    let subscription = app.client.observeResults { _, bytes in
      let event = bytes.flatMap { AmplitudeEventReader.read($0) }
      stored.withLock { $0.append(event) }
    }
    _ = try await app.sent()
    withExtendedLifetime(subscription) {}
    let event = try #require(stored.withLock { $0.first ?? nil })
    #expect(event.id == "own" && event.name == "a" && event.sequence == 1)
    #expect(event.milliseconds == 1_764_581_400_123 && event.sessionID == .number(1_000))
    #expect(event.userID == "user-12345" && event.deviceID == "device-1")
    #expect(event.groups == ["orgId": ["15"], "sport": ["tennis", "soccer"]])
    #expect(event.userOperations?.written == ["plan": "free"])
    #expect(event.context[.statedAppVersion] == "5.0" && event.context[.appVersion] == "4.2.0")
    #expect(event.context[.latitude] == 52.25 && event.context[.plan] == ["branch": "main"])
  }

  @Test func `AMP-T18: the app's version is the bundle's until someone states another`()
    async throws
  {
    let app = AmplitudeApp(appVersion: "1.2")
    app.client.track("first")
    let plugin = TestPlugin(.enrichment) { event in
      var event = event
      event.context[.statedAppVersion] = "4.2.0"
      return event
    }
    app.client.add(plugin)
    app.client.track("second")
    app.client.revenue(FootfallCore.Revenue(price: 1))
    let events = try await app.sent()
    #expect(events.map { $0["app_version"] } == [nil, #""4.2.0""#, #""4.2.0""#])
    #expect(events.first?.text("version_name") == "1.2")
  }

  @Test func `AMP-T21: an event whose process ended is told of by the next one's callback`()
    async throws
  {
    let app = AmplitudeApp()
    let closures = Lock(0)
    app.configuration.offline = true
    app.amplitude.track(
      event: BaseEvent(eventType: "Checkout Started", eventProperties: ["cart": 7])
    ) { _, _, _ in closures.withLock { $0 += 1 } }
    await app.client.settle()
    let next = app.relaunch()
    #expect(try await next.names() == ["Checkout Started"])
    #expect(app.script.requests.isEmpty && closures.withLock { $0 } == 0)
    let told = next.told.withLock { $0 }
    #expect(told.map(\.code) == [200] && told.map(\.name) == ["Checkout Started"])
    #expect(told.map(\.properties) == [#"{"cart":7}"#])
  }

  @Test func `AMP-T22: the callback of all is told once of each event, whatever it is`()
    async throws
  {
    let app = AmplitudeApp(announcesSessions: true)
    for number: Int64 in 1...3 {
      app.amplitude.track(eventType: "e\(number)", eventProperties: ["n": number])
    }
    app.amplitude.identify(identify: Identify().add(property: "logins", value: 1))
    let sent = try await app.sent()
    _ = try await app.sent()
    let told = app.told.withLock { $0 }
    #expect(
      told.map(\.name).sorted() == ["$identify", "e1", "e2", "e3", "session_start"]
    )
    #expect(told.allSatisfy { $0.code == 200 && $0.message == "Successfully send event" })
    #expect(Set(told.compactMap(\.id)) == Set(sent.map { $0.text("insert_id") }))
    #expect(told.first { $0.name == "e2" }?.properties == #"{"n":2}"#)
    let identify = told.first { $0.name == "$identify" }
    #expect(identify?.userProperties == #"{"$add":{"logins":1}}"#)
  }

  @Test func `AMP-T24: a link is told by its text, however it comes`() async throws {
    let app = AmplitudeApp()
    let address = "https://www.example.com/products/42?a=%20b#c"
    let url = try #require(URL(string: address))
    app.client.openedLink(url)
    app.client.openedLink(address)
    var referrers: [String?] = [nil, nil]
    #if canImport(ObjectiveC)
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    activity.referrerURL = URL(string: "https://www.google.com")
    app.client.openedLink(activity)
    referrers.append(#""https://www.google.com""#)
    #endif
    let events = try await app.sent()
    #expect(
      events.map { $0.text("event_type") }
        == Array(repeating: "[Amplitude] Deep Link Opened", count: referrers.count)
    )
    #expect(
      events.allSatisfy { $0["event_properties", "[Amplitude] Link URL"] == "\"\(address)\"" }
    )
    #expect(events.map { $0["event_properties", "[Amplitude] Link Referrer"] } == referrers)
  }

  @Test func `AMP-T26: an event without properties looks the same, however it was made`()
    async throws
  {
    let app = AmplitudeApp()
    app.client.track("Signup Completed")
    app.track("Signup Completed")
    let events = try await app.sent()
    #expect(events.map { $0.text("event_type") } == ["Signup Completed", "Signup Completed"])
    #expect(events[0].keys == events[1].keys)
    #expect(events.allSatisfy { [nil, "{}"].contains($0["event_properties"]) })
  }
}
