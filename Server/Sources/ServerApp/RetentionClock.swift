/// By which time the retention goes, so that one start under a wrong clock removes nothing.
///
/// It follows the machine's clock. When that leaps ahead, by more than two days since a server last looked,
/// it stays where it was until the clock has shown the new time for a day: a server that was off for weeks
/// removes what is due a day later, and a clock that is set right within that day has done no harm. It
/// follows a clock that is set back at once; by that nothing is removed too early.
///
/// A value, kept in the catalogue between starts.
struct RetentionClock: Codable, Equatable {
  /// A time ahead that is not believed yet.
  struct Doubt: Codable, Equatable {
    /// When it was first seen, by itself, in milliseconds since 1970.
    var sinceMs: Int64
    /// When it was last seen.
    var seenMs: Int64
  }

  /// How far the clock may go ahead between two looks; two days.
  static let leapMs: Int64 = 2 * 86_400_000
  /// How long a leap must last to be believed; a day.
  static let proofMs: Int64 = 86_400_000

  /// The last time that was believed, in milliseconds since 1970.
  private(set) var trustedMs: Int64
  /// What the clock shows instead, if so.
  private(set) var doubt: Doubt?

  /// Begins with a time that is known to have been.
  init(trustedMs: Int64) { self.trustedMs = trustedMs }

  /// Takes what the clock shows.
  ///
  /// - Returns: The time to go by, in milliseconds since 1970.
  mutating func receive(nowMs: Int64) -> Int64 {
    guard nowMs > trustedMs, nowMs - trustedMs > Self.leapMs else { return believe(nowMs) }
    guard var doubt, abs(nowMs - doubt.seenMs) <= Self.leapMs else {
      doubt = Doubt(sinceMs: nowMs, seenMs: nowMs)
      return trustedMs
    }
    guard nowMs - doubt.sinceMs < Self.proofMs else { return believe(nowMs) }
    doubt.seenMs = nowMs
    self.doubt = doubt
    return trustedMs
  }

  private mutating func believe(_ nowMs: Int64) -> Int64 {
    trustedMs = nowMs
    doubt = nil
    return nowMs
  }
}
