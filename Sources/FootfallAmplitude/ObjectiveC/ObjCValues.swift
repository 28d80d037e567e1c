#if canImport(ObjectiveC)
public import Foundation

/// The tracking plan: `AMPPlan`.
@objc(AMPPlan)
public final class ObjCPlan: NSObject {
  var plan: Plan

  /// A plan of nothing yet.
  @objc public override convenience init() { self.init(Plan()) }

  init(_ plan: Plan) { self.plan = plan }

  /// As `Plan.branch`.
  @objc public var branch: String? {
    get { plan.branch }
    set { plan.branch = newValue }
  }
  /// As `Plan.source`.
  @objc public var source: String? {
    get { plan.source }
    set { plan.source = newValue }
  }
  /// As `Plan.version`.
  @objc public var version: String? {
    get { plan.version }
    set { plan.version = newValue }
  }
  /// As `Plan.versionId`.
  @objc public var versionId: String? {
    get { plan.versionId }
    set { plan.versionId = newValue }
  }
}

/// Where events were taken in: `AMPIngestionMetadata`.
@objc(AMPIngestionMetadata)
public final class ObjCIngestionMetadata: NSObject {
  var metadata: IngestionMetadata

  /// Metadata of nothing yet.
  @objc public override convenience init() { self.init(IngestionMetadata()) }

  init(_ metadata: IngestionMetadata) { self.metadata = metadata }

  /// As `IngestionMetadata.sourceName`.
  @objc public var sourceName: String? {
    get { metadata.sourceName }
    set { metadata.sourceName = newValue }
  }
  /// As `IngestionMetadata.sourceVersion`.
  @objc public var sourceVersion: String? {
    get { metadata.sourceVersion }
    set { metadata.sourceVersion = newValue }
  }
}

/// Which network requests are captured: `AMPNetworkTrackingOptions`; kept, but not captured yet.
@objc(AMPNetworkTrackingOptions)
public final class ObjCNetworkTrackingOptions: NSObject {
  var options: NetworkTrackingOptions

  init(_ options: NetworkTrackingOptions) { self.options = options }

  /// Options from their rules.
  @objc(initWithCaptureRules:ignoreHosts:ignoreAmplitudeRequests:)
  public convenience init(
    captureRules: [ObjCCaptureRule],
    ignoreHosts: [String],
    ignoreAmplitudeRequests: Bool
  ) {
    self.init(
      NetworkTrackingOptions(
        captureRules: captureRules.map(\.rule),
        ignoreHosts: ignoreHosts,
        ignoreAmplitudeRequests: ignoreAmplitudeRequests
      )
    )
  }
}

/// Which requests are meant, by hosts and statuses alone: `AMPCaptureRule`.
@objc(AMPCaptureRule)
public final class ObjCCaptureRule: NSObject {
  let rule: NetworkTrackingOptions.CaptureRule

  /// A rule by hosts.
  @objc(initWithHosts:statusCodeRange:)
  public init(hosts: [String], statusCodeRange: String) {
    rule = NetworkTrackingOptions.CaptureRule(hosts: hosts, statusCodeRange: statusCodeRange)
  }

  /// The hosts.
  @objc public var hosts: [String] { rule.hosts }
  /// The statuses.
  @objc public var statusCodeRange: String { rule.statusCodeRange }
}

/// Which kinds of frustration are looked for: `AMPInteractionsOptions`; kept, but not looked for yet.
@objc(AMPInteractionsOptions)
public final class ObjCInteractionsOptions: NSObject, Sendable {
  let options: InteractionsOptions

  init(_ options: InteractionsOptions) { self.options = options }

  /// A choice of both.
  @objc(initWithRageClick:deadClick:)
  public convenience init(rageClick: Bool, deadClick: Bool) {
    self.init(
      InteractionsOptions(
        rageClick: RageClickOptions(enabled: rageClick),
        deadClick: DeadClickOptions(enabled: deadClick)
      )
    )
  }
}
#endif
