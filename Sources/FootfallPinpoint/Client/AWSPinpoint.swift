public import Footfall
import FootfallAWS
import FootfallPlatform

#if canImport(ObjectiveC)
public import ObjectiveC
#else
public import Foundation
#endif

/// Analytics of one Pinpoint application, in the names of the AWS SDK for iOS.
///
/// ```swift
/// import FootfallPinpoint
///
/// let pinpoint = AWSPinpoint(configuration: .defaultPinpointConfiguration(launchOptions: nil))
/// let event = pinpoint.analyticsClient.createEvent(withEventType: "level_done")
/// event.addMetric(3, forKey: "level")
/// pinpoint.analyticsClient.record(event)
/// pinpoint.analyticsClient.submitEvents()
/// ```
///
/// For one application there is one client, made with the first configuration; another `AWSPinpoint`
/// of it is a second name for the same. Any thread.
public final class AWSPinpoint: NSObject, Sendable {
  let core: PinpointCore

  /// What it was made with first.
  public var configuration: AWSPinpointConfiguration { core.configuration }
  /// Records events.
  public var analyticsClient: AWSPinpointAnalyticsClient { core.analytics }
  /// Says when sessions start and end.
  public var sessionClient: AWSPinpointSessionClient { core.sessions }
  /// Says what is known of the endpoint.
  public var targetingClient: AWSPinpointTargetingClient { core.targeting }
  /// Takes push messages and their tokens.
  public var notificationManager: AWSPinpointNotificationManager { core.notifications }
  /// The client underneath, for what its numbers and settings say beyond the documented classes, such as
  /// `diagnostics` and `setEnabled`.
  public var footfall: FootfallClient { core.client }

  /// The client of an application.
  public convenience init(configuration: AWSPinpointConfiguration) {
    self.init(configuration, among: .live)
  }

  /// The client of an application.
  public static func pinpoint(configuration: AWSPinpointConfiguration) -> AWSPinpoint {
    AWSPinpoint(configuration: configuration)
  }

  /// A client in a given world.
  package init(_ configuration: AWSPinpointConfiguration, among clients: PinpointClients) {
    core = clients.client(configuration)
  }

  init(_ core: PinpointCore) {
    self.core = core
  }
}
