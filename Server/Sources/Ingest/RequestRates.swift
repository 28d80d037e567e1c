/// How many requests a sender has made in its current stretch of time, a minute unless told otherwise.
///
/// A value: it is told of a request and says whether to wait. A stretch begins with a sender's first
/// request; what is refused does not count. Sources: `phase.md` section 6.7, Identify API, "Limits".
struct RequestRates {
  private struct Stretch {
    var startMs: Int64
    var count: Int
  }

  private var stretches: [String: Stretch] = [:]
  private let lengthMs: Int64
  private let maxSenders: Int

  /// No requests yet; at most that many senders are remembered, and a flood of others forgets them.
  init(lengthMs: Int64 = 60_000, maxSenders: Int = 100_000) {
    self.lengthMs = lengthMs
    self.maxSenders = maxSenders
  }

  /// Counts a request for all its senders; returns the seconds to wait, from 1 on, when one of them has
  /// made as many as the limit.
  mutating func admit(_ senders: [String], limit: Int, nowMs: Int64) -> Int? {
    var waitMs: Int64 = 0
    for sender in senders {
      guard let known = stretch(of: sender, nowMs), known.count >= limit else { continue }
      waitMs = max(waitMs, known.startMs + lengthMs - nowMs)
    }
    guard waitMs == 0 else { return Int((waitMs + 999) / 1_000) }
    for sender in senders {
      if stretches.count >= maxSenders { makeRoom(nowMs) }
      let known = stretch(of: sender, nowMs) ?? Stretch(startMs: nowMs, count: 0)
      stretches[sender] = Stretch(startMs: known.startMs, count: known.count + 1)
    }
    return nil
  }

  private func stretch(of sender: String, _ nowMs: Int64) -> Stretch? {
    guard let known = stretches[sender], (0..<lengthMs).contains(nowMs - known.startMs) else {
      return nil
    }
    return known
  }

  private mutating func makeRoom(_ nowMs: Int64) {
    stretches = stretches.filter { nowMs - $0.value.startMs < lengthMs }
    if stretches.count >= maxSenders { stretches.removeAll() }
  }
}
