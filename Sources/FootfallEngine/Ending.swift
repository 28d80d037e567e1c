import FootfallCore
import FootfallPlatform
import FootfallSystem

/// The end of the process, as the thread that brings it sees it.
///
/// The caller is held until what waits is in the journal, and then until what is stored is sent, each
/// for a limited time from the beginning of the end. Events tracked afterwards are still written:
/// `Inbox` holds their callers for what is left of the first limit.
struct Ending: Sendable {
  /// How long the end is held for the journal, in seconds.
  ///
  /// Source: `simpledatalogs.md`, section 7.
  static let writeSeconds = 1.0
  /// How long the end of an app is held in all, in seconds.
  ///
  /// Source: `simpledatalogs.md`, section 7.
  static let appSeconds = 2.0

  let inbox: Inbox
  let waits: Waits
  /// How long the caller is held for the journal, in seconds.
  var writeSeconds = Ending.writeSeconds

  /// How long the end of a program without an interface is held for the journal, in seconds.
  ///
  /// Nobody looks at a frozen window there, and a busy machine may need longer than a second.
  static let programWriteSeconds = 5.0

  /// Stores what waits, and sends what is stored if `sendSeconds` is over 0; returns when that is
  /// done, or when it has taken so long.
  func run(sendSeconds: Double, at moment: Moment) {
    let began = inbox.beginEnd(at: moment)
    let (written, over) = (waits.begin(), waits.begin())
    let limit = sendSeconds > 0 ? began + sendSeconds : nil
    let waits = waits
    inbox.post(
      .end(
        Request(
          sendsUntil: limit,
          isWritten: { waits.end(written) },
          isOver: { waits.end(over) }
        )
      )
    )
    let isWritten = waits.wait(for: written, until: began + writeSeconds)
    // Without sending there is nothing more to wait for than the disk.
    guard limit != nil || isWritten else { return }
    waits.wait(for: over, until: max(limit ?? 0, began + writeSeconds))
  }

  /// What the engine's thread is asked for.
  struct Request: Sendable {
    /// Until when sending may take; nil to send nothing.
    let sendsUntil: Double?
    /// Everything tracked before is in the journal, or counted.
    let isWritten: @Sendable () -> Void
    /// Sending is over.
    let isOver: @Sendable () -> Void
  }
}

extension EngineLoop {
  /// What came before is written; now the rest of what makes a good end.
  func end(_ request: Ending.Request) {
    for destination in destinations { destination.writeDeferred() }
    request.isWritten()
    pipeline.releaseSequence()
    saveState()
    endings.append(request.isOver)
    guard let limit = request.sendsUntil, limit > now else { return finishEnding() }
    endDeadline = max(limit, endDeadline ?? 0)
    flush(.urgent) { [weak self] _ in self.map { $0.endDeadline = $0.now } }
  }

  /// The end has been held long enough: nothing more is sent, but what comes is still stored.
  func finishEnding() {
    endDeadline = nil
    isEnded = true
    let over = endings
    endings = []
    for destination in destinations {
      destination.stop(DeliveryProblem(.shutDown, "The process ends."))
    }
    stopWatching()
    environment.transport.shutdown()
    for tell in over { tell() }
  }
}
