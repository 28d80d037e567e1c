/// How far a client's clock is off, judged by when it says it sent the request.
struct ClockCorrection {
  /// When the client says it sent the request; nil when it did not, or said what cannot be.
  let sentAtMs: Int64?
  /// What must be added to the client's times, in milliseconds.
  let correctionMs: Int64

  /// Compares the two clocks; a difference of less than `toleranceMs` is the network's, not a clock's.
  init(receivedAtMs: Int64, sentAtMs: Int64?, toleranceMs: Int64) {
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
