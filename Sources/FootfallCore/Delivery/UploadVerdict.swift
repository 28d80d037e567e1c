/// What an answer, or none, means for the batch that was sent.
package enum UploadVerdict: Sendable, Hashable {
  /// The server has it.
  case delivered
  /// The server does not know the key: pause.
  case keyRefused
  /// Too much in one request: send it in parts.
  case tooLarge
  /// The server will never read this batch: put it aside.
  case unreadable
  /// Try again later, after at least `retryAfterSeconds` if the server said so.
  case failed(DeliveryProblem, retryAfterSeconds: Double?)
}

/// Which status means what.
///
/// A value, since each documented protocol has its own table.
package struct AnswerRules: Sendable, Hashable {
  /// Statuses that mean the batch is stored.
  ///
  /// Native: every 2xx.
  package var delivered: ClosedRange<Int> = 200...299
  /// Statuses that mean the key is not known.
  package var keyRefused: Set<Int> = [401]
  /// Statuses that mean the request is too large.
  package var tooLarge: Set<Int> = [413]
  /// Statuses that mean the batch can never be read.
  package var unreadable: Set<Int> = [415]

  /// The rules of Footfall v1.
  ///
  /// Any other status is a failure that is tried again: a 400 or 404 in front of a collector comes
  /// from something that may be repaired, and giving up loses events.
  package init() {}

  /// The verdict for a status, with the `Retry-After` that came along, in seconds.
  package func verdict(status: Int, retryAfterSeconds: Double?) -> UploadVerdict {
    if delivered.contains(status) { return .delivered }
    if keyRefused.contains(status) { return .keyRefused }
    if tooLarge.contains(status) { return .tooLarge }
    if unreadable.contains(status) { return .unreadable }
    if let retryAfterSeconds {
      // A server may ask for any number, also one that is no `Int`.
      let rest = Int(min(max(0, retryAfterSeconds), 1e9))
      let text = "The server answered \(status) and asked for \(rest) s of rest."
      return .failed(
        DeliveryProblem(.serverBusy, text),
        retryAfterSeconds: retryAfterSeconds
      )
    }
    let problem = DeliveryProblem(.unexpectedAnswer, "The server answered \(status).")
    return .failed(problem, retryAfterSeconds: nil)
  }
}
