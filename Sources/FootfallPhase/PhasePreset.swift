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

extension DestinationSettings {
  /// A destination that delivers as Phase's client does.
  package static func phase(
    name: String = mainName,
    folder: String,
    codec: PhaseCodec
  ) -> DestinationSettings {
    var settings = DestinationSettings(name: name, folder: folder, codec: codec)
    settings.outbox = .phase
    settings.overflow = .oldestGroups
    settings.writeSeconds = 1
    settings.flush = .phase
    settings.delivery = .phase
    settings.mergesIdentifies = false
    return settings
  }
}

extension EngineSettings {
  /// Settings of a client that sends as Phase does.
  package static func phase(folder: String, codec: PhaseCodec) -> EngineSettings {
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main = .phase(folder: folder, codec: codec)
    settings.rules = .phase
    settings.key = codec.key
    return settings
  }
}

extension StorageLocation {
  /// Where the client keeps what is unsent: a folder of Phase's name within the app's.
  package static var phase: StorageLocation { .standard(product: "PhaseAnalytics") }
}

extension Logger {
  /// What Phase's client prints: lines of a level and above, each beginning with `[Phase]`; nothing
  /// for nil.
  ///
  /// Source: `phase.md` section 2.3.
  package static func phase(_ level: FootfallPlatform.LogLevel?) -> Logger {
    Logger(level: level, sink: { line in print("[Phase] \(line.text)") })
  }
}
