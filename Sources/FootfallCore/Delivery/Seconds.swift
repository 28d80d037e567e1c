/// Seconds as an app or a server gave them, which may be any number.
enum Seconds {
  /// The longest time anything waits, in seconds: some 31 years.
  static let most = 1e9

  /// What can be added to a clock: NaN and what is negative become 0, and what is huge the most.
  static func usable(_ seconds: Double) -> Double {
    seconds > 0 ? min(seconds, most) : 0
  }
}
