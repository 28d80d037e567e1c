package import FootfallCore
package import FootfallPlatform

extension UploadVerdict {
  /// What it means that no answer came, where only a timeout tells of a server that was reached.
  package init(_ failure: TransportFailure) {
    let kind: DeliveryProblem.Kind = failure == .timedOut ? .timedOut : .offline
    self = .failed(DeliveryProblem(kind, failure), retryAfterSeconds: nil)
  }
}

extension DeliveryProblem {
  /// A problem that the transport reported.
  package init(_ kind: Kind, _ failure: TransportFailure) {
    self.init(kind, "Sending failed: \(failure).")
  }
}

extension AnswerRules {
  /// The verdict for an answer, with the `Retry-After` among its headers; `now` is in seconds since
  /// 1970.
  package func verdict(
    status: Int,
    headers: [String: String],
    now: Double,
    message: String = ""
  ) -> UploadVerdict {
    let rest = headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
    return verdict(status: status, retryAfterSeconds: rest, message: message)
  }
}
