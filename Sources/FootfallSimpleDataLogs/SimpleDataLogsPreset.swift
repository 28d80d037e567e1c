package import FootfallCore
package import FootfallEngine
package import FootfallOutbox

extension OutboxLimits {
  /// Batches of 50 events or 250,000 bytes; 10,000 events, 10,000,000 bytes and 500 files are kept.
  ///
  /// Every batch is sealed as soon as it is full or due, since the files are counted. Source:
  /// `simpledatalogs.md` sections 3.2 and 3.5.
  package static let simpleDataLogs = OutboxLimits(
    batchEvents: 50,
    batchBytes: 250_000,
    keptEvents: 10_000,
    keptBytes: 10_000_000,
    keptBatches: 500,
    batchesAhead: .max
  )
}

extension FlushRules {
  /// Batches of 50 events or 250,000 bytes, or what there is 10 s after the first; 5 s in a debug
  /// build of the app.
  ///
  /// Source: `simpledatalogs.md` section 3.2.
  package static func simpleDataLogs(isDebug: Bool = false) -> FlushRules {
    FlushRules(
      maxEvents: 50,
      maxBytes: 250_000,
      interval: .afterFirstEvent(seconds: isDebug ? 5 : 10)
    )
  }
}

extension DestinationSettings {
  /// A destination that delivers as SimpleDataLogs' client does.
  ///
  /// - Parameters:
  ///   - name: Tells it apart from others.
  ///   - folder: Its own folder.
  ///   - codec: Endpoint and key.
  ///   - isDebug: Whether the app is a debug build, which sends sooner.
  /// - Returns: The settings.
  package static func simpleDataLogs(
    name: String = mainName,
    folder: String,
    codec: SimpleDataLogsCodec,
    isDebug: Bool = false
  ) -> DestinationSettings {
    var settings = DestinationSettings(name: name, folder: folder, codec: codec)
    settings.outbox = .simpleDataLogs
    settings.delivery = .simpleDataLogs
    settings.flush = .simpleDataLogs(isDebug: isDebug)
    settings.mergesIdentifies = false
    return settings
  }
}
