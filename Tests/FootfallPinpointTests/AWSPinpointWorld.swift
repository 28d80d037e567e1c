import Footfall
import FootfallAWS
import FootfallPinpoint
import FootfallPlatform
import FootfallTesting
import Foundation

// The world of Pinpoint's tests, for a client under its documented names.
extension PinpointWorld {
  static let key = AWSStaticCredentialsProvider(
    accessKey: "AKIDEXAMPLE",
    secretKey: "secret"
  )

  /// The clients of one process.
  func process() -> PinpointClients {
    let environment = Environment.test(
      clock: clock,
      transport: RoutedTransport(events: transport, updates: updates),
      files: files,
      random: .another(),
      lifecycle: lifecycle
    )
    return PinpointClients { environment }
  }

  /// A client in a process of its own; requests are sent once unless told otherwise.
  func pinpoint(
    appID: String = PinpointWorld.appID,
    credentials: (any AWSCredentialsProvider)? = PinpointWorld.key,
    _ change: (AWSPinpointConfiguration) -> Void = { _ in }
  ) -> AWSPinpoint {
    let configuration = AWSPinpointConfiguration(appId: appID, launchOptions: nil)
    let service = AWSServiceConfiguration(region: .USEast1, credentialsProvider: credentials)
    service?.maxRetryCount = 0
    configuration.serviceConfiguration = service
    change(configuration)
    return AWSPinpoint(configuration, among: process())
  }

  /// The same disk and clock, for the next process.
  func nextProcess(phase: AppPhase = .foreground) -> PinpointWorld {
    PinpointWorld(files: files.copy(), phase: phase, clock: clock)
  }

  /// Lets milliseconds pass and the client do what is due.
  func pass(_ milliseconds: Double, _ pinpoint: AWSPinpoint) async {
    await pinpoint.footfall.settle()
    clock.advance(bySeconds: milliseconds / 1_000)
    await pinpoint.footfall.settle()
  }

  /// The events that the app itself recorded.
  var own: [Recorded] { events.filter { !$0.type.hasPrefix("_session") } }

  /// The session events, without their prefix.
  var sessionEvents: [String] {
    types.filter { $0.hasPrefix("_session.") }.map { String($0.dropFirst(9)) }
  }
}

extension AWSPinpoint {
  /// Records events of some types.
  func record(_ types: [String]) {
    for type in types {
      analyticsClient.record(analyticsClient.createEvent(withEventType: type))
    }
  }

  func record(_ count: Int) {
    record((0..<count).map { "e\($0)" })
  }

  /// Submits, and waits.
  @discardableResult
  func submit() async -> NSError? {
    let error = await analyticsClient.submitEvents().ended()
    // Only then the numbers are shown.
    await footfall.settle()
    return error.map { $0 as NSError }
  }

  var stored: Int { footfall.diagnostics(of: "main")?.stored ?? 0 }
  var losses: DropCounts { footfall.diagnostics(of: "main")?.dropped ?? DropCounts() }

  /// Waits until nothing is stored any more.
  func delivered() async {
    while stored > 0, !Task.isCancelled {
      await footfall.settle()
      await Task.yield()
    }
  }

  /// Waits until no update of the endpoint is left.
  func updated() async {
    while footfall.diagnostics(of: "endpoint")?.stored != 0, !Task.isCancelled {
      await footfall.settle()
      await Task.yield()
    }
  }
}
