/// Decides whether another attempt to sign in is allowed.
///
/// Per address and in total, so that neither one machine nor many can guess. Behind a proxy that is
/// not trusted everyone shares one address; the limits are wide enough for a team.
struct SignInLimiter {
  /// Attempts of one address within the window.
  static let perAddress = 10
  /// Attempts of all addresses within the window.
  static let inTotal = 100
  /// Five minutes.
  static let windowMs: Int64 = 300_000

  private var attempts: [(address: String, atMs: Int64)] = []

  /// Counts an attempt, or returns after how many seconds to try again.
  mutating func attempt(from address: String, nowMs: Int64) -> Int? {
    // A clock that was set back must not lock everyone out.
    attempts.removeAll { $0.atMs + Self.windowMs <= nowMs || $0.atMs > nowMs }
    let own = attempts.filter { $0.address == address }
    let oldest: Int64? =
      if own.count >= Self.perAddress {
        own.first?.atMs
      } else if attempts.count >= Self.inTotal {
        attempts.first?.atMs
      } else {
        nil
      }
    if let oldest { return Int((oldest + Self.windowMs - nowMs + 999) / 1_000) }
    attempts.append((address, nowMs))
    return nil
  }

  /// Forgets an address that got in.
  mutating func succeeded(from address: String) {
    attempts.removeAll { $0.address == address }
  }
}
