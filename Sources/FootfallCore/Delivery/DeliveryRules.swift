/// What a destination does about failures: waits, limits, pauses.
///
/// A value, since each documented product has its own; `UploadCore` follows it.
package struct DeliveryRules: Sendable, Equatable {
  /// How long sending pauses after a refused key, in seconds.
  package struct KeyPause: Sendable, Equatable {
    /// After the first refusal.
    package var firstSeconds: Double
    /// After each further one.
    package var laterSeconds: Double

    /// A pause from its parts.
    package init(firstSeconds: Double, laterSeconds: Double) {
      self.firstSeconds = Seconds.usable(firstSeconds)
      self.laterSeconds = Seconds.usable(laterSeconds)
    }
  }

  /// How waits after failures grow.
  package var backoff = BackoffShape.fullJitter
  /// The most of a `Retry-After` that is honoured, in seconds.
  package var retryAfterCapSeconds = 3_600.0
  /// The pause after a refused key; nil to treat it like any failure.
  package var keyPause: KeyPause? = KeyPause(firstSeconds: 60, laterSeconds: 600)
  /// The client goes offline at the failure after so many in a row; nil for never.
  package var failuresBeforeOffline: Int?
  /// Whether a server that cannot be reached takes the client offline at once.
  package var goesOfflineWhenUnreachable = false
  /// Whether nothing is sent while the network is reported to be away.
  ///
  /// False: a monitor can be wrong, and an attempt costs little.
  package var waitsForConnectivity = false
  /// Whether a flush ends an ordinary wait; it never ends a `Retry-After` or a key pause.
  package var flushEndsWait = true
  /// An event is dropped when so many of its retries failed by themselves; nil for never.
  ///
  /// Only answers about the event count, never failures of the whole request.
  package var retriesPerEvent: Int?
  /// Whether batches are sent only while someone waits for a flush.
  package var sendsOnlyOnFlush = false
  /// How often a flush sends a failed request again before it ends.
  package var resendsPerFlush = 0

  /// The native client's rules.
  package init() {}
}

extension DeliveryRules {
  /// Full jitter from 1 s to 5 min; a refused key pauses for 60 s, then 10 min; nothing is dropped
  /// for having failed often.
  package static let native = DeliveryRules()

  /// The same as the native client's.
  ///
  /// Source: `simpledatalogs.md` sections 3.4 and 3.7.
  package static let simpleDataLogs = DeliveryRules()

  /// Exact waits of 1, 2, 4 … 60 s, and offline at the failure after `maxRetries` in a row.
  ///
  /// A flush during a wait changes nothing: that upload counts as running. A batch whose refusal
  /// names no event is given up after 10 tries, so that it cannot loop for ever. Source:
  /// `amplitude.md` section 2.12; the number of tries is ours.
  package static func amplitude(maxRetries: Int) -> DeliveryRules {
    var rules = DeliveryRules()
    rules.backoff = .exact
    rules.keyPause = nil
    rules.failuresBeforeOffline = max(0, maxRetries)
    rules.goesOfflineWhenUnreachable = true
    rules.waitsForConnectivity = true
    rules.flushEndsWait = false
    rules.retriesPerEvent = 9
    return rules
  }

  /// Half jitter from 2 s to 5 min, five retries per event, a refused key pauses for 5 min, and a
  /// flush waits like everyone else.
  ///
  /// Source: `phase.md` section 5.7.
  package static let phase: DeliveryRules = {
    var rules = DeliveryRules()
    rules.backoff = .halfJitter
    rules.keyPause = KeyPause(firstSeconds: 300, laterSeconds: 300)
    rules.waitsForConnectivity = true
    rules.flushEndsWait = false
    rules.retriesPerEvent = 5
    return rules
  }()

  /// Sent when the app submits: three quick resends of a request, three retries per event.
  ///
  /// Source: `aws.md` sections 3.2 and 3.7.
  package static let pinpoint: DeliveryRules = {
    var rules = DeliveryRules()
    rules.backoff = .resend
    rules.keyPause = nil
    rules.retriesPerEvent = 3
    rules.sendsOnlyOnFlush = true
    rules.resendsPerFlush = 3
    return rules
  }()
}
