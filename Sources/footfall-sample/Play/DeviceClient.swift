import Dispatch
import Footfall
import FootfallPlatform
import Foundation

/// One simulated device with the app on it: a real client of the SDK in a folder of its own.
struct DeviceClient: Sendable {
  private let client: FootfallClient

  /// Starts the app on a device.
  ///
  /// - Parameters:
  ///   - device: What the SDK is told to say about the device.
  ///   - release: The version of the app that runs on it.
  ///   - market: Gives the locale.
  ///   - server: Where events go.
  init(_ device: Device, _ release: AppRelease, _ market: Market, _ server: Server) {
    var configuration = FootfallClient.Configuration(key: server.key, endpoint: server.endpoint)
    configuration.storage.folder = "\(server.folder)/devices/\(device.name)"
    configuration.delivery.intervalSeconds = server.intervalSeconds
    var environment = server.environment()
    environment.device = DeviceContext(
      platform: device.platform,
      os: device.os,
      model: device.model,
      app: release.version,
      build: release.build,
      locale: market.locale
    )
    client = FootfallClient(configuration, environment: environment)
  }

  /// Does what was planned for the past: with the planned time and id.
  func replay(_ action: PlannedAction) {
    let time = Date(timeIntervalSince1970: Double(action.atMs) / 1_000)
    perform(action, EventOptions(id: action.id, at: time))
  }

  /// Does it now.
  func perform(_ action: PlannedAction) { perform(action, EventOptions()) }

  private func perform(_ action: PlannedAction, _ options: EventOptions) {
    // A visit is a session: the past has none of the client's own.
    var options = options
    options.sessionID = .number(action.visitMs)
    switch action.kind {
    case .track(let name, let properties): client.track(name, properties, options)
    case .screen(let name): client.screen(name, [:], options)
    case .revenue(let revenue): client.revenue(revenue, options)
    case .identify(let operations): client.identify(operations, options)
    case .join(let team): client.setGroup("team", team, options)
    case .identifyTeam(let team, let operations):
      client.identifyGroup("team", team, operations, options)
    case .signIn(let user): client.setUserID(user)
    case .signOut: client.setUserID(nil)
    }
  }

  /// Sends everything, and says what became of it.
  func flush() async -> DeliveryReport { await client.flush() }

  /// What became of this client's events so far.
  var counts: DeliveryCounts { DeliveryCounts(client.diagnostics) }

  /// Ends the app; what could not be sent stays in the folder.
  func close(limitSeconds: TimeInterval = 2) async {
    // Shutting down blocks, which must not occupy a thread of the concurrency pool.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        client.shutdown(limitSeconds: limitSeconds)
        continuation.resume()
      }
    }
  }
}

/// Where events go, and where devices keep theirs.
struct Server: Sendable {
  let endpoint: URL
  let key: String
  let folder: String
  /// How long the first event of a request waits for others, in seconds.
  var intervalSeconds = 2.0
  /// The world each client lives in; the devices' descriptions are put into it.
  ///
  /// Problems are told by the reports: 200 devices need not each log the same thing.
  var environment: @Sendable () -> Environment = { .live(log: .silent) }
}

/// How many events were made, taken and refused.
struct DeliveryCounts: Sendable, Hashable {
  var sent = 0
  var delivered = 0
  var lost = 0

  init() {}

  /// The counts of one client.
  init(_ diagnostics: Diagnostics) {
    sent = diagnostics.tracked
    delivered = diagnostics.delivered
    lost = diagnostics.dropped.events + diagnostics.rejected.values.reduce(0, +)
  }

  static func += (left: inout DeliveryCounts, right: DeliveryCounts) {
    left.sent += right.sent
    left.delivered += right.delivered
    left.lost += right.lost
  }
}
