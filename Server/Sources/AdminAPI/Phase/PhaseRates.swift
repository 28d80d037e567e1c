/// How often somebody asks: 300 requests in 60 seconds for each key and each address.
///
/// A value. Source: Phase's server, as `phase.md` section 7.1 tells.
struct PhaseRates: Sendable {
  /// Requests of a window.
  static let limit = 300
  /// The window's length in milliseconds.
  static let windowMs: Int64 = 60_000

  private struct Window {
    var startMs: Int64
    var count: Int
  }

  private var windows: [String: Window] = [:]

  /// Lets a request of these senders in, or says how many seconds to wait.
  mutating func admit(_ senders: [String], nowMs: Int64) -> Int? {
    if windows.count > 10_000 {
      windows = windows.filter { nowMs - $0.value.startMs < Self.windowMs }
    }
    for sender in senders {
      guard let window = windows[sender], nowMs - window.startMs < Self.windowMs,
        nowMs >= window.startMs, window.count >= Self.limit
      else { continue }
      return Int((window.startMs + Self.windowMs - nowMs + 999) / 1_000)
    }
    for sender in senders {
      var window = windows[sender] ?? Window(startMs: nowMs, count: 0)
      if nowMs - window.startMs >= Self.windowMs || nowMs < window.startMs {
        window = Window(startMs: nowMs, count: 0)
      }
      window.count += 1
      windows[sender] = window
    }
    return nil
  }
}
