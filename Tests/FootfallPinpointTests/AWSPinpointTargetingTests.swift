import Footfall
import FootfallAWS
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `AWSPinpoint: targeting` {
  let world = PinpointWorld()

  private func lists(_ endpoint: [String: Any]?) -> [String: [String]] {
    endpoint?["Attributes"] as? [String: [String]] ?? [:]
  }

  @Test func `AWS-T1: an attribute's values are in the update`() async {
    let pinpoint = world.pinpoint()
    let client = pinpoint.targetingClient
    client.addAttribute(["science", "politics", "travel"], forKey: "interests")
    #expect(await client.updateEndpointProfile().ended() == nil)
    let id = client.currentEndpointProfile().endpointId
    #expect(world.updates.requests.last?.url.hasSuffix("/endpoints/\(id)") == true)
    #expect(lists(world.updated.last)["interests"] == ["science", "politics", "travel"])
  }

  // What the server makes of it is shown where one is.
  @Test func `AWS T2: a user that is assigned is in the update`() async {
    let pinpoint = world.pinpoint()
    let endpoint = pinpoint.targetingClient.currentEndpointProfile()
    let user = AWSPinpointEndpointProfileUser()
    user.userId = "UserIdValue"
    user.addUserAttribute(["pro"], forKey: "plan")
    endpoint.user = user
    #expect(await pinpoint.targetingClient.update(endpoint).ended() == nil)
    let sent = world.updated.last?["User"] as? [String: Any]
    #expect(sent?["UserId"] as? String == "UserIdValue")
    #expect(sent?["UserAttributes"] as? [String: [String]] == ["plan": ["pro"]])
    let current = pinpoint.targetingClient.currentEndpointProfile()
    #expect(current.user?.userId == "UserIdValue")
    #expect(current.user?.userAttribute(forKey: "plan") == ["pro"])
  }

  @Test func `AWS-T3: without a token neither address, channel nor opt-out is sent`() async throws {
    let pinpoint = world.pinpoint()
    #expect(await pinpoint.targetingClient.updateEndpointProfile().ended() == nil)
    let sent = try #require(world.updated.last)
    #expect(sent["Address"] == nil && sent["ChannelType"] == nil && sent["OptOut"] == nil)
    #expect(sent["Demographic"] != nil && sent["EffectiveDate"] != nil && sent["User"] == nil)
  }

  @Test func `a token is sent as digits, on the channel of the build`() async {
    for (isDebug, channel) in [(false, "APNS"), (true, "APNS_SANDBOX")] {
      let world = PinpointWorld()
      let pinpoint = world.pinpoint { $0.debug = isDebug }
      pinpoint.notificationManager.interceptDidRegisterForRemoteNotifications(
        withDeviceToken: Data([0x0a, 0xff, 0x10])
      )
      await pinpoint.targetingClient.updateEndpointProfile().ended()
      #expect(world.updated.last?["Address"] as? String == "0aff10")
      #expect(world.updated.last?["ChannelType"] as? String == channel)
    }
  }

  @Test func `AWS-T4: an opt-out that the app set outlives a relaunch`() async {
    let pinpoint = world.pinpoint()
    let profile = pinpoint.targetingClient.currentEndpointProfile()
    #expect(profile.optOut == nil)
    profile.optOut = "NONE"
    await pinpoint.targetingClient.update(profile).ended()
    #expect(world.updated.last?["OptOut"] as? String == "NONE")
    let again = world.nextProcess()
    let next = again.pinpoint { $0.isApplicationLevelOptOut = { true } }
    #expect(next.targetingClient.currentEndpointProfile().optOut == "NONE")
    let fresh = PinpointWorld().pinpoint { $0.isApplicationLevelOptOut = { true } }
    #expect(fresh.targetingClient.currentEndpointProfile().optOut == "ALL")
  }

  @Test func `AWS-T5: id and attributes outlive a relaunch; another application has none`() async {
    let pinpoint = world.pinpoint()
    pinpoint.targetingClient.addAttribute(["a"], forKey: "k")
    pinpoint.targetingClient.addMetric(3, forKey: "n")
    let id = pinpoint.targetingClient.currentEndpointProfile().endpointId
    await pinpoint.footfall.settle()
    pinpoint.targetingClient.settle()
    let again = world.nextProcess()
    let profile = again.pinpoint().targetingClient.currentEndpointProfile()
    #expect(profile.endpointId == id && !id.isEmpty)
    #expect(profile.attribute(forKey: "k") as? [String] == ["a"])
    #expect(profile.metric(forKey: "n") == 3)
    let other = again.pinpoint(appID: "ffffffffffffffffffffffffffffffff")
    #expect(other.targetingClient.currentEndpointProfile().allAttributes().isEmpty)
  }

  // That the server drops the key is shown where one is.
  @Test func `AWS T6: a removed attribute is an empty list, once`() async {
    let pinpoint = world.pinpoint()
    let client = pinpoint.targetingClient
    client.addAttribute(["a"], forKey: "k")
    await client.updateEndpointProfile().ended()
    client.removeAttribute(forKey: "k")
    await client.updateEndpointProfile().ended()
    #expect(lists(world.updated.last)["k"] == [])
    await client.updateEndpointProfile().ended()
    #expect(lists(world.updated.last)["k"] == nil)
    #expect(client.currentEndpointProfile().hasAttribute(forKey: "k") == false)
  }

  @Test func `AWS-T7: of 55 values the first 50 are sent`() async {
    let pinpoint = world.pinpoint()
    pinpoint.targetingClient.addAttribute((0..<55).map { "v\($0)" }, forKey: "k")
    await pinpoint.targetingClient.updateEndpointProfile().ended()
    #expect(lists(world.updated.last)["k"] == (0..<50).map { "v\($0)" })
  }

  // That get_endpoint returns them is shown where a server is.
  @Test func `AWS T8: what was not sent by itself goes with the next events`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    await pinpoint.updated()
    pinpoint.targetingClient.addAttribute(["a"], forKey: "k")
    pinpoint.targetingClient.addMetric(2, forKey: "n")
    pinpoint.record(1)
    await pinpoint.submit()
    let endpoint = world.transport.requests.last.map { PinpointWorld.endpoint(of: $0) }
    #expect(lists(endpoint)["k"] == ["a"])
    #expect((endpoint?["Metrics"] as? [String: Double])?["n"] == 2)
    #expect(world.updates.requests.count == 1)
  }

  @Test func `location and device can be said, and only what differs is kept`() async {
    let pinpoint = world.pinpoint()
    let profile = pinpoint.targetingClient.currentEndpointProfile()
    #expect(profile.demographic?.model == "iPhone17,2" && profile.demographic?.make == "apple")
    let location = AWSPinpointEndpointProfileLocation()
    location.city = "Lisbon"
    location.latitude = 38.7
    profile.location = location
    profile.demographic?.model = "Own"
    await pinpoint.targetingClient.update(profile).ended()
    let place = world.updated.last?["Location"] as? [String: Any]
    #expect(place?["City"] as? String == "Lisbon" && place?["Latitude"] as? Double == 38.7)
    let device = world.updated.last?["Demographic"] as? [String: Any]
    #expect(device?["Model"] as? String == "Own" && device?["AppVersion"] as? String == "4.2.0")
    let again = world.nextProcess().pinpoint().targetingClient.currentEndpointProfile()
    #expect(again.location?.city == "Lisbon" && again.location?.latitude == 38.7)
    #expect(again.demographic?.model == "Own")
  }

  @Test func `an update that is refused is an error of its task, and is sent again`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    await pinpoint.updated()
    world.updates.then(.status(403, headers: ["x-amzn-errortype": "ForbiddenException"]))
    pinpoint.targetingClient.addAttribute(["a"], forKey: "k")
    let error = await pinpoint.targetingClient.updateEndpointProfile().ended()
    #expect(error?.localizedDescription.contains("ForbiddenException") == true)
    // The task ends on the way to what is done about the answer: when it is sent again is settled behind that.
    await pinpoint.footfall.settle()
    world.clock.advance(bySeconds: 600)
    await pinpoint.updated()
    #expect(lists(world.updated.last)["k"] == ["a"])
  }

  @Test func `a profile is handed out without waiting, too`() async {
    let pinpoint = world.pinpoint()
    let id = AWSTaskCompletionSource<NSString>()
    pinpoint.targetingClient.currentEndpointProfile { id.set(result: $0.endpointId as NSString) }
    await id.task.ended()
    #expect(
      id.task.result as String? == pinpoint.targetingClient.currentEndpointProfile().endpointId
    )
  }

  // MARK: Tasks that end

  /// A client whose next update waits for its answer, and the task of that.
  private func held(_ pinpoint: AWSPinpoint) async -> AWSTask<AnyObject> {
    await pinpoint.footfall.settle()
    await pinpoint.updated()
    let sent = world.updates.requests.count
    world.updates.then(.hold(.failed(.timedOut)))
    let task = pinpoint.targetingClient.updateEndpointProfile()
    await world.updates.waitForRequests(sent + 1)
    return task
  }

  @Test(arguments: ["off", "last send", "shut down"])
  func `an update that waits for its answer ends in an error when the client stops`(
    by way: String
  ) async {
    let pinpoint = world.pinpoint()
    let task = await held(pinpoint)
    switch way {
    case "off": pinpoint.footfall.setEnabled(false)
    case "last send": await pinpoint.footfall.flushAndDisable(limitSeconds: 0)
    default: pinpoint.footfall.shutdown(limitSeconds: 0)
    }
    #expect(await task.ended() != nil)
    // And no later one waits.
    #expect(await pinpoint.targetingClient.updateEndpointProfile().ended() != nil)
  }

  @Test func `an update that is offline ends with the client that goes`() async {
    var pinpoint: AWSPinpoint? = world.pinpoint()
    pinpoint?.footfall.isOffline = true
    await pinpoint?.footfall.settle()
    let task = pinpoint?.targetingClient.updateEndpointProfile()
    #expect(task?.isCompleted == false)
    pinpoint = nil
    #expect(await task?.ended() != nil)
  }

  @Test func `an update that is dropped with its device ends in an error, and the next is sent`()
    async
  {
    let pinpoint = world.pinpoint()
    let task = await held(pinpoint)
    await pinpoint.footfall.resetDevice(limitSeconds: 0)
    let error = await task.ended()
    #expect(error?.localizedDescription.contains("device_reset") == true)
    #expect(await pinpoint.targetingClient.updateEndpointProfile().ended() == nil)
  }

  // MARK: Values of the app's own

  @Test func `an attribute's value may call the client when it is asked for its text`() async {
    let pinpoint = world.pinpoint()
    let client = pinpoint.targetingClient
    let isOver = Monitor(false)
    DispatchQueue.global().async {
      client.addAttribute([AskingValue(client)], forKey: "k")
      isOver.change { $0 = true }
    }
    let isDone = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: isOver.wait(timeoutSeconds: 60) { $0 ? true : nil })
      }
    }
    #expect(isDone == true, "The value waits for a lock that its caller holds.")
    guard isDone == true else { return }
    let profile = client.currentEndpointProfile()
    #expect(profile.attribute(forKey: "k") as? [String] == ["asked"])
  }

  @Test func `nobody who says something of the endpoint waits for the disk`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    let disk = Monitor((isStuck: true, wasWaitedFor: false))
    world.files.intercept { _, path in
      guard path.contains("/endpoint.json") else { return nil }
      let isFree = disk.wait(timeoutSeconds: 60) { $0.isStuck ? nil : true }
      if isFree == nil { disk.change { $0 = (false, true) } }
      return nil
    }
    let client = pinpoint.targetingClient
    for number in 0..<15 { client.addAttribute(["v"], forKey: "k\(number)") }
    client.addMetric(1, forKey: "m")
    disk.change { $0.isStuck = false }
    #expect(!disk.withLock { $0.wasWaitedFor }, "A call waited until the disk was let go.")
    client.settle()
    let kept = world.nextProcess().pinpoint().targetingClient.currentEndpointProfile()
    #expect(kept.allAttributes().count == 15 && kept.metric(forKey: "m") == 1)
  }

  @Test func `what is no number is not taken, and keeps nothing else from disk`() async {
    let pinpoint = world.pinpoint()
    let profile = pinpoint.targetingClient.currentEndpointProfile()
    let location = AWSPinpointEndpointProfileLocation()
    (location.latitude, location.longitude) = (NSNumber(value: Double.nan), 9.1)
    location.city = "Lisbon"
    profile.location = location
    profile.addMetric(NSNumber(value: Double.infinity), forKey: "odd")
    profile.addMetric(2, forKey: "even")
    profile.addAttribute(["a"], forKey: "k")
    #expect(await pinpoint.targetingClient.update(profile).ended() == nil)
    pinpoint.targetingClient.settle()
    let kept = world.nextProcess().pinpoint().targetingClient.currentEndpointProfile()
    #expect(kept.location?.latitude == nil && kept.location?.longitude == 9.1)
    #expect(kept.location?.city == "Lisbon" && kept.attribute(forKey: "k") as? [String] == ["a"])
    #expect(kept.metric(forKey: "even") == 2 && !kept.hasMetric(forKey: "odd"))
    let sent = world.updated.last?["Location"] as? [String: Any]
    #expect(sent.map { Set($0.keys) } == ["Longitude", "City"])
  }
}

/// A value that asks the client for the endpoint while it is turned into text.
private struct AskingValue: CustomStringConvertible {
  private let client: AWSPinpointTargetingClient

  init(_ client: AWSPinpointTargetingClient) { self.client = client }

  var description: String {
    _ = client.currentEndpointProfile()
    return "asked"
  }
}
