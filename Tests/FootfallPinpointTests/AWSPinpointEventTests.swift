import Footfall
import FootfallAWS
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `AWSPinpoint: events` {
  let world = PinpointWorld()

  @Test func `AWS-A1: an event has its attributes, metrics, app, library and session`() async throws
  {
    let pinpoint = world.pinpoint()
    let client = pinpoint.analyticsClient
    let event = client.createEvent(withEventType: "EventName")
    event.addAttribute("DemoAttributeValue1", forKey: "DemoAttribute1")
    event.addAttribute("DemoAttributeValue2", forKey: "DemoAttribute2")
    event.addMetric(NSNumber(value: UInt32(17)), forKey: "EventName")
    client.record(event)
    #expect(await pinpoint.submit() == nil)
    #expect(world.transport.requests.count == 1 && world.own.count == 1)
    let sent = try #require(world.own.first)
    #expect(sent.type == "EventName" && sent.attributes.count == 2)
    #expect(sent.metrics == ["EventName": 17])
    #expect(
      sent.keys.isSuperset(of: ["SdkName", "ClientSdkVersion", "AppPackageName", "Session"])
    )
    let request = try #require(world.transport.requests.first)
    let place = "https://pinpoint.us-east-1.amazonaws.com/v1/apps/\(PinpointWorld.appID)/events"
    #expect(request.url == place)
    let authorization = request.headers.first { $0.name == "Authorization" }?.value ?? ""
    #expect(authorization.contains("/us-east-1/mobiletargeting/aws4_request"))
  }

  @Test func `AWS-A2: a purchase has its documented attributes and metrics`() async {
    let pinpoint = world.pinpoint()
    pinpoint.analyticsClient.record(
      pinpoint.analyticsClient.createVirtualMonetizationEvent(
        withProductId: "DEMO_PRODUCT_ID",
        withItemPrice: 1.00,
        withQuantity: 1,
        withCurrency: "USD"
      )
    )
    await pinpoint.submit()
    #expect(world.own.map(\.type) == ["_monetization.purchase"])
    #expect(
      world.own.first?.attributes
        == ["_product_id": "DEMO_PRODUCT_ID", "_store": "Virtual", "_currency": "USD"]
    )
    #expect(world.own.first?.metrics == ["_item_price": 1, "_quantity": 1])
  }

  @Test(arguments: [
    ("AWS-A3", "_userauth.sign_in"), ("AWS-A16", "_userauth.sign_up"),
    ("AWS-A16", "_userauth.auth_fail"),
  ])
  func `authentication is an event of a standard type`(scenario: String, type: String) async {
    let pinpoint = world.pinpoint()
    pinpoint.analyticsClient.record(pinpoint.analyticsClient.createEventWithEventType(type))
    #expect(await pinpoint.submit() == nil)
    #expect(world.own.map(\.type) == [type] && pinpoint.stored == 0)
  }

  @Test func `AWS-A4: what is said of all events wins, then what is said of a type`() async {
    let pinpoint = world.pinpoint()
    let client = pinpoint.analyticsClient
    func record(_ type: String) {
      let event = client.createEvent(withEventType: type)
      event.addAttribute("e", forKey: "k")
      event.addMetric(1, forKey: "n")
      client.record(event)
    }
    client.addGlobalAttribute("g", forKey: "k")
    client.addGlobalAttribute("t", forKey: "k", forEventType: "t")
    client.addGlobalMetric(2, forKey: "n")
    client.addGlobalMetric(3, forKey: "n", forEventType: "t")
    record("t")
    client.removeGlobalAttribute(forKey: "k")
    client.removeGlobalMetric(forKey: "n")
    record("t")
    record("u")
    client.removeGlobalAttribute(forKey: "k", forEventType: "t")
    client.removeGlobalMetric(forKey: "n", forEventType: "t")
    record("t")
    await pinpoint.submit()
    #expect(world.own.map { $0.attributes["k"] } == ["g", "t", "e", "e"])
    #expect(world.own.map { $0.metrics["n"] } == [2, 3, 1, 1])
  }

  @Test func `an attribute and a metric may have the same key, globals too`() async {
    let pinpoint = world.pinpoint()
    let event = pinpoint.analyticsClient.createEvent(withEventType: "both")
    event.addAttribute("v", forKey: "k")
    event.addMetric(7, forKey: "k")
    pinpoint.analyticsClient.addGlobalMetric(8, forKey: "g")
    pinpoint.analyticsClient.addGlobalAttribute("w", forKey: "g")
    pinpoint.analyticsClient.record(event)
    await pinpoint.submit()
    #expect(world.own.first?.attributes == ["k": "v", "g": "w"])
    #expect(world.own.first?.metrics == ["k": 7, "g": 8])
  }

  @Test func `AWS-A5: 40 properties, keys of 50, values of 200, and true is 1`() async throws {
    let pinpoint = world.pinpoint()
    let client = pinpoint.analyticsClient
    let many = client.createEvent(withEventType: "many")
    for number in 10..<55 { many.addAttribute("v", forKey: "a\(number)") }
    client.record(many)
    let long = client.createEvent(withEventType: "long")
    long.addAttribute(
      String(repeating: "v", count: 250),
      forKey: String(repeating: "k", count: 60)
    )
    long.addMetric(NSNumber(value: true), forKey: "flag")
    long.addMetric(NSNumber(value: Double.nan), forKey: "none")
    client.record(long)
    await pinpoint.submit()
    #expect(world.own.first { $0.type == "many" }?.attributes.count == 40)
    let event = try #require(world.own.first { $0.type == "long" })
    #expect(event.attributes.map { [$0.key.count, $0.value.count] } == [[50, 200]])
    #expect(event.metrics == ["flag": 1])
  }

  @Test func `AWS-A6: without a network nothing is lost or counted as tried`() async {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    pinpoint.record(10)
    for _ in 0..<10 {
      world.transport.then(.fail(.offline("no network")))
      let error = await pinpoint.submit()
      #expect(error?.domain == NSURLErrorDomain && error?.code == NSURLErrorNotConnectedToInternet)
      #expect(pinpoint.stored == 10)
    }
    #expect(await pinpoint.submit() == nil)
    #expect(pinpoint.stored == 0 && pinpoint.losses.isEmpty)
    #expect(world.batches.last?.map(\.type) == (0..<10).map { "e\($0)" })
  }

  @Test func `AWS-A7: 250 events go in requests of 100, 100 and 50, in order of time`() async {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    for number in 0..<250 {
      pinpoint.record(["e\(number)"])
      if number % 10 == 9 { world.clock.advance(bySeconds: 1) }
    }
    await pinpoint.submit()
    #expect(world.batches.map(\.count) == [100, 100, 50])
    #expect(world.types == (0..<250).map { "e\($0)" })
  }

  @Test func `AWS-A8: an event that fails is dropped at the fourth time, the others go at once`()
    async
  {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    world.judge { $0.type == "e1" ? 500 : 202 }
    pinpoint.record(3)
    for attempt in 1...4 {
      await pinpoint.submit()
      #expect((pinpoint.stored > 0) == (attempt < 4))
    }
    #expect(world.types.count { $0 == "e1" } == 4 && world.types.count { $0 == "e2" } == 1)
    #expect(pinpoint.losses.byReason == [.triedTooOften: 1])
  }

  @Test func `AWS-A9: an event that is refused is never sent again`() async {
    let pinpoint = world.pinpoint()
    world.judge { $0.type == "e1" ? 400 : 202 }
    pinpoint.record(3)
    await pinpoint.submit()
    await pinpoint.submit()
    #expect(world.transport.requests.count == 1 && pinpoint.stored == 0)
    #expect(pinpoint.losses.byReason == [.rejectedByServer: 1])
  }

  @Test func `AWS-A10: over the limit of bytes the oldest goes, the newest stays`() async throws {
    let limit: UInt = 5_242_880
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    let recorder = pinpoint.analyticsClient.eventRecorder
    #expect(recorder.diskByteLimit == limit)
    // Some 10 KB each: 40 attributes of 50 and 200 characters.
    var count = 0
    while pinpoint.losses.isEmpty, count < 1_000 {
      for _ in 0..<50 {
        let event = pinpoint.analyticsClient.createEvent(withEventType: "e\(count)")
        for number in 10..<50 {
          event.addAttribute(
            String(repeating: "v", count: 200),
            forKey: "\(number)" + String(repeating: "k", count: 48)
          )
        }
        pinpoint.analyticsClient.record(event)
        count += 1
      }
      await pinpoint.footfall.settle()
    }
    #expect(recorder.diskBytesUsed <= limit && recorder.diskBytesUsed > limit - 600_000)
    let lost = pinpoint.losses[.backlogFull]
    #expect(lost > 0 && pinpoint.stored == count - lost)
    await pinpoint.submit()
    #expect(world.types == (lost..<count).map { "e\($0)" })
    #expect(recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-A11: two submissions at once send every event once; an empty one is a success`()
    async
  {
    let pinpoint = world.pinpoint()
    pinpoint.record(3)
    let tasks = [
      pinpoint.analyticsClient.submitEvents(), pinpoint.analyticsClient.submitEvents(),
    ]
    for task in tasks { #expect(await task.ended() == nil) }
    #expect(world.events.count == 4 && Set(world.events.map(\.id)).count == 4)
    #expect(await pinpoint.submit() == nil)
    #expect(world.transport.requests.count == 1)
    #expect(!pinpoint.analyticsClient.eventRecorder.submissionInProgress)
  }

  // That the server counts it once is shown where a server is.
  @Test func `AWS A12: what was not settled when the process ended is sent under the same ids`()
    async
  {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    pinpoint.record(2)
    world.transport.then(.hold(.failed(.cancelled)))
    let submission = pinpoint.analyticsClient.submitEvents()
    await world.transport.waitForRequests(1)
    let again = world.nextProcess()
    await again.pinpoint { $0.enableAutoSessionRecording = false }.submit()
    #expect(again.events.map(\.id) == world.batches[0].map(\.id) && again.events.count == 2)
    world.transport.release()
    await submission.ended()
  }

  @Test func `AWS-A13: a batch stops before the limit of bytes`() async {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    #expect(pinpoint.analyticsClient.eventRecorder.batchRecordsByteLimit == 524_288)
    // 62 events of 8.6 KB are over 512 KiB, 60 are not.
    for number in 0..<62 {
      let event = pinpoint.analyticsClient.createEvent(withEventType: "e\(number)")
      for number in 10..<50 {
        event.addAttribute(String(repeating: "v", count: 200), forKey: "key\(number)")
      }
      pinpoint.analyticsClient.record(event)
    }
    await pinpoint.submit()
    #expect(world.batches.count >= 1 && world.types.count == 62)
    #expect(world.transport.requests.allSatisfy { $0.body.count <= 524_288 + 4_096 })
    #expect(world.batches.count == 2)
  }

  @Test func `AWS-A14: the status decides, whatever the message`() async {
    let pinpoint = world.pinpoint()
    pinpoint.record(1)
    // The server's message is always `OK` here.
    #expect(await pinpoint.submit() == nil)
    #expect(pinpoint.stored == 0)
  }

  @Test func `AWS-A15: before someone signed in nothing is sent, and nothing counts as tried`()
    async
  {
    let provider = SignInLater()
    let pinpoint = world.pinpoint(credentials: provider) { $0.enableAutoSessionRecording = false }
    pinpoint.record(3)
    for _ in 0..<5 {
      let error = await pinpoint.submit()
      #expect(error?.domain == AWSServiceErrorDomain)
      #expect(pinpoint.stored == 3)
    }
    #expect(world.transport.requests.isEmpty)
    provider.signIn()
    #expect(await pinpoint.submit() == nil)
    #expect(world.own.count == 3 && pinpoint.losses.isEmpty)
  }

  @Test func `AWS-A17: nothing is sent until the session ends by being left`() async {
    let pinpoint = world.pinpoint()
    pinpoint.record(3)
    for _ in 0..<60 { await world.pass(1_000, pinpoint) }
    #expect(world.transport.requests.isEmpty)
    world.lifecycle.announce(.background)
    await world.pass(4_999, pinpoint)
    #expect(world.transport.requests.isEmpty)
    await world.pass(1, pinpoint)
    await pinpoint.delivered()
    #expect(world.batches.count == 1)
    #expect(world.types == ["_session.start", "e0", "e1", "e2", "_session.pause", "_session.stop"])
  }

  @Test func `AWS-A18: a campaign's push is told as opened or as received`() async {
    let campaign: [String: Any] = [
      "campaign_id": "c1", "treatment_id": 0, "campaign_activity_id": "a1",
    ]
    let payload: [AnyHashable: Any] = [
      "aps": ["alert": "Hello"], "data": ["pinpoint": ["campaign": campaign]],
    ]
    let options: [AnyHashable: Any] = ["UIApplicationLaunchOptionsRemoteNotificationKey": payload]
    let configuration = AWSPinpointConfiguration(
      appId: PinpointWorld.appID,
      launchOptions: options
    )
    configuration.serviceConfiguration = AWSServiceConfiguration(
      region: .USEast1,
      credentialsProvider: PinpointWorld.key
    )
    let pinpoint = AWSPinpoint(configuration, among: world.process())
    await pinpoint.footfall.settle()
    pinpoint.notificationManager.interceptDidReceiveRemoteNotification(payload)
    await pinpoint.submit()
    let types = ["_campaign.opened_notification", "_campaign.received_foreground"]
    #expect(world.own.map(\.type) == types)
    for (event, state) in zip(world.own, ["inactive", "active"]) {
      #expect(
        event.attributes == [
          "campaign_id": "c1", "treatment_id": "0", "campaign_activity_id": "a1",
          "applicationState": state,
        ]
      )
    }
  }

  @Test func `AWS-A19: both spellings of making an event make the same`() async throws {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    let client = pinpoint.analyticsClient
    for event in [client.createEvent(withEventType: "t"), client.createEventWithEventType("t")] {
      event.addAttribute("v", forKey: "a")
      event.addMetric(2, forKey: "m")
      client.record(event)
    }
    await pinpoint.submit()
    try #require(world.own.count == 2)
    #expect(world.own[0].keys == world.own[1].keys)
    #expect(world.own[0].attributes == world.own[1].attributes)
    #expect(world.own[0].metrics == world.own[1].metrics && world.own[0].id != world.own[1].id)
  }

  @Test func `an event can be looked at before it is recorded, and while it is kept`() async throws
  {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    let event = pinpoint.analyticsClient.createEvent(withEventType: "t")
    event.addAttribute("v", forKey: "a")
    event.addMetric(2.5, forKey: "m")
    #expect(event.attribute(forKey: "a") == "v" && event.metric(forKey: "m") == 2.5)
    #expect(event.hasAttribute(forKey: "a") && !event.hasMetric(forKey: "a"))
    #expect(event.allAttributes() == ["a": "v"] && event.allMetrics() == ["m": 2.5])
    #expect(event.eventTimestamp == 1_793_611_800_000)
    let dictionary = event.toDictionary()
    #expect(dictionary["event_type"] as? String == "t")
    #expect((dictionary["timestamp"] as? NSNumber)?.uint64Value == 1_793_611_800_000)
    pinpoint.analyticsClient.record(event)
    let recorder = pinpoint.analyticsClient.eventRecorder
    let task = recorder.getEvents()
    await task.ended()
    let kept = try #require(task.result as? NSArray)
    let first = try #require(kept.firstObject as? AWSPinpointEvent)
    #expect(kept.count == 1 && first.eventType == "t" && first.attribute(forKey: "a") == "v")
    #expect(first.eventTimestamp == 1_793_611_800_000)
    await recorder.removeAllEvents().ended()
    await pinpoint.submit()
    #expect(world.transport.requests.isEmpty && pinpoint.losses.byReason == [.removed: 1])
  }

  @Test func `passing the threshold of bytes is told once`() async {
    let pinpoint = world.pinpoint { $0.enableAutoSessionRecording = false }
    let recorder = pinpoint.analyticsClient.eventRecorder
    let told = AWSTaskCompletionSource<NSNumber>()
    let count = Lock(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .AWSPinpointEventByteThresholdReached,
      object: recorder,
      queue: nil
    ) { note in
      count.withLock { $0 += 1 }
      told.trySet(result: note.userInfo?["diskBytesUsed"] as? NSNumber)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    recorder.notificationByteThreshold = 1_000
    pinpoint.record(20)
    await told.task.ended()
    #expect((told.task.result?.intValue ?? 0) > 1_000)
    pinpoint.record(20)
    await pinpoint.submit()
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `events that are switched off are not recorded, and the task says so`() async {
    let pinpoint = world.pinpoint { $0.enableEvents = false }
    let event = pinpoint.analyticsClient.createEvent(withEventType: "t")
    #expect(await pinpoint.analyticsClient.record(event).ended() != nil)
    #expect(await pinpoint.submit() != nil)
    #expect(world.transport.requests.isEmpty)
  }

  @Test func `every event goes to a second server as well, unsigned and as its own`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:4001"))
    let pinpoint = world.pinpoint {
      $0.enableAutoSessionRecording = false
      $0.destinations = [.init(name: "new", key: "ff_pub_x", endpoint: url)]
    }
    let event = pinpoint.analyticsClient.createEvent(withEventType: "t")
    event.addAttribute("v", forKey: "a")
    event.addMetric(2, forKey: "m")
    pinpoint.analyticsClient.record(event)
    await pinpoint.submit()
    let sent = world.transport.requests.first { $0.url == "http://127.0.0.1:4001/v1/events" }
    let request = try #require(sent)
    #expect(!request.headers.contains { $0.name == "X-Amz-Date" })
    let text = String(decoding: request.body, as: UTF8.self)
    #expect(text.contains(#""name":"t""#))
    #expect(text.contains(#""a":"v""#) && text.contains(#""m":2"#))
  }
}

/// Has a key only once someone signed in.
private final class SignInLater: NSObject, AWSCredentialsProvider, Sendable {
  private let isIn = Lock(false)

  func signIn() { isIn.withLock { $0 = true } }

  func credentials() -> AWSTask<AWSCredentials> {
    guard isIn.withLock({ $0 }) else { return AWSTask(error: CocoaError(.fileNoSuchFile)) }
    return AWSTask(
      result: AWSCredentials(accessKey: "A", secretKey: "S", sessionKey: nil, expiration: nil)
    )
  }

  func invalidateCachedTemporaryCredentials() {}
}
