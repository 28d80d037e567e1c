import FootfallCore
package import FootfallEngine
package import FootfallOutbox

extension OutboxLimits {
  /// Batches of 50 items, 1,000 kept; all that waits may be sealed at once.
  ///
  /// Beyond that the oldest go, which are those of the oldest session. Source: `phase.md` sections
  /// 5.5 and 5.6; that devices outlive their sessions there is not kept here.
  package static let phase = OutboxLimits(
    batchEvents: 50,
    keptEvents: 1_000,
    keptBatches: 1_000,
    batchesAhead: .max
  )
}

extension EngineSettings {
  /// Settings of a client that sends as Phase does.
  package static func phase(folder: String, codec: PhaseCodec) -> EngineSettings {
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main.outbox = .phase
    settings.main.flush = .phase
    settings.main.delivery = .phase
    settings.main.mergesIdentifies = false
    settings.rules = .phase
    settings.key = codec.key
    return settings
  }
}
