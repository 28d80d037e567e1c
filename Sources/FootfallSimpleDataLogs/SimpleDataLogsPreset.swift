package import FootfallCore
package import FootfallEngine
package import FootfallOutbox
package import FootfallPlatform

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

extension EngineSettings {
  /// How many events wait for the writer at most; further ones are skipped.
  ///
  /// Source: `simpledatalogs.md` section 3.5.
  package static let simpleDataLogsWaitingEvents = 5_000

  /// Settings of a client that works as SimpleDataLogs' does.
  ///
  /// Says in the log what is wrong with the key.
  ///
  /// - Parameters:
  ///   - folder: The client's folder, `StorageLocation.simpleDataLogs` as a rule.
  ///   - codec: Endpoint and key.
  ///   - capture: What is told without a call.
  ///   - isDebug: Whether the app is a debug build, which sends sooner.
  ///   - environment: The world it runs in.
  /// - Returns: The settings.
  package static func simpleDataLogs(
    folder: String,
    codec: SimpleDataLogsCodec,
    capture: SimpleDataLogsCapture = SimpleDataLogsCapture(),
    isDebug: Bool = false,
    in environment: Environment
  ) -> EngineSettings {
    if let problem = codec.keyProblem { environment.log.warning(problem) }
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main = .simpleDataLogs(folder: folder, codec: codec, isDebug: isDebug)
    settings.rules = capture.rules(on: environment.device)
    settings.crashes = capture.crashes
    settings.waitingEvents = simpleDataLogsWaitingEvents
    return settings
  }
}

extension StorageLocation {
  /// Where SimpleDataLogs' client keeps what is unsent: a folder of that name within the app's.
  ///
  /// Source: `simpledatalogs.md` section 3.3.
  package static var simpleDataLogs: StorageLocation { .standard(product: "SimpleDataLogs") }
}

extension Logger {
  /// What SimpleDataLogs' client says: to the unified log under its own subsystem, and on Linux to
  /// standard error, but only where `SDL_LOG` names a level.
  ///
  /// Source: `simpledatalogs.md` section 9.
  package static var simpleDataLogs: Logger {
    // The unified log keeps what it is told to keep, so it gets every line.
    #if canImport(os)
    let level: LogLevel? = .debug
    #else
    let level: LogLevel? = nil
    #endif
    return .system(level: level, subsystem: "com.simpledatalogs.sdk", variable: "SDL_LOG")
  }
}
