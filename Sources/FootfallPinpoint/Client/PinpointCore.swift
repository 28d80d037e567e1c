import Footfall
import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

/// Everything behind the documented classes of one application.
final class PinpointCore: Sendable {
  let configuration: AWSPinpointConfiguration
  let analytics: AWSPinpointAnalyticsClient
  let sessions: AWSPinpointSessionClient
  let targeting: AWSPinpointTargetingClient
  let notifications: AWSPinpointNotificationManager
  let client: FootfallClient

  private init(_ configuration: AWSPinpointConfiguration, _ parts: PinpointParts) {
    self.configuration = configuration
    client = parts.client
    analytics = AWSPinpointAnalyticsClient(parts)
    sessions = AWSPinpointSessionClient(parts)
    targeting = AWSPinpointTargetingClient(parts)
    notifications = AWSPinpointNotificationManager(parts)
  }

  /// Makes the client of an application and starts it: `isMade` is called first, then the app's own
  /// block, and only then the first session may start.
  static func start(
    _ configuration: AWSPinpointConfiguration,
    in environment: Environment,
    isMade: (PinpointCore) -> Void
  ) -> PinpointCore {
    let plan = PinpointPlan(configuration, in: environment)
    let client = FootfallClient(
      clocks: environment.clocks,
      random: environment.random,
      vocabulary: plan.settings.rules.vocabulary
    )
    let core = PinpointCore(configuration, plan.parts(client))
    isMade(core)
    core.notifications.noteLaunch(configuration.launchOptions)
    configuration.completionBlock?(AWSPinpoint(core))
    // Without an application there is nowhere to send anything, and no session to start.
    if let problem = configuration.problem {
      environment.log.error(problem)
    } else {
      let setup = Engine.Setup(settings: plan.settings, environment: plan.environment)
      _ = client.start(end: environment.processEnd) { setup }
    }
    return core
  }
}

/// What the documented classes of one application share.
final class PinpointParts: Sendable {
  let client: FootfallClient
  let store: PinpointEndpointStore
  let updates: EndpointUpdates
  let place: AppPlace
  let environment: Environment
  let appID: String
  let storageBytes: UInt
  let isDebug: Bool
  let recordsEvents: Bool
  let hasTargeting: Bool
  let sessionSeconds: Double
  /// Why nothing can be recorded; nil if it can.
  let problem: String?
  let submissions = Lock(0)

  init(_ client: FootfallClient, _ plan: PinpointPlan) {
    self.client = client
    store = plan.store
    updates = plan.updates
    place = plan.place
    environment = plan.environment
    appID = plan.configuration.appId
    storageBytes = plan.configuration.maxStorageSize
    isDebug = plan.configuration.debug
    recordsEvents = plan.configuration.enableEvents
    hasTargeting = plan.configuration.enableTargeting
    sessionSeconds = Double(plan.configuration.sessionTimeout) / 1_000
    problem = plan.configuration.problem
    client.onStop { [updates] stop in
      switch stop {
      case .switchedOff: updates.end("collection is off.")
      case .shutDown: updates.end("the client was shut down.")
      }
    }
  }

  /// Follows what becomes of updates of the endpoint for as long as somebody waits for one.
  func watchUpdates() {
    updates.watch {
      client.observeSteps { [updates] step in
        guard step.kind == .dropped, step.name == PinpointEndpointCodec.eventName else { return }
        updates.dropped(step.id, step.reason ?? .removed)
      } onEnd: { [updates] in
        updates.end("the client has ended.")
      }
    }
  }

  /// A task of something that cannot be done; nil if it can.
  func refusal(needs isOn: Bool, _ what: String) -> AWSTask<AnyObject>? {
    if let problem {
      return AWSTask(error: AWSServiceError.make(.configuration, problem))
    }
    guard isOn else {
      return AWSTask(
        error: AWSServiceError.make(.configuration, "\(what) is switched off in the configuration.")
      )
    }
    return nil
  }
}
