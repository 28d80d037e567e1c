import EventStore
import FootfallSystem

/// The line between a job and whoever watches it; any thread.
final class JobControl: Sendable {
  /// Why a job ended before its end.
  enum Stop: Error, Sendable {
    /// Somebody cancelled it.
    case cancelled
    /// The server stops, and goes on with it at its next start.
    case serverStops
  }

  /// Stops a statement that runs for it.
  let cancellation = Cancellation()
  /// How far it is.
  let progress = WorkProgress()
  private let reason = Lock<Stop?>(nil)

  /// Asks the job to stop; the first reason counts.
  func stop(_ why: Stop) {
    let isFirst = reason.withLock { reason in
      defer { reason = reason ?? why }
      return reason == nil
    }
    if isFirst { cancellation.cancel() }
  }

  /// Why it was asked to stop; nil while it was not.
  var stopped: Stop? { reason.withLock { $0 } }

  /// For the job, between two steps.
  ///
  /// - Throws: `Stop` once it was asked to.
  func check() throws(Stop) {
    if let stopped { throw stopped }
  }
}
