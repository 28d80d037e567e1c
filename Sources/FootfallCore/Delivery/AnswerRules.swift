/// Which status means what.
///
/// A value, since each documented protocol has its own table.
package struct AnswerRules: Sendable, Equatable {
  /// Statuses that mean the batch is stored.
  ///
  /// Native: every 2xx.
  package var delivered: ClosedRange<Int> = 200...299
  /// Statuses that mean the key is not known.
  package var keyRefused: Set<Int> = [401]
  /// Statuses that mean the request is too large.
  package var tooLarge: Set<Int> = [413]
  /// Statuses that mean the server cannot make sense of the request, whatever it is about it.
  package var malformed: Set<Int> = []
  /// Statuses that mean the batch can never be read.
  package var unreadable: Set<Int> = [415]

  /// The rules of Footfall v1.
  ///
  /// Any other status is a failure that is tried again: a 400 or 404 in front of a collector comes
  /// from something that may be repaired, and giving up loses events.
  package init() {}

  /// The verdict for a status, with the `Retry-After` that came along, in seconds, and the
  /// server's words.
  package func verdict(
    status: Int,
    retryAfterSeconds: Double?,
    message: String = ""
  ) -> UploadVerdict {
    if delivered.contains(status) { return .delivered(status: status) }
    if keyRefused.contains(status) { return .keyRefused }
    if tooLarge.contains(status) { return .tooLarge(status: status, message: message) }
    if malformed.contains(status) { return .malformed(status: status, message: message) }
    if unreadable.contains(status) { return .unreadable }
    if let retryAfterSeconds {
      // A server may ask for any number, also one that is no `Int`.
      let rest = Int(Seconds.usable(retryAfterSeconds))
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
