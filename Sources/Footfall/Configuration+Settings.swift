import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import Foundation

extension FootfallClient.Configuration {
  /// The native client's settings in a world.
  func settings(in environment: Environment) -> EngineSettings {
    var codec = NativeCodec(
      url: eventsURL,
      key: key,
      device: environment.device,
      gzip: environment.gzip
    )
    codec.timeoutSeconds = max(1, delivery.timeoutSeconds)
    var settings = EngineSettings(folder: folder(in: environment.storage), codec: codec)
    settings.main.outbox = OutboxLimits(
      batchEvents: min(delivery.maxBatchEvents, 1_000),
      batchBytes: min(delivery.maxBatchBytes, 900_000),
      keptEvents: storage.maxEvents,
      keptBytes: storage.maxBytes
    )
    settings.main.flush.interval = .afterFirstEvent(seconds: delivery.intervalSeconds)
    settings.rules = rules ?? nativeRules
    settings.rules.isTest = isTest
    settings.key = key
    settings.isEnabled = isEnabled
    settings.deviceID = identity.deviceID
    return settings
  }

  private var nativeRules: PipelineRules {
    var rules = PipelineRules.native
    guard sessions.isEnabled else {
      rules.sessions = nil
      return rules
    }
    var session = SessionRules.native
    session.timeoutMilliseconds = Self.milliseconds(sessions.timeoutSeconds)
    session.maximumMilliseconds = sessions.maximumSeconds.map(Self.milliseconds)
    session.announces = sessions.areTold
    rules.sessions = session
    return rules
  }

  private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
    max(1_000, Int64(clamping: seconds * 1_000))
  }

  /// Says what is wrong with the key, which is all that can be wrong.
  func check(_ log: Logger) {
    if key.isEmpty {
      log.error("The key is empty; the server will refuse every event.")
    } else if key.hasPrefix("ff_sec_") {
      log.warning("The key is a secret key; an app should carry an ingest key only.")
    }
  }

  private var eventsURL: String {
    var base = endpoint.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    return base.hasSuffix("/v1/events") ? base : base + "/v1/events"
  }

  /// One folder per instance and key: unsent events never go to another project.
  private func folder(in location: StorageLocation) -> String {
    let root = storage.folder ?? location.path
    let name = String(
      storage.instance.prefix(64).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }
    )
    return "\(root)/\(name)-\(Self.fingerprint(key))"
  }

  /// Eight hexadecimal digits that tell keys apart (FNV-1a); the key itself stays out of paths.
  private static func fingerprint(_ key: String) -> String {
    let hash = key.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
