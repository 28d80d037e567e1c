/// Decides whether another attempt to prove who one is is allowed.
///
/// Per address and in total, so that neither one machine nor many can guess. Behind a proxy that is
/// not trusted everyone shares one address; the limits are wide enough for a team.
package struct AttemptLimiter: Sendable {
  /// Attempts of one address within the window.
  package let perAddress: Int
  /// Attempts of all addresses within the window.
  package let inTotal: Int
  /// Five minutes.
  package static let windowMs: Int64 = 300_000

  private var attempts: [(address: String, atMs: Int64)] = []

  /// Nobody has tried yet.
  package init(perAddress: Int, inTotal: Int) {
    self.perAddress = perAddress
    self.inTotal = inTotal
  }

  /// Counts an attempt, or returns after how many seconds to try again.
  package mutating func attempt(from address: String, nowMs: Int64) -> Int? {
    if let seconds = wait(address, nowMs: nowMs) { return seconds }
    attempts.append((address, nowMs))
    return nil
  }

  /// After how many seconds an address may try again; nil for now.
  package mutating func wait(_ address: String, nowMs: Int64) -> Int? {
    guard !attempts.isEmpty else { return nil }
    // A clock that was set back must not lock everyone out.
    attempts.removeAll { $0.atMs + Self.windowMs <= nowMs || $0.atMs > nowMs }
    let own = attempts.filter { $0.address == address }
    let oldest: Int64? =
      if own.count >= perAddress {
        own.first?.atMs
      } else if attempts.count >= inTotal {
        attempts.first?.atMs
      } else {
        nil
      }
    return oldest.map { Int(($0 + Self.windowMs - nowMs + 999) / 1_000) }
  }

  /// Forgets an address that got in.
  package mutating func succeeded(from address: String) {
    attempts.removeAll { $0.address == address }
  }
}
