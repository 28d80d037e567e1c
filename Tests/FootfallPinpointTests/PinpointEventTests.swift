import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Pinpoint: events` {
  let world = PinpointWorld()

  /// The events recorded by the app itself.
  private var own: [Recorded] { world.events.filter { !$0.type.hasPrefix("_session") } }

  @Test func `AWS-A1: an event has its attributes, metrics, app, library and session`() async throws
  {
    let client = world.client()
    let properties: Properties = [
      "DemoAttribute1": "DemoAttributeValue1", "DemoAttribute2": "DemoAttributeValue2",
      "EventName": 17,
    ]
    client.record("EventName", properties)
    await client.submit()
    #expect(world.transport.requests.count == 1 && own.count == 1)
    let event = try #require(own.first)
    #expect(event.type == "EventName")
    #expect(event.attributes.count == 2 && event.metrics == ["EventName": 17])
    #expect(
      event.keys.isSuperset(of: ["SdkName", "ClientSdkVersion", "AppPackageName", "Session"])
    )
    #expect(event.session["StartTimestamp"] == "2026-11-02T09:30:00.000Z")
    let request = try #require(world.transport.requests.first)
    #expect(
      request.url
        == "https://pinpoint.us-east-1.amazonaws.com/v1/apps/\(PinpointWorld.appID)/events"
    )
  }

  @Test func `AWS-A2: a purchase has its documented attributes and metrics`() async {
    let client = world.client()
    client.record(
      .pinpointPurchase(
        productID: "DEMO_PRODUCT_ID",
        itemPrice: 1,
        quantity: 1,
        currency: "USD"
      )
    )
    await client.submit()
    #expect(own.map(\.type) == ["_monetization.purchase"])
    #expect(
      own.first?.attributes
        == ["_product_id": "DEMO_PRODUCT_ID", "_store": "Virtual", "_currency": "USD"]
    )
    #expect(own.first?.metrics == ["_item_price": 1, "_quantity": 1])
  }

  @Test func `an attribute and a metric may have the same key, and count together`() async {
    let client = world.client()
    var values = PinpointValues()
    for number in 0..<30 { values.attributes["k\(number)"] = "v" }
    for number in 0..<30 { values.metrics["k\(number)"] = .integer(Int64(number)) }
    client.record(EventContent("both", values.properties))
    await client.submit()
    let event = own.first
    #expect(event?.attributes.count == 30 && event?.metrics.count == 10)
    #expect(event?.attributes["k7"] == "v" && event?.metrics["k7"] == 7)
  }

  @Test func `a metric with an attribute's key is a number beside it for every destination`() {
    var values = PinpointValues()
    values.attributes["price"] = "low"
    values.metrics["price"] = 3
    values.metrics["count"] = 2
    #expect(values.properties == ["price": "low", "$metrics.price": 3, "count": 2])
    #expect(PinpointValues(values.properties) == values)
    // As events have it that were stored by an older version.
    #expect(PinpointValues(["price": "low", "$metrics": ["price": 3], "count": 2]) == values)
    #expect(PinpointValues(["$metrics.other": 1]).metrics == ["$metrics.other": 1])
  }

  @Test func `attributes and metrics whose keys look told apart stay what they are`() {
    var values = PinpointValues()
    values.attributes = ["price": "low", "$metrics.price": "odd", "count": "many"]
    values.metrics = [
      "price": 3, "$metrics.price": 4, "$metrics.count": 5, "n": 6, "$metrics.n": 7,
    ]
    #expect(PinpointValues(values.properties) == values)
  }

  @Test func `AWS-A10: over the limit of bytes the oldest goes, the newest stays`() async throws {
    let limit = 5_242_880
    let client = world.client(
      codec: {
        $0.limits.text = .none
        $0.limits.eventBytes = 1_024_000
      },
      settings: { $0.rules.sessions = nil }
    )
    let value = PropertyValue.string(String(repeating: "v", count: 8_000))
    let properties = Properties(pairs: (0..<40).map { ("a\($0)", value) })
    var count = 0
    while client.numbers?.dropped.isEmpty != false, count < 30 {
      client.record(EventName("e\(count)"), properties)
      await client.settle()
      count += 1
    }
    // The one that was too much made the oldest go.
    #expect(client.numbers?.dropped.byReason == [.backlogFull: 1] && client.stored == count - 1)
    client.record(EventName("e\(count)"), properties)
    await client.settle()
    #expect(client.numbers?.dropped.byReason == [.backlogFull: 2])
    let kept = try Outbox(
      folder: "/pinpoint",
      limits: .pinpoint,
      files: world.files.copy(),
      random: { 7 }
    )
    #expect(kept.keptBytes <= limit && kept.keptBytes > limit - 2 * 330_000)
    await client.submit()
    #expect(world.types == (2..<count + 1).map { "e\($0)" })
  }

  @Test(arguments: [
    (PinpointPush.Occasion.opened, "_campaign.opened_notification"),
    (.receivedInFront, "_campaign.received_foreground"),
  ])
  func `AWS-A18: a push of a campaign is an event with what the campaign says`(
    occasion: PinpointPush.Occasion,
    type: String
  ) async throws {
    let client = world.client()
    let campaign: [String: Any] = [
      "campaign_id": "c1", "treatment_id": 0, "campaign_activity_id": "a1",
    ]
    let payload: [AnyHashable: Any] = [
      "aps": ["alert": "Hello"], "data": ["pinpoint": ["campaign": campaign]],
    ]
    let push = try #require(PinpointPush(payload))
    client.record(push.event(occasion, applicationState: "active"))
    await client.submit()
    #expect(own.map(\.type) == [type])
    #expect(
      own.first?.attributes == [
        "campaign_id": "c1", "treatment_id": "0", "campaign_activity_id": "a1",
        "applicationState": "active",
      ]
    )
    #expect(PinpointPush(["aps": ["alert": "Hello"]]) == nil)
  }

  @Test func `AWS-A4: what is said of all events wins, then what is said of a type`() async {
    let client = world.client()
    let both = PinpointGlobals(everywhere: ["k": "g"], byType: ["t": ["k": "t"]])
    client.engine.change(.addPlugin(both))
    client.record("t", ["k": "e"])
    client.engine.change(.removePlugin(both))
    client.engine.change(.addPlugin(PinpointGlobals(byType: ["t": ["k": "t"]])))
    client.record("t", ["k": "e"])
    client.record("u", ["k": "e"])
    await client.submit()
    let values = own.map { $0.attributes["k"] }
    #expect(values == ["g", "t", "e"])
  }

  @Test func `AWS-A5: 40 properties, keys of 50, values of 200, and true is 1`() async throws {
    let client = world.client()
    let many = (10..<55).map { ("a\($0)", PropertyValue.string("v")) }
    client.record("many", Properties(pairs: many))
    let long = String(repeating: "k", count: 60)
    client.record("long", [long: .string(String(repeating: "v", count: 250)), "flag": true])
    await client.submit()
    #expect(own.first { $0.type == "many" }?.attributes.count == 40)
    let event = try #require(own.first { $0.type == "long" })
    #expect(event.attributes.map { [$0.key.count, $0.value.count] } == [[50, 200]])
    #expect(event.metrics == ["flag": 1])
  }

  @Test func `AWS-A6: without a network nothing is lost or counted as tried`() async {
    let client = world.client()
    client.record(10)
    world.transport.then(
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network")),
      .fail(.offline("no network"))
    )
    for _ in 0..<10 {
      let report = await client.submit()
      // The session's start waits with them.
      #expect(report.kept == 11 && report.problem != nil)
    }
    let report = await client.submit()
    #expect(report.delivered == 11 && client.stored == 0)
    #expect(client.requests == 11)
    #expect(client.numbers?.dropped.isEmpty == true)
  }

  @Test func `AWS-A7: 250 events go in requests of 100, 100 and 50, in order of time`() async {
    let client = world.client(settings: {
      $0.rules.sessions = nil
    })
    for index in 0..<250 {
      client.record(EventName("e\(index)"))
      if index % 10 == 9 { world.clock.advance(bySeconds: 1) }
    }
    await client.submit()
    #expect(world.batches.map(\.count) == [100, 100, 50])
    #expect(world.types == (0..<250).map { "e\($0)" })
  }

  @Test func `AWS-A8: an event that fails is dropped at the fourth time, the others go at once`()
    async
  {
    let client = world.client()
    world.judge { $0.type == "e1" ? 500 : 202 }
    client.record(3)
    for attempt in 1...4 {
      await client.submit()
      #expect(client.numbers?.delivered == 3)
      #expect((client.stored > 0) == (attempt < 4))
    }
    #expect(world.types.count { $0 == "e1" } == 4 && world.types.count { $0 == "e2" } == 1)
    #expect(client.numbers?.dropped.byReason == [.triedTooOften: 1])
    await client.submit()
    #expect(client.requests == 4)
  }

  @Test func `AWS-A9: an event that is refused is never sent again`() async {
    let client = world.client()
    world.judge { $0.type == "e1" ? 400 : 202 }
    client.record(3)
    await client.submit()
    #expect(client.stored == 0)
    #expect(client.numbers?.dropped.byReason == [.rejectedByServer: 1])
    await client.submit()
    #expect(client.requests == 1)
  }

  @Test func `AWS-A11: two submissions at once send every event once; an empty one is a success`()
    async
  {
    let client = world.client()
    client.record(3)
    async let first = client.submit()
    async let second = client.submit()
    let reports = await [first, second]
    #expect(reports.allSatisfy { $0.problem == nil && $0.kept == 0 })
    #expect(world.events.count == 4 && Set(world.events.map(\.id)).count == 4)
    let empty = await client.submit()
    #expect(empty == DeliveryReport())
    #expect(client.requests == 1)
  }

  @Test func `AWS A12: what was not settled when the process ended is sent under the same ids`()
    async
  {
    let client = world.client()
    client.record(1)
    world.transport.then(.fail(.other("the process ended")))
    world.transport.then(.fail(.offline("the process ended")))
    await client.settle()
    client.engine.flush { _ in }
    await world.transport.waitForRequests(1)
    client.engine.shutdown(limitSeconds: 0)
    let again = PinpointWorld(files: world.files)
    await again.client().submit()
    let ids = Set(world.batches[0].map(\.id))
    #expect(ids.isSubset(of: Set(again.events.map(\.id))))
  }

  @Test func `AWS-A13: a batch stops before the limit of bytes`() async {
    let client = world.client(
      codec: {
        $0.limits.text = .none
        $0.limits.eventBytes = 1_024_000
      },
      settings: { $0.rules.sessions = nil }
    )
    let value = String(repeating: "v", count: 8_000)
    let pairs = (0..<13).map { ("a\($0)", PropertyValue.string(value)) }
    for _ in 0..<6 { client.record("large", Properties(pairs: Array(pairs.prefix(12)))) }
    await client.submit()
    #expect(world.batches.map(\.count) == [5, 1])
    #expect(world.transport.requests.allSatisfy { $0.body.count <= 524_288 })
  }

  @Test func `AWS-A14: the status decides, whatever the message`() async {
    let client = world.client()
    client.record(1)
    let report = await client.submit()
    // The server's message is always `OK` here.
    #expect(report.delivered == 2 && report.kept == 0)
  }

  @Test func `AWS-A15: before someone signed in nothing is sent, and nothing counts as tried`()
    async throws
  {
    let credentials = Lock<Credentials?>(nil)
    let client = world.client(
      signedBy: { credentials.withLock { $0 } },
      settings: { $0.rules.sessions = nil }
    )
    client.record(3)
    for _ in 0..<5 {
      let report = await client.submit()
      #expect(report.problem != nil && report.kept == 3)
    }
    #expect(world.transport.requests.isEmpty)
    credentials.withLock { $0 = Credentials(accessKeyID: "AKIDEXAMPLE", secretKey: "secret") }
    let report = await client.submit()
    #expect(report == DeliveryReport(delivered: 3))
    let headers = try #require(world.transport.requests.first?.headers)
    #expect(headers.contains { $0.name == "Authorization" && $0.value.contains("mobiletargeting") })
  }

  @Test func `AWS-A17: nothing is sent until the session ends by being left`() async {
    let client = world.client()
    client.record(3)
    for _ in 0..<60 { await world.pass(1_000, client) }
    #expect(client.requests == 0)
    world.lifecycle.announce(.background)
    await world.pass(4_999, client)
    #expect(client.requests == 0 && world.lifecycle.openGrants == 1)
    await world.pass(1, client)
    #expect(client.requests == 1)
    await client.delivered()
    #expect(world.batches.count == 1)
    #expect(world.types == ["_session.start", "e0", "e1", "e2", "_session.pause", "_session.stop"])
    await client.submit()
    #expect(world.lifecycle.openGrants == 0)
  }
}
