/// What a native request may hold; over a limit the event is refused, not the batch.
enum NativeLimits {
  static let events = 1000
  static let eventBytes = 64 * 1024
  static let nameCharacters = 256
  /// Ids of events, devices, persons and sessions.
  static let idBytes = 1024
  /// 3,653 days: ten years with three leap days.
  static let backDatingMs: Int64 = 3653 * 86_400_000
  /// Beyond this the client's clock is not believed.
  static let futureMs: Int64 = 86_400_000
  /// A clock is off when it differs by more than 60 s.
  static let clockToleranceMs: Int64 = 60_001

  static let json = JSONLimits(
    maxDepth: 8,
    maxMembers: 256,
    longText: .refused(maxBytes: 8 * 1024)
  )
}
