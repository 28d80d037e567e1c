/// When stored events become a batch.
///
/// A value, since each documented product has its own; `FlushPolicy` follows it.
package struct FlushRules: Sendable, Equatable {
  /// What the time runs from.
  package enum Interval: Sendable, Equatable {
    /// From the first event of the partial batch; later ones do not move it.
    case afterFirstEvent(seconds: Double)
    /// From the last attempt to send, if that is not longer ago, else from the first event.
    case afterAttempt(seconds: Double)
    /// A clock that ticks from the start, whether events wait or not.
    case periodic(seconds: Double)

    /// The seconds, fit to be added to a clock: 0 for what is no number or negative.
    package var seconds: Double {
      switch self {
      case .afterFirstEvent(let seconds), .afterAttempt(let seconds), .periodic(let seconds):
        Seconds.usable(seconds)
      }
    }
  }

  /// So many waiting events are sent at once, those of a partial batch too; nil for never.
  ///
  /// What is below 1 counts as 1.
  package var triggerEvents: Int?
  /// The most events in a batch; at least 1.
  package var maxEvents: Int
  /// The most bytes in a batch, before compression; at least 1.
  package var maxBytes: Int
  /// How long a partial batch waits.
  package var interval: Interval
  /// Whether a partial batch stays open while nothing could be sent, so that what gathers
  /// meanwhile leaves in few requests.
  package var waitsForUpload = false
  /// Whether a batch is made as soon as it is full; if not, only when its time has come or someone
  /// flushes, so that what is too much can be dropped event by event.
  package var sealsFull = true
  /// Whether all that waits is sent as soon as the network is back.
  package var sendsWhenOnline = false

  /// Rules from their parts.
  package init(maxEvents: Int, maxBytes: Int, interval: Interval) {
    self.maxEvents = maxEvents
    self.maxBytes = maxBytes
    self.interval = interval
  }
}

extension FlushRules {
  /// Batches of 50 events or 250,000 bytes, or what there is 10 s after the first.
  ///
  /// Source: `simpledatalogs.md` section 3.2; the native client has the same rule.
  package static let native = FlushRules(
    maxEvents: 50,
    maxBytes: 250_000,
    interval: .afterFirstEvent(seconds: 10)
  )

  /// At a number of events and at every tick; what gathers offline leaves in one request.
  ///
  /// Source: `amplitude.md` section 2.12, scenarios D1–D3, D28, D30, D42; sizes of section 1.5,
  /// 1,000,000 bytes being ours.
  package static func amplitude(queueSize: Int, intervalSeconds: Double) -> FlushRules {
    var rules = FlushRules(
      maxEvents: 2_000,
      maxBytes: 1_000_000,
      interval: .periodic(seconds: intervalSeconds)
    )
    rules.triggerEvents = max(1, queueSize)
    rules.waitsForUpload = true
    return rules
  }

  /// Everything, in slices of 50, once 20 wait or 10 s after the last attempt.
  ///
  /// Source: `phase.md` section 5.6.
  package static let phase: FlushRules = {
    var rules = FlushRules(
      maxEvents: 50,
      maxBytes: 250_000,
      interval: .afterAttempt(seconds: 10)
    )
    rules.triggerEvents = 20
    rules.waitsForUpload = true
    rules.sendsWhenOnline = true
    return rules
  }()

  /// Batches of 100 events or 512 KB, never by themselves.
  ///
  /// Source: `aws.md` section 3.2, scenarios A7, A13 and A17.
  package static let pinpoint: FlushRules = {
    var rules = FlushRules(
      maxEvents: 100,
      maxBytes: 524_288,
      interval: .afterFirstEvent(seconds: .infinity)
    )
    rules.sealsFull = false
    return rules
  }()
}
