import Footfall
import FootfallAWS
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `AWSPinpoint: set-up` {
  let world = PinpointWorld()

  private func file(_ analytics: [String: Any]) -> AWSInfo {
    AWSInfo.contents([
      "Version": "1.0", "PinpointAnalytics": ["Default": analytics],
      "PinpointTargeting": ["Default": ["Region": "eu-central-1"]],
      "CognitoUserPool": [
        "Default": [
          "PoolId": "pool", "AppClientId": "client", "AppClientSecret": "secret",
          "Region": "us-east-1", "PinpointAppId": "app",
        ]
      ],
      "Footfall": ["AccessKey": "AKIDEXAMPLE", "SecretKey": "secret"],
    ])
  }

  @Test func `AWS-U2: the configuration file says the application and its region`() async throws {
    let info = file(["AppId": "0123456789abcdef0123456789abcdef", "Region": "eu-west-1"])
    let configuration = AWSPinpointConfiguration.fromFile(info)
    #expect(configuration.appId == "0123456789abcdef0123456789abcdef")
    #expect(configuration.maxStorageSize == 5_242_880 && configuration.sessionTimeout == 5_000)
    let pinpoint = AWSPinpoint(configuration, among: world.process())
    pinpoint.record(1)
    await pinpoint.targetingClient.updateEndpointProfile().ended()
    await pinpoint.submit()
    let url = try #require(world.transport.requests.first?.url)
    #expect(url.hasPrefix("https://pinpoint.eu-west-1.amazonaws.com/v1/apps/0123456789abcdef"))
    let update = try #require(world.updates.requests.first)
    #expect(update.url.hasPrefix("https://pinpoint.eu-central-1.amazonaws.com/v1/apps/"))
    let authorization = update.headers.first { $0.name == "Authorization" }?.value ?? ""
    #expect(authorization.contains("AKIDEXAMPLE") && authorization.contains("/eu-central-1/"))
  }

  @Test
  func `AWS-U2: without an application there is one line in the log and an error of each task`()
    async
  {
    let lines = Lock<[String]>([])
    let log = Logger(sink: { line in lines.withLock { $0.append(line.message) } })
    let environment = Environment.test(
      clock: world.clock,
      transport: world.transport,
      files: world.files,
      lifecycle: world.lifecycle,
      log: log
    )
    let pinpoint = AWSPinpoint(
      .fromFile(file(["Region": "x"])),
      among: PinpointClients { environment }
    )
    pinpoint.record(1)
    // Nothing was started that could be waited for.
    let error = await pinpoint.analyticsClient.submitEvents().ended()
    #expect(error?.localizedDescription.contains("PinpointAnalytics.Default.AppId") == true)
    #expect(await pinpoint.targetingClient.updateEndpointProfile().ended() != nil)
    let told = lines.withLock { $0.filter { $0.contains("PinpointAnalytics.Default.AppId") } }
    #expect(told.count == 1 && world.transport.requests.isEmpty)
  }

  @Test
  func `AWS-U3: for one application the first configuration holds; another has its own client`() {
    let process = world.process()
    let first = AWSPinpointConfiguration(appId: "a", launchOptions: nil)
    first.sessionTimeout = 1
    let one = AWSPinpoint(first, among: process)
    let again = AWSPinpoint(
      AWSPinpointConfiguration(appId: "a", launchOptions: nil),
      among: process
    )
    let other = AWSPinpoint(
      AWSPinpointConfiguration(appId: "b", launchOptions: nil),
      among: process
    )
    #expect(again.configuration === first && again.configuration.sessionTimeout == 1)
    #expect(again.analyticsClient === one.analyticsClient)
    #expect(other.analyticsClient !== one.analyticsClient)
  }

  @Test func `AWS-U4: a mobile client reports a guest, each time, and sends nothing`() {
    let reported = Lock<[UserState?]>([])
    for _ in 0..<2 {
      AWSMobileClient.default().initialize { state, error in
        #expect(error == nil)
        reported.withLock { $0.append(state) }
      }
    }
    #expect(reported.withLock { $0 } == [.guest, .guest])
    #expect(AWSMobileClient.default().currentUserState == .guest)
    #expect(UserState.guest.rawValue == "guest" && !AWSMobileClient.default().isSignedIn)
    #expect(world.transport.requests.isEmpty)
  }

  @Test func `AWS-C11: the values of a user pool can be read under their names`() {
    let section = file([:]).defaultServiceInfo("CognitoUserPool")
    let names = ["PoolId", "AppClientId", "AppClientSecret", "Region", "PinpointAppId"]
    let values = names.map { section?.infoDictionary[$0] as? String }
    #expect(values == ["pool", "client", "secret", "us-east-1", "app"])
    #expect(section?.region == .USEast1)
  }

  @Test func `one setting in the file points an unchanged app at another server`() async {
    let info = AWSInfo.contents([
      "PinpointAnalytics": ["Default": ["AppId": "a", "Region": "us-east-1"]],
      "Footfall": [
        "Endpoint": "http://127.0.0.1:4001/", "AccessKey": "AKIDEXAMPLE", "SecretKey": "secret",
      ],
    ])
    let pinpoint = AWSPinpoint(.fromFile(info), among: world.process())
    pinpoint.record(1)
    await pinpoint.targetingClient.updateEndpointProfile().ended()
    await pinpoint.submit()
    #expect(world.transport.requests.first?.url == "http://127.0.0.1:4001/v1/apps/a/events")
    let update = world.updates.requests.first?.url ?? ""
    #expect(update.hasPrefix("http://127.0.0.1:4001/v1/apps/a/endpoints/"))
  }
}
