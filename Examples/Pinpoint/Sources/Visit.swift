import FootfallPinpoint
import Foundation

/// A visit of a shop as an app written for the AWS SDK for iOS tells it.
@main struct Visit {
  static func main() {
    guard let configuration = configuration() else {
      print("Set FOOTFALL_URL, PINPOINT_APP, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
      exit(2)
    }
    let pinpoint = AWSPinpoint(configuration: configuration)
    tellWhoItIs(pinpoint.targetingClient)

    let analytics = pinpoint.analyticsClient
    let search = analytics.createEvent(withEventType: "search")
    search.addAttribute("umbrella", forKey: "text")
    search.addMetric(12, forKey: "results")
    analytics.record(search)
    analytics.record(analytics.createEvent(withEventType: "_userauth.sign_in"))
    analytics.record(
      analytics.createVirtualMonetizationEvent(
        withProductId: "umbrella",
        withItemPrice: 19.90,
        withQuantity: 1,
        withCurrency: "EUR"
      )
    )
    pinpoint.sessionClient.stopSession().waitUntilFinished()
    let submission = analytics.submitEvents()
    submission.waitUntilFinished()
    if let error = submission.error {
      print("Kept for the next run: \(error.localizedDescription)")
      exit(1)
    }
    print("Delivered: \(pinpoint.footfall.diagnostics.delivered) events")
    pinpoint.footfall.shutdown(limitSeconds: 2)
  }

  /// The endpoint belongs to a user, who is interested in something.
  private static func tellWhoItIs(_ targeting: AWSPinpointTargetingClient) {
    let endpoint = targeting.currentEndpointProfile()
    let user = AWSPinpointEndpointProfileUser()
    user.userId = "ada"
    endpoint.user = user
    endpoint.addAttribute(["umbrellas", "boots"], forKey: "interests")
    targeting.update(endpoint).waitUntilFinished()
  }

  /// What the environment says; an app has it in its awsconfiguration.json.
  private static func configuration() -> AWSPinpointConfiguration? {
    let said = ProcessInfo.processInfo.environment
    guard let url = said["FOOTFALL_URL"].flatMap({ URL(string: $0) }),
      let app = said["PINPOINT_APP"], let key = said["AWS_ACCESS_KEY_ID"],
      let secret = said["AWS_SECRET_ACCESS_KEY"]
    else { return nil }
    let configuration = AWSPinpointConfiguration(appId: app, launchOptions: nil)
    configuration.serviceConfiguration = AWSServiceConfiguration(
      region: .USEast1,
      endpoint: AWSEndpoint(region: .USEast1, service: .Pinpoint, url: url),
      credentialsProvider: AWSStaticCredentialsProvider(accessKey: key, secretKey: secret)
    )
    return configuration
  }
}
