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
  /// - Returns: The settings.
  package static func pinpoint(
    folder: String,
    codec: PinpointCodec,
    sessionMilliseconds: Int64 = 5_000,
    announcesSessions: Bool = true
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
    settings.leaving = .awaitsSessionEnd
    return settings
  }
}
