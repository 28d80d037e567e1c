import FootfallCore
package import FootfallEngine
package import FootfallOutbox

extension OutboxLimits {
  /// Batches of 100 events or 512 KB; 5 MB are kept.
  ///
  /// Source: `aws.md` section 3.2.
  package static let pinpoint = OutboxLimits(
    batchEvents: 100,
    batchBytes: 524_288,
    keptBytes: 5_242_880
  )
}

extension EngineSettings {
  /// Settings of a client that sends as Pinpoint's does: at `submitEvents`, and when a session ends.
  ///
  /// - Parameters:
  ///   - folder: Where everything is kept.
  ///   - codec: Where events go.
  ///   - sessionMilliseconds: How long the app may be away before its session ends.
  ///   - announcesSessions: Whether sessions are recorded by themselves.
  ///   - targeting: Where endpoints go, if not where events do.
  ///   - onTaken: Told up to which revision the service has taken the endpoint.
  ///   - onFailed: Told up to which revision it has not, and why.
  ///   - onCarried: Told which event, by its id, carries which revision.
  /// - Returns: The settings.
  package static func pinpoint(
    folder: String,
    codec: PinpointCodec,
    sessionMilliseconds: Int64 = 5_000,
    announcesSessions: Bool = true,
    targeting: PinpointCodec? = nil,
    onTaken: @escaping @Sendable (Int) -> Void = { _ in },
    onFailed: @escaping @Sendable (Int, String) -> Void = { _, _ in },
    onCarried: @escaping @Sendable (Int, String) -> Void = { _, _ in }
  ) -> EngineSettings {
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main.outbox = .pinpoint
    settings.main.flush = .pinpoint
    settings.main.delivery = .pinpoint
    settings.main.mergesIdentifies = false
    settings.rules = .pinpoint(
      appID: codec.appID,
      sessionMilliseconds: sessionMilliseconds,
      announcesSessions: announcesSessions
    )
    settings.rules.profile = PinpointEndpointCodec.eventName
    settings.others = [
      .pinpointEndpoint(
        folder: folder + "/endpoint",
        codec: PinpointEndpointCodec(
          targeting ?? codec,
          onTaken: onTaken,
          onFailed: onFailed,
          onCarried: onCarried
        )
      )
    ]
    settings.leaving = .awaitsSessionEnd
    return settings
  }
}

extension DestinationSettings {
  /// Where the endpoint is kept up to date: at once, whenever that is asked for, and again until the
  /// service answers.
  static func pinpointEndpoint(folder: String, codec: PinpointEndpointCodec) -> DestinationSettings
  {
    var settings = DestinationSettings(name: "endpoint", folder: folder, codec: codec)
    settings.outbox = OutboxLimits(batchEvents: 1, batchesAhead: 1)
    settings.flush.interval = .afterFirstEvent(seconds: 0)
    settings.delivery.keyPause = nil
    settings.joinsFlush = false
    settings.mergesIdentifies = false
    return settings
  }
}
