import FootfallCore
import FootfallOutbox

/// A flush someone waits for, with the numbers at its beginning.
struct Flusher {
  let delivered: Int
  let rejected: [String: Int]
  let done: (DeliveryReport) -> Void
}

extension Destination {
  /// Stores and sends everything committed so far, as far as one pass gets, and tells what came of
  /// it.
  func flush(
    _ kind: UploadCore.FlushKind = .ordinary,
    _ done: @escaping (DeliveryReport) -> Void
  ) {
    releaseHeld()
    writeDeferred()
    let flusher = Flusher(delivered: counts.delivered, rejected: counts.rejected, done: done)
    if settings.keeper != nil {
      flushers.append(flusher)
      return flushKeeper(kind)
    }
    guard let outbox else {
      done(DeliveryReport(problem: counts.problem))
      return
    }
    flushers.append(flusher)
    if kind == .last { storeNewest() } else { storeNewestIfSendable() }
    flushTarget = outbox.writtenEnd
    if kind == .last || flushKind == .ordinary { flushKind = kind }
    perform(FlushPolicy.Effect.sealAll)
    continueSealing()
  }

  func finishFlush(_ problem: DeliveryProblem?) {
    let finished = flushers
    flushers = []
    // What is still to be sealed for it waits like everything else.
    flushTarget = nil
    flushKind = .ordinary
    guard !finished.isEmpty else { return }
    if outbox?.oldest == nil { tidy() }
    let kept = keptEvents + held.count
    let stuck = (outbox?.unsealedEvents ?? 0) > 0 ? counts.problem : nil
    for flusher in finished {
      let rejected = counts.rejected.merging(flusher.rejected) { $0 - $1 }.filter { $0.value > 0 }
      flusher.done(
        DeliveryReport(
          delivered: counts.delivered - flusher.delivered,
          kept: kept,
          rejected: rejected,
          problem: problem ?? stuck
        )
      )
    }
  }
}
