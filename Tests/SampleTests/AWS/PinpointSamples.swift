#if os(Linux) || os(macOS)
import FootfallPinpoint
import FootfallTesting
import Foundation
import Testing

/// Programs that make the calls of the document's samples about Pinpoint, in the same order.
///
/// Each in a process of its own: the file that says where everything goes is read once in a process.
@Suite(.timeLimit(.minutes(5))) struct `Samples of AWS's document: Pinpoint` {
  /// An app that has a client from its launch on.
  final class LampApp {
    /// What a system might launch an app with.
    enum LaunchOption: Hashable { case link }

    var pinpoint: AWSPinpoint?
    private(set) var lines: [String] = []

    func launch(_ launchOptions: [LaunchOption: Any]?) -> Bool {
      AWSMobileClient.default().initialize { (userState, error) in
        if let error = error {
          self.lines.append("No start: \(error.localizedDescription)")
        } else if let userState = userState {
          self.lines.append("Started for a \(userState.rawValue)")
        }
      }
      let settings = AWSPinpointConfiguration.defaultPinpointConfiguration(
        launchOptions: launchOptions
      )
      pinpoint = AWSPinpoint(configuration: settings)
      return true
    }

    func logPicnic() {
      if let analyticsClient = pinpoint?.analyticsClient {
        let event = analyticsClient.createEvent(withEventType: "Picnic")
        event.addAttribute("meadow", forKey: "place")
        event.addAttribute("sunny", forKey: "weather")
        event.addMetric(NSNumber(value: UInt32.random(in: .min ... .max) % 65535), forKey: "Picnic")
        analyticsClient.record(event)
        analyticsClient.submitEvents()
      }
    }

    func sellLamp() {
      if let analyticsClient = pinpoint?.analyticsClient {
        let event = analyticsClient.createVirtualMonetizationEvent(
          withProductId: "LAMP_7",
          withItemPrice: 2.50,
          withQuantity: 3,
          withCurrency: "SEK"
        )
        analyticsClient.record(event)
        analyticsClient.submitEvents()
      }
    }

    func tellSignIn() {
      if let analyticsClient = pinpoint?.analyticsClient {
        let event = analyticsClient.createEventWithEventType("_userauth.sign_in")
        analyticsClient.record(event)
        analyticsClient.submitEvents()
      }
    }

    func tellHobbies() {
      if let targetingClient = pinpoint?.targetingClient {
        targetingClient.addAttribute(["chess", "rowing", "owls"], forKey: "hobbies")
        targetingClient.updateEndpointProfile()
        let endpointId = targetingClient.currentEndpointProfile().endpointId
        lines.append("Hobbies of endpoint: \(endpointId)")
      }
    }

    func tellUser() {
      if let targetingClient = pinpoint?.targetingClient {
        let endpoint = targetingClient.currentEndpointProfile()
        let user = AWSPinpointEndpointProfileUser()
        user.userId = "ada-7"
        endpoint.user = user
        targetingClient.update(endpoint)
        lines.append("User \(user.userId ?? "none") is at endpoint \(endpoint.endpointId)")
      }
    }

    /// Waits until everything called so far was answered, and ends.
    func end() async {
      let problem = await pinpoint?.analyticsClient.submitEvents().ended()
      #expect(problem == nil)
      #expect(await pinpoint?.targetingClient.updateEndpointProfile().ended() == nil)
      pinpoint?.footfall.shutdown()
    }
  }

  @Test func `AWS-C7: a launch tells of a guest, a session and the endpoint`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      #expect(app.launch([.link: "lamp://7"]))
      #expect(app.lines == ["Started for a guest"])
      #expect(app.pinpoint?.configuration.appId == SampleAWSServer.appID)
      await app.end()
      #expect(try sample.events("_session.start").count == 1)
      let endpoint = try #require(try sample.endpoints.first)
      #expect(endpoint.id == app.pinpoint?.targetingClient.currentEndpointProfile().endpointId)
      #expect(!sample.gotStrangers)
      try sample.end()
    }
  }

  @Test func `AWS-C9 AWS-A1: a custom event with two attributes and a metric`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      // Before the launch there is no client: nothing is recorded, and nothing fails.
      app.logPicnic()
      #expect(app.launch(nil))
      app.logPicnic()
      await app.end()
      let events = try sample.events("Picnic")
      let event = try #require(events.first)
      #expect(events.count == 1)
      #expect(event["Attributes"] == #"{"place":"meadow","weather":"sunny"}"#)
      let metric = try #require(event["Metrics", "Picnic"].flatMap { Int($0) })
      #expect((0..<65_535).contains(metric) && event["Metrics"] == "{\"Picnic\":\(metric)}")
      #expect(event.keys.isSuperset(of: ["SdkName", "ClientSdkVersion", "Session", "Timestamp"]))
      try sample.end()
    }
  }

  @Test func `AWS-C10 AWS-A2: a purchase`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      #expect(app.launch(nil))
      app.sellLamp()
      await app.end()
      let event = try #require(try sample.events("_monetization.purchase").first)
      #expect(
        event["Attributes"]
          == #"{"_currency":"SEK","_product_id":"LAMP_7","_store":"Virtual"}"#
      )
      #expect(event["Metrics"] == #"{"_item_price":2.5,"_quantity":3}"#)
      try sample.end()
    }
  }

  @Test func `AWS-C11: a section for a directory of users is read, and nobody is asked`() async {
    await #expect(processExitsWith: .success) {
      let pool = [
        "PoolId": "pool-7", "AppClientId": "client-7", "AppClientSecret": "hidden-7",
        "Region": "eu-north-1", "PinpointAppId": SampleAWSServer.appID,
      ]
      let sample = try SampleAWSServer(sections: ["CognitoUserPool": ["Default": pool]])
      let app = LampApp()
      #expect(app.launch(nil))
      await app.end()
      let section = AWSInfo.default().defaultServiceInfo("CognitoUserPool")
      #expect(section?.infoDictionary as? [String: String] == pool)
      let place = "/v1/apps/\(SampleAWSServer.appID)/"
      #expect(sample.server.requests.allSatisfy { $0.path.hasPrefix(place) })
      #expect(try sample.events("_session.start").count == 1)
      try sample.end()
    }
  }

  @Test func `AWS-C12 AWS-A3: a sign-in that the app reports itself`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      #expect(app.launch(nil))
      app.tellSignIn()
      await app.end()
      #expect(try sample.events("_userauth.sign_in").count == 1)
      try sample.end()
    }
  }

  @Test func `AWS-C13 AWS-T1: an attribute of the endpoint`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      #expect(app.launch(nil))
      app.tellHobbies()
      await app.end()
      let told = try sample.endpoints.filter { $0.fields["Attributes", "hobbies"] != nil }
      let endpoint = try #require(told.first)
      #expect(endpoint.fields["Attributes", "hobbies"] == #"["chess","rowing","owls"]"#)
      #expect(app.lines.last == "Hobbies of endpoint: \(endpoint.id)")
      try sample.end()
    }
  }

  @Test func `AWS-C14 AWS-T2: a user of the endpoint`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let app = LampApp()
      #expect(app.launch(nil))
      app.tellUser()
      await app.end()
      let told = try sample.endpoints.filter { $0.fields["User", "UserId"] == #""ada-7""# }
      let endpoint = try #require(told.first)
      #expect(app.lines.last == "User ada-7 is at endpoint \(endpoint.id)")
      try sample.end()
    }
  }
}
#endif
