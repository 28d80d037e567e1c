import EventStore
import FootfallPinpoint
import Foundation
import Testing

/// An app written for the AWS SDK for iOS, against a server.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `An app of Pinpoint` {
  @Test(arguments: [
    ("AWS-A3", "_userauth.sign_in"), ("AWS-A16", "_userauth.sign_up"),
    ("AWS-A16", "_userauth.auth_fail"),
  ])
  func `authentication counts once, as what it is`(scenario: String, type: String) async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint = try account.pinpoint()
    let client = pinpoint.analyticsClient
    client.record(client.createEventWithEventType(type))
    #expect(await client.submitEvents().outcome() == nil)
    let names = try account.server.tracked(2).map(\.name).sorted()
    #expect(names == ["_session.start", type].sorted())
    pinpoint.footfall.shutdown()
  }

  @Test func `AWS-T1 AWS-C13: an attribute of the endpoint is shown by the server`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint = try account.pinpoint()
    var printed = ""
    let targeting = pinpoint.targetingClient
    targeting.addAttribute(["maps", "trains", "rain"], forKey: "likes")
    let update = targeting.updateEndpointProfile()
    let endpointId = targeting.currentEndpointProfile().endpointId
    printed = "Told of the endpoint: \(endpointId)"
    #expect(await update.outcome() == nil)
    let shown = try account.get("/endpoints/\(endpointId)")
    #expect((shown["Attributes"] as? [String: [String]])?["likes"] == ["maps", "trains", "rain"])
    #expect(printed.hasSuffix(shown["Id"] as? String ?? "none"))
    pinpoint.footfall.shutdown()
  }

  @Test func `AWS-T2 AWS-C14: a user's endpoints are those it was assigned to`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint = try account.pinpoint()
    let targeting = pinpoint.targetingClient
    let endpoint = targeting.currentEndpointProfile()
    let user = AWSPinpointEndpointProfileUser()
    user.userId = "ada"
    endpoint.user = user
    #expect(await targeting.update(endpoint).outcome() == nil)
    let printed = "Assigned \(user.userId ?? "nil") to \(endpoint.endpointId)"
    let items = try account.get("/users/ada")["Item"] as? [[String: Any]]
    #expect(items?.compactMap { $0["Id"] as? String } == [endpoint.endpointId])
    #expect(printed == "Assigned ada to \(endpoint.endpointId)")
    pinpoint.footfall.shutdown()
  }

  @Test func `AWS-T6: an attribute that the app removes is gone from the server`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint = try account.pinpoint()
    let targeting = pinpoint.targetingClient
    targeting.addAttribute(["a"], forKey: "gone")
    targeting.addAttribute(["b"], forKey: "stays")
    #expect(await targeting.updateEndpointProfile().outcome() == nil)
    targeting.removeAttribute(forKey: "gone")
    #expect(await targeting.updateEndpointProfile().outcome() == nil)
    let shown = try account.get("/endpoints/\(targeting.currentEndpointProfile().endpointId)")
    #expect(shown["Attributes"] as? [String: [String]] == ["stays": ["b"]])
    pinpoint.footfall.shutdown()
  }

  @Test func `AWS-T8: what was not sent by itself comes with the next events`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint = try account.pinpoint()
    // The first update, which the session's start asks for, says none of it.
    #expect(await pinpoint.targetingClient.updateEndpointProfile().outcome() == nil)
    pinpoint.targetingClient.addAttribute(["a"], forKey: "k")
    pinpoint.targetingClient.addMetric(2, forKey: "n")
    let client = pinpoint.analyticsClient
    client.record(client.createEvent(withEventType: "e"))
    #expect(await client.submitEvents().outcome() == nil)
    let id = pinpoint.targetingClient.currentEndpointProfile().endpointId
    let shown = try account.get("/endpoints/\(id)")
    #expect((shown["Attributes"] as? [String: [String]])?["k"] == ["a"])
    #expect((shown["Metrics"] as? [String: Double])?["n"] == 2)
    pinpoint.footfall.shutdown()
  }

  @Test func `AWS-C7: a launch reports a guest, starts a session and sends the endpoint`()
    async throws
  {
    let account = try AWSAccount()
    defer { account.stop() }
    var printed: [String] = []
    var pinpoint: AWSPinpoint?
    AWSMobileClient.default().initialize { (userState, error) in
      if let error {
        printed.append("It failed: \(error.localizedDescription)")
      } else if let userState {
        printed.append("Ready. The user is a \(userState.rawValue)")
      }
    }
    let configuration = AWSPinpointConfiguration(appId: account.appID, launchOptions: nil)
    configuration.serviceConfiguration = try account.configuration(.Pinpoint)
    pinpoint = AWSPinpoint(configuration: configuration)
    #expect(printed == ["Ready. The user is a guest"])
    let client = try #require(pinpoint?.analyticsClient)
    #expect(await pinpoint?.targetingClient.updateEndpointProfile().outcome() == nil)
    #expect(await client.submitEvents().outcome() == nil)
    #expect(try account.server.tracked(1).map(\.name) == ["_session.start"])
    let id = pinpoint?.targetingClient.currentEndpointProfile().endpointId ?? ""
    #expect(try account.get("/endpoints/\(id)")["EndpointStatus"] as? String == "ACTIVE")
    pinpoint?.footfall.shutdown()
  }

  @Test func `AWS-C9: a custom event arrives with its attributes and its metric`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    var pinpoint: AWSPinpoint?
    func log() -> AWSTask<AnyObject>? {
      guard let analyticsClient = pinpoint?.analyticsClient else { return nil }
      let event = analyticsClient.createEvent(withEventType: "Picnic")
      event.addAttribute("park", forKey: "place")
      event.addAttribute("sunny", forKey: "weather")
      event.addMetric(NSNumber(value: UInt32.random(in: 0..<65_535)), forKey: "Picnic")
      analyticsClient.record(event)
      return analyticsClient.submitEvents()
    }
    #expect(log() == nil)
    pinpoint = try account.pinpoint()
    #expect(await log()?.outcome() == nil)
    let stored = try account.server.tracked(2).first { $0.name == "Picnic" }
    let text = try #require(stored).properties
    #expect(text.contains(#""place":"park""#) && text.contains(#""weather":"sunny""#))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let metric = try #require((object as? [String: Any])?["Picnic"] as? NSNumber)
    #expect((0..<65_535).contains(metric.intValue) && Double(metric.intValue) == metric.doubleValue)
    pinpoint?.footfall.shutdown()
  }

  @Test func `AWS-C10 AWS-C12: a purchase and a sign-in arrive as what they are`() async throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let pinpoint: AWSPinpoint? = try account.pinpoint()
    if let analyticsClient = pinpoint?.analyticsClient {
      let event = analyticsClient.createVirtualMonetizationEvent(
        withProductId: "umbrella",
        withItemPrice: 1.00,
        withQuantity: 1,
        withCurrency: "USD"
      )
      analyticsClient.record(event)
      analyticsClient.record(analyticsClient.createEventWithEventType("_userauth.sign_in"))
      #expect(await analyticsClient.submitEvents().outcome() == nil)
    }
    let stored = try account.server.tracked(3)
    #expect(
      stored.map(\.name).sorted()
        == ["_monetization.purchase", "_session.start", "_userauth.sign_in"]
    )
    let purchase = stored.first { $0.name == "_monetization.purchase" }?.properties ?? ""
    #expect(purchase.contains(#""_product_id":"umbrella""#))
    #expect(purchase.contains(#""_currency":"USD""#))
    pinpoint?.footfall.shutdown()
  }
}
