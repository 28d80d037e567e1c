/// How far a client's clock is off, judged by when it says it sent the request.
package struct ClockCorrection {
  /// When the client says it sent the request; nil when it did not, or said what cannot be.
  package let sentAtMs: Int64?
  /// What must be added to the client's times, in milliseconds.
  package let correctionMs: Int64

  /// Clocks of vendors' clients agree when they differ by less than 60 s.
  package static let usualToleranceMs: Int64 = 60_000

  /// Compares the two clocks; a difference of less than `toleranceMs` is the network's, not a clock's.
  package init(receivedAtMs: Int64, sentAtMs: Int64?, toleranceMs: Int64) {
    guard let sentAtMs, Timestamp.range.contains(sentAtMs) else {
      self.sentAtMs = nil
      correctionMs = 0
      return
    }
    self.sentAtMs = sentAtMs
    let skew = receivedAtMs - sentAtMs
    correctionMs = abs(skew) < toleranceMs ? 0 : skew
  }
}
