import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// Events by the names of Amplitude's SDK.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude's names: events` {
  let app = AmplitudeApp()

  @Test func `AMP-T3, AMP-T20: options are of their event alone`() async throws {
    app.amplitude.setUserId(userId: "user-1")
    app.amplitude.setDeviceId(deviceId: "device-1")
    app.amplitude.track(
      eventType: "a",
      options: EventOptions(userId: "user-2", deviceId: "device-2")
    )
    app.amplitude.track(eventType: "b")
    let events = try await app.sent()
    #expect(events.map { $0.text("user_id") } == ["user-2", "user-1"])
    #expect(events.map { $0.text("device_id") } == ["device-2", "device-1"])
    #expect(app.amplitude.getUserId() == "user-1" && app.amplitude.getDeviceId() == "device-1")
  }

  @Test func `AMP-T4: of event and options the options win, and what only one says stays`()
    async throws
  {
    let event = BaseEvent(userId: "a1234", deviceId: "device-of-event", eventType: "a")
    event.mergeEventOptions(eventOptions: EventOptions(userId: "b1234"))
    #expect(event.userId == "b1234" && event.deviceId == "device-of-event")
    app.amplitude.track(event: event, options: EventOptions(userId: "c1234"))
    let sent = try await app.event("a")
    #expect(sent.text("user_id") == "c1234" && sent.text("device_id") == "device-of-event")
    #expect(event.userId == "b1234")
  }

  @Test func `AMP-T15: what is changed after the call does not count`() async throws {
    let event = BaseEvent(eventType: "a", eventProperties: ["n": 1])
    app.amplitude.track(event: event)
    event.eventProperties = ["n": 2]
    event.eventType = "b"
    #expect(try await app.event("a")["event_properties"] == #"{"n":1}"#)
  }

  @Test func `AMP-T19: an event with everything it can say`() async throws {
    let event = BaseEvent(
      userId: "user-1",
      deviceId: "device-1",
      timestamp: 1_764_581_300_000,
      eventId: 77,
      sessionId: 1_764_581_200_000,
      insertId: "insert-1",
      locationLat: 52.25,
      locationLng: -1.5,
      appVersion: "5.0",
      versionName: "5.0.1",
      platform: "Kiosk",
      osName: "kiosk",
      osVersion: "1",
      deviceBrand: "Brand",
      deviceManufacturer: "Maker",
      deviceModel: "Model",
      carrier: "Carrier",
      country: "SE",
      region: "Skane",
      city: "Lund",
      dma: "DMA",
      idfa: "IDFA",
      idfv: "IDFV",
      adid: "ADID",
      language: "sv",
      library: "own/1",
      ip: "203.0.113.7",
      plan: Plan(branch: "main", source: "ios", version: "2", versionId: "v2"),
      ingestionMetadata: IngestionMetadata(sourceName: "source", sourceVersion: "3"),
      revenue: 12.5,
      price: 6.25,
      quantity: 2,
      productId: "product",
      revenueType: "type",
      currency: "SEK",
      extra: ["secret": 1],
      callback: { _, _, _ in },
      partnerId: "partner",
      eventType: "a",
      eventProperties: ["p": 1],
      userProperties: ["plan": "free"],
      groups: ["orgId": "15", "sport": ["tennis", "soccer"]],
      groupProperties: ["g": true]
    )
    app.amplitude.track(event: event)
    let sent = try await app.event("a")
    let texts = [
      "user_id": "user-1", "device_id": "device-1", "insert_id": "insert-1",
      "app_version": "5.0", "version_name": "5.0.1", "platform": "Kiosk", "os_name": "kiosk",
      "os_version": "1", "device_brand": "Brand", "device_manufacturer": "Maker",
      "device_model": "Model", "carrier": "Carrier", "country": "SE", "region": "Skane",
      "city": "Lund", "dma": "DMA", "idfa": "IDFA", "idfv": "IDFV", "adid": "ADID",
      "language": "sv", "library": "own/1", "ip": "203.0.113.7", "productId": "product",
      "revenueType": "type", "currency": "SEK", "partner_id": "partner",
    ]
    for (key, value) in texts { #expect(sent.text(key) == value, "\(key)") }
    let values = [
      "time": "1764581300000", "event_id": "77", "session_id": "1764581200000",
      "location_lat": "52.25", "location_lng": "-1.5", "revenue": "12.5", "price": "6.25",
      "quantity": "2", "event_properties": #"{"p":1}"#,
      "user_properties": #"{"plan":"free"}"#, "group_properties": #"{"g":true}"#,
      "groups": #"{"orgId":"15","sport":["tennis","soccer"]}"#,
      "plan": #"{"branch":"main","source":"ios","version":"2","versionId":"v2"}"#,
      "ingestion_metadata": #"{"source_name":"source","source_version":"3"}"#,
    ]
    for (key, value) in values { #expect(sent[key] == value, "\(key)") }
    #expect(!sent.keys.contains("extra") && !sent.keys.contains("callback"))
    #expect(!app.bodies.contains { $0.contains("secret") })
  }

  @Test func `AMP-T26: by name or by hand, without properties it is the same event`() async throws {
    app.amplitude.track(eventType: "Signup Completed")
    app.amplitude.track(event: BaseEvent(eventType: "Signup Completed"))
    let events = try await app.sent()
    #expect(events.map { $0.text("event_type") } == ["Signup Completed", "Signup Completed"])
    #expect(events[0].keys == events[1].keys)
    #expect(events.allSatisfy { [nil, "{}"].contains($0["event_properties"]) })
  }

  @Test func `what the configuration says of every event`() async throws {
    let app = AmplitudeApp {
      $0.partnerId = "partner"
      $0.plan = Plan(branch: "main")
      $0.ingestionMetadata = IngestionMetadata(sourceName: "source")
    }
    app.amplitude.track(eventType: "a")
    app.amplitude.track(eventType: "b", options: EventOptions(partnerId: "other"))
    let events = try await app.sent()
    #expect(events.map { $0.text("partner_id") } == ["partner", "other"])
    #expect(events.allSatisfy { $0["plan"] == #"{"branch":"main"}"# })
    #expect(events.allSatisfy { $0["ingestion_metadata"] == #"{"source_name":"source"}"# })
  }

  @Test func `AMP-I1, AMP-I5, AMP-I12, AMP-I14: each operation with the payload as given`()
    async throws
  {
    let large: Int64 = 9_007_199_254_740_993
    let identify = Identify()
      .set(property: "set", value: "a").setOnce(property: "once", value: ["x": [1, 2]])
      .add(property: "one", value: 1).add(property: "large", value: large)
      .add(property: "half", value: Float(0.5)).add(property: "less", value: -2.5)
      .append(property: "append", value: "a").append(property: "appends", value: ["a", 1])
      .prepend(property: "prepend", value: "a").prepend(property: "prepends", value: ["a", "b"])
      .postInsert(property: "post", value: 1).postInsert(property: "posts", value: [1, 2])
      .preInsert(property: "pre", value: true).preInsert(property: "pres", value: [true])
      .remove(property: "remove", value: 1.5).remove(property: "removes", value: [1.5])
      .unset(property: "unset")
    app.amplitude.identify(identify: identify)
    let event = try await app.event("$identify")
    #expect(event["user_properties", "$set"] == #"{"set":"a"}"#)
    #expect(event["user_properties", "$setOnce"] == #"{"once":{"x":[1,2]}}"#)
    #expect(
      event["user_properties", "$add"]
        == #"{"half":0.5,"large":9007199254740993,"less":-2.5,"one":1}"#
    )
    #expect(app.bodies[0].contains("9007199254740993"))
    #expect(event["user_properties", "$append"] == #"{"append":"a","appends":["a",1]}"#)
    #expect(event["user_properties", "$prepend"] == #"{"prepend":"a","prepends":["a","b"]}"#)
    #expect(event["user_properties", "$postInsert"] == #"{"post":1,"posts":[1,2]}"#)
    #expect(event["user_properties", "$preInsert"] == #"{"pre":true,"pres":[true]}"#)
    #expect(event["user_properties", "$remove"] == #"{"remove":1.5,"removes":[1.5]}"#)
    #expect(event["user_properties", "$unset"] == #"{"unset":"-"}"#)
    #expect(app.lines.isEmpty)
  }

  @Test func `AMP-P8: an identity that is assigned is told in its order`() async throws {
    let plugin = ToldPlugin()
    app.amplitude.add(plugin: plugin)
    await app.settle()
    app.amplitude.identity = Identity(
      userId: "user-2",
      deviceId: "device-2",
      userProperties: ["plan": "pro"]
    )
    #expect(app.amplitude.identity.userId == "user-2")
    #expect(app.amplitude.identity.userProperties["plan"] as? String == "pro")
    let event = try await app.event("$identify")
    #expect(event["user_properties"] == #"{"$set":{"plan":"pro"}}"#)
    #expect(plugin.told.withLock { $0 } == ["user user-2", "device device-2", "identity user-2"])
  }

  /// Hears of changes, in order.
  private final class ToldPlugin: FootfallAmplitude.Plugin {
    let type = PluginType.observe
    let told = Lock<[String]>([])
    private func add(_ line: String) { told.withLock { $0.append(line) } }
    func onUserIdChanged(_ userId: String?) { add("user \(userId ?? "-")") }
    func onDeviceIdChanged(_ deviceId: String?) { add("device \(deviceId ?? "-")") }
    func onIdentityChanged(_ identity: any AnalyticsIdentity) {
      add("identity \(identity.userId ?? "-")")
    }
  }

  @Test func `AMP-P22: the device is known as soon as there is a client, and in the next run`()
    async throws
  {
    let device = app.amplitude.getDeviceId()
    #expect(device != nil && device == app.amplitude.identity.deviceId)
    await app.settle()
    let next = app.relaunch()
    #expect(next.amplitude.getDeviceId() == device)
  }

  @Test func `AMP-S31: no session, then that of the first event`() async throws {
    let app = AmplitudeApp(announcesSessions: true, phase: .background)
    #expect(app.amplitude.getSessionId() == -1)
    app.amplitude.track(eventType: "a")
    let event = try await app.event("a")
    #expect(event["session_id"] == "\(app.amplitude.getSessionId())")
    #expect(app.amplitude.getSessionId() == app.amplitude.sessionId)
  }
}
