package import FootfallCore
import FootfallPlatform

extension PipelineRules {
  /// Footfall's own: sessions are announced and carried by every event, and end after 30 minutes
  /// in background.
  package static let native = PipelineRules()

  /// Those of Amplitude, from `amplitude.md` sections 2.7 to 2.9.
  ///
  /// - Parameters:
  ///   - sessionMilliseconds: `minTimeBetweenSessionsMillis`.
  ///   - announcesSessions: Whether the sessions feature is on.
  ///   - tellsAppLifecycle: Whether the app lifecycles feature is on.
  ///   - protectsChildren: `enableCoppaControl`.
  ///   - withheld: The fields that the tracking options switch off; `idfv` among them also keeps the
  ///     vendor's id from becoming the device's.
  ///   - platform: Where the app runs, as `DeviceContext.platform` names it.
  /// - Returns: The rules.
  package static func amplitude(
    sessionMilliseconds: Int64 = 300_000,
    announcesSessions: Bool = true,
    tellsAppLifecycle: Bool = false,
    protectsChildren: Bool = false,
    withheld: Set<ContextField> = [],
    platform: String = "iOS"
  ) -> PipelineRules {
    var rules = PipelineRules()
    rules.sessions = .amplitude(
      timeoutMilliseconds: sessionMilliseconds,
      announces: announcesSessions,
      awayFrom: .away(on: platform)
    )
    rules.tellsAppLifecycle = tellsAppLifecycle
    rules.identity = .amplitude(usesVendorID: !withheld.contains(.vendorID))
    rules.identifyOptionsStay = true
    rules.needsOwner = true
    rules.vocabulary = .amplitude
    rules.contextForm = .amplitude
    rules.fillsRemoteAddress = true
    rules.optedOutLine = LogLine(
      level: .info,
      message: "Skip event based on opt out configuration"
    )
    rules.withheldContext = protectsChildren ? withheld.union(childrensContext) : withheld
    return rules
  }

  /// What is not collected of children.
  ///
  /// Source: `amplitude.md`, P14, P34 and X37; places are finer than the city.
  package static let childrensContext: Set<ContextField> = [
    .vendorID, .advertisingID, .ip, .city, .latitude, .longitude,
  ]

  /// Those of SimpleDataLogs, from `simpledatalogs.md` sections 4 and 5.
  ///
  /// - Parameters:
  ///   - sessions: `activation` or `inactivity(minutes:)`; nil without `.sessions`.
  ///   - tellsLaunches: Whether `.appLaunches` is on.
  ///   - activity: Whether and how `app_state` and `engaged_ms` are found; nil for `.off`.
  /// - Returns: The rules.
  package static func simpleDataLogs(
    sessions: SessionRules? = nil,
    tellsLaunches: Bool = false,
    activity: ActivityRules? = ActivityRules()
  ) -> PipelineRules {
    var rules = PipelineRules()
    rules.sessions = sessions
    rules.identity = .simpleDataLogs
    rules.activity = activity
    rules.appLaunched = tellsLaunches ? "app_launched" : nil
    return rules
  }

  /// Those of Phase, from `phase.md` section 5.
  package static let phase: PipelineRules = {
    var rules = PipelineRules()
    rules.sessions = .phase
    rules.identity = .phase
    rules.waitsForIdentify = IdentifyWait()
    rules.heartbeat = "$heartbeat"
    rules.sendsAfterIdentify = true
    rules.vocabulary = .phase
    return rules
  }()

  /// Those of Amazon Pinpoint, from `aws.md` section 3.3; the endpoint is the device.
  package static func pinpoint(
    appID: String,
    sessionMilliseconds: Int64 = 5_000,
    announcesSessions: Bool = true
  ) -> PipelineRules {
    var rules = PipelineRules()
    rules.sessions = .pinpoint(
      appID: appID,
      endpointID: "",
      timeoutMilliseconds: sessionMilliseconds,
      announces: announcesSessions
    )
    rules.vocabulary = .pinpoint
    return rules
  }
}
