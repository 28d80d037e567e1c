/// How many requests a sender has made in its current minute.
///
/// A value: it is told of a request and says whether to wait. A minute begins with a sender's first
/// request and ends 60 s later; what is refused does not count. Source: `phase.md` section 6.7.
struct RequestRates {
  private struct Minute {
    var startMs: Int64
    var count: Int
  }

  static let lengthMs: Int64 = 60_000

  private var minutes: [String: Minute] = [:]
  private let maxSenders: Int

  /// No requests yet; at most that many senders are remembered, and a flood of others forgets them.
  init(maxSenders: Int = 100_000) {
    self.maxSenders = maxSenders
  }

  /// Counts a request for all its senders; returns the seconds to wait, 1 to 60, when one of them has
  /// made as many as the limit.
  mutating func admit(_ senders: [String], limit: Int, nowMs: Int64) -> Int? {
    var waitMs: Int64 = 0
    for sender in senders {
      guard let minute = minute(of: sender, nowMs), minute.count >= limit else { continue }
      waitMs = max(waitMs, minute.startMs + Self.lengthMs - nowMs)
    }
    guard waitMs == 0 else { return Int((waitMs + 999) / 1_000) }
    for sender in senders {
      if minutes.count >= maxSenders { makeRoom(nowMs) }
      let minute = minute(of: sender, nowMs) ?? Minute(startMs: nowMs, count: 0)
      minutes[sender] = Minute(startMs: minute.startMs, count: minute.count + 1)
    }
    return nil
  }

  private func minute(of sender: String, _ nowMs: Int64) -> Minute? {
    guard let minute = minutes[sender], (0..<Self.lengthMs).contains(nowMs - minute.startMs) else {
      return nil
    }
    return minute
  }

  private mutating func makeRoom(_ nowMs: Int64) {
    minutes = minutes.filter { nowMs - $0.value.startMs < Self.lengthMs }
    if minutes.count >= maxSenders { minutes.removeAll() }
  }
}
