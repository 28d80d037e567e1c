package import FootfallCore
package import FootfallEngine
package import FootfallOutbox
import FootfallPlatform

extension OutboxLimits {
  /// Files of what one request may hold, whatever number of events the queue sends at.
  ///
  /// 975,000 bytes of events leave room for the rest of a body of 1 MB; 2,000 events is the most of a
  /// request. Source: `amplitude.md` section 1.5, scenarios D30 and D44; the bytes are ours.
  package static let amplitude = OutboxLimits(batchEvents: 2_000, batchBytes: 975_000)
}

extension ConsentCore.Rule {
  /// Opting out stops new events; stored ones are still sent.
  ///
  /// Source: `amplitude.md`, P10.
  package static let amplitude = ConsentCore.Rule.sendsStored
}

extension DestinationSettings.LogLevels {
  /// What Amplitude's client says when: a flush at `log`, a failed upload at `error`.
  ///
  /// Source: `amplitude.md`, L12.
  package static let amplitude: DestinationSettings.LogLevels = {
    var levels = DestinationSettings.LogLevels()
    levels.flush = .info
    levels.failure = .error
    return levels
  }()
}

extension DestinationSettings {
  /// A destination that delivers as Amplitude's client does.
  ///
  /// The system is asked for time around each request (`amplitude.md` section 2.12).
  ///
  /// - Parameters:
  ///   - name: Tells it apart from others.
  ///   - folder: Its own folder.
  ///   - codec: Endpoint and key.
  ///   - queueSize: So many waiting events are sent at once; 0 counts as 1.
  ///   - intervalSeconds: What waits is sent at every tick of so many seconds.
  ///   - maxRetries: The client goes offline at the failure after so many in a row.
  /// - Returns: The settings.
  package static func amplitude(
    name: String = mainName,
    folder: String,
    codec: AmplitudeCodec,
    queueSize: Int = 30,
    intervalSeconds: Double = 30,
    maxRetries: Int = 6
  ) -> DestinationSettings {
    var settings = DestinationSettings(name: name, folder: folder, codec: codec)
    settings.outbox = .amplitude
    settings.delivery = .amplitude(maxRetries: maxRetries)
    settings.levels = .amplitude
    settings.asksForTime = true
    settings.flush = .amplitude(queueSize: queueSize, intervalSeconds: intervalSeconds)
    return settings
  }
}
