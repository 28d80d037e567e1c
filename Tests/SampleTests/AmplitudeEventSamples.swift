import FootfallAmplitude
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// Programs that make the calls of the document's samples about events, each with words of its own.
@Suite(.timeLimit(.minutes(5))) struct `Samples of Amplitude's document: events` {
  let phone = SamplePhone()
  var configuration: Configuration {
    Configuration(apiKey: "KEY", enableAutoCaptureRemoteConfig: false)
  }

  @Test func `AMP-X1: a custom event`() async throws {
    let amplitude = phone.amplitude(configuration)
    amplitude.track(
      eventType: "Lamp Lit",
      eventProperties: ["title": "Desk", "duration_seconds": 185, "genres": ["warm", "dim"]]
    )
    let event = try await phone.event("Lamp Lit", by: amplitude)
    #expect(
      event["event_properties"]
        == #"{"duration_seconds":185,"genres":["warm","dim"],"title":"Desk"}"#
    )
    #expect(String(decoding: phone.uploads[0].body, as: UTF8.self).contains(":185,"))
  }

  @Test func `AMP-X2: an event with fields of its own`() async throws {
    let amplitude = phone.amplitude(configuration)
    let now = Int64(phone.clock.now.timeIntervalSince1970 * 1_000)
    let event = BaseEvent(
      timestamp: now - 60_000,
      insertId: "lamp-1",
      appVersion: "4.2.0",
      eventType: "Lamp Lit",
      eventProperties: ["title": "Desk"]
    )
    amplitude.track(event: event)
    let sent = try await phone.event("Lamp Lit", by: amplitude)
    #expect(sent.text("insert_id") == "lamp-1" && sent.text("app_version") == "4.2.0")
    #expect(sent["time"] == "\(now - 60_000)")
    #expect(sent["event_properties"] == #"{"title":"Desk"}"#)
  }

  @Test func `AMP-X3: options of one event`() async throws {
    let amplitude = phone.amplitude(configuration)
    amplitude.setUserId(userId: "user-1")
    amplitude.track(
      eventType: "Lamp Lent",
      eventProperties: ["to": "a neighbour"],
      options: EventOptions(userId: "user-12345")
    )
    amplitude.track(eventType: "Lamp Lit")
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.names == ["Lamp Lent", "Lamp Lit"])
    #expect(events.map { $0.text("user_id") } == ["user-12345", "user-1"])
    #expect(events[0]["event_properties"] == #"{"to":"a neighbour"}"#)
    #expect(amplitude.getUserId() == "user-1")
  }

  @Test func `AMP-X4: what became of one event`() async throws {
    let amplitude = phone.amplitude(configuration)
    let printed = Lock<[String]>([])
    amplitude.track(event: BaseEvent(eventType: "Lamp Sold")) { event, code, message in
      let line = "\(event.eventType): \(code) \(message)"
      printed.withLock { $0.append(line) }
    }
    _ = try await phone.sent(by: amplitude)
    #expect(printed.withLock { $0 } == ["Lamp Sold: 200 Successfully send event"])
  }

  @Test func `AMP-X5: four operations at once are not held`() async throws {
    let amplitude = phone.amplitude(configuration)
    let identify = Identify()
      .set(property: "plan", value: "warm")
      .setOnce(property: "first_lit_at", value: "2026-10-26")
      .add(property: "lit_count", value: 1)
      .append(property: "rooms", value: "study")
    amplitude.identify(identify: identify)
    // What changes a group overtakes what is held, and nothing else.
    amplitude.groupIdentify(
      groupType: "house",
      groupName: "15",
      identify: Identify().set(property: "rooms", value: 4)
    )
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.names == ["$identify", "$groupidentify"])
    #expect(
      events[0]["user_properties"]
        == #"{"$add":{"lit_count":1},"$append":{"rooms":"study"},"$set":{"plan":"warm"},"#
        + #""$setOnce":{"first_lit_at":"2026-10-26"}}"#
    )
  }

  @Test func `AMP-X6: a dictionary of user properties is held, then sent as one`() async throws {
    let amplitude = phone.amplitude(configuration)
    amplitude.identify(userProperties: ["plan": "warm", "theme": "dark"])
    amplitude.groupIdentify(
      groupType: "house",
      groupName: "15",
      identify: Identify().set(property: "rooms", value: 4)
    )
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.names == ["$groupidentify", "$identify"])
    #expect(events[1]["user_properties"] == #"{"$set":{"plan":"warm","theme":"dark"}}"#)
  }

  @Test func `AMP-X7: two groups of the user`() async throws {
    let amplitude = phone.amplitude(configuration)
    amplitude.setGroup(groupType: "house", groupName: "15")
    amplitude.setGroup(groupType: "club", groupName: ["lamps", "lights"])
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.names == ["$identify", "$identify"])
    #expect(events.map { $0["groups"] } == [#"{"house":"15"}"#, #"{"club":["lamps","lights"]}"#])
    #expect(
      events.map { $0["user_properties"] } == [
        #"{"$set":{"house":"15"}}"#, #"{"$set":{"club":["lamps","lights"]}}"#,
      ]
    )
  }

  @Test func `AMP-X8: a group of one event`() async throws {
    let amplitude = phone.amplitude(configuration)
    amplitude.track(event: BaseEvent(eventType: "Bill Printed", groups: ["house": "15"]))
    amplitude.track(eventType: "Lamp Lit")
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.map { $0["groups"] } == [#"{"house":"15"}"#, nil])
    #expect(events.allSatisfy { $0["user_properties"] == nil })
  }

  @Test func `AMP-X9: properties of a group`() async throws {
    let amplitude = phone.amplitude(configuration)
    let properties = Identify()
      .set(property: "plan", value: "large")
      .set(property: "rooms", value: 250)
    amplitude.groupIdentify(groupType: "house", groupName: "15", identify: properties)
    let events = try await phone.sent(by: amplitude).ordinary
    #expect(events.names == ["$groupidentify"])
    #expect(events[0]["groups"] == #"{"house":"15"}"#)
    #expect(events[0]["group_properties"] == #"{"$set":{"plan":"large","rooms":250}}"#)
    #expect(events[0]["user_properties"] == nil)
  }

  /// What the server makes of it is shown with a real one.
  @Test func `AMP X10: revenue with everything it can say`() async throws {
    let amplitude = phone.amplitude(configuration)
    let revenue = Revenue()
    revenue.productId = "com.example.lamp"
    revenue.price = 3.99
    revenue.quantity = 3
    revenue.revenueType = "purchase"
    revenue.currency = "USD"
    revenue.properties = ["coupon": "AUTUMN"]
    revenue.setReceipt(receipt: "R", receiptSignature: "S")
    amplitude.revenue(revenue: revenue)
    let event = try await phone.event("revenue_amount", by: amplitude)
    #expect(
      event["event_properties"]
        == #"{"$currency":"USD","$price":3.99,"$productId":"com.example.lamp","$quantity":3,"#
        + #""$receipt":"R","$receiptSig":"S","$revenueType":"purchase","coupon":"AUTUMN"}"#
    )
  }

  @Test func `AMP-X11: links that open the app`() async throws {
    let amplitude = phone.amplitude(configuration)
    let url = try #require(URL(string: "https://lamps.example/one"))
    amplitude.track(event: DeepLinkOpenedEvent(url: url))
    amplitude.track(
      event: DeepLinkOpenedEvent(
        url: "https://lamps.example/42",
        referrer: "https://search.example"
      )
    )
    var expected = [
      #"{"[Amplitude] Link URL":"https://lamps.example/one"}"#,
      #"{"[Amplitude] Link Referrer":"https://search.example","#
        + #""[Amplitude] Link URL":"https://lamps.example/42"}"#,
    ]
    #if canImport(ObjectiveC)
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    activity.referrerURL = URL(string: "https://search.example")
    amplitude.track(event: DeepLinkOpenedEvent(activity: activity))
    expected.append(
      #"{"[Amplitude] Link Referrer":"https://search.example","#
        + #""[Amplitude] Link URL":"https://lamps.example/one"}"#
    )
    #endif
    let events = try await phone.sent(by: amplitude).named("[Amplitude] Deep Link Opened")
    #expect(events.map { $0["event_properties"] } == expected)
  }

  @Test func `AMP-X12: two projects`() async throws {
    let phone = SamplePhone(vendorID: nil)
    let one = phone.amplitude(Configuration(apiKey: "ONE", enableAutoCaptureRemoteConfig: false))
    let two = phone.amplitude(
      Configuration(apiKey: "TWO", instanceName: "two", enableAutoCaptureRemoteConfig: false)
    )
    one.track(eventType: "Lamp Bought")
    two.track(eventType: "Lamp Bought")
    _ = try await phone.sent(by: one, two)
    let bodies = phone.uploads.map { String(decoding: $0.body, as: UTF8.self) }
    for key in ["ONE", "TWO"] {
      let own = try phone.uploads.filter {
        String(decoding: $0.body, as: UTF8.self).contains(#""api_key":"\#(key)""#)
      }.flatMap { try JSONFields.list("events", in: $0.body) }
      #expect(own.names == ["session_start", "Lamp Bought"])
    }
    #expect(bodies.count == 2)
    #expect(one.getDeviceId() != two.getDeviceId())
    one.setSessionId(timestamp: 1_000)
    await phone.settle(one)
    #expect(one.getSessionId() == 1_000 && two.getSessionId() != 1_000)
  }
}
