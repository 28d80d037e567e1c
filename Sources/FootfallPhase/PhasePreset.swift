import FootfallCore
package import FootfallEngine
package import FootfallOutbox
package import FootfallPlatform

extension OutboxLimits {
  /// Batches of 50 items, 1,000 kept; each batch is cut when it is its turn, so that what gathered
  /// meanwhile goes in full ones.
  ///
  /// Source: `phase.md` sections 5.5 and 5.6.
  package static let phase = OutboxLimits(
    batchEvents: 50,
    keptEvents: 1_000,
    keptBatches: 1_000,
    batchesAhead: 1
  )
}

extension EngineSettings {
  /// Settings of a client that sends as Phase does.
  package static func phase(folder: String, codec: PhaseCodec) -> EngineSettings {
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main.outbox = .phase
    settings.main.overflow = .oldestGroups
    settings.main.writeSeconds = 1
    settings.main.flush = .phase
    settings.main.delivery = .phase
    settings.main.mergesIdentifies = false
    settings.rules = .phase
    settings.key = codec.key
    return settings
  }
}

extension Logger {
  /// What Phase's client prints: lines of a level and above, each beginning with `[Phase]`; nothing
  /// for nil.
  ///
  /// Source: `phase.md` section 2.3.
  package static func phase(_ level: LogLevel?) -> Logger {
    Logger(level: level, sink: { line in print("[Phase] \(line.text)") })
  }
}
