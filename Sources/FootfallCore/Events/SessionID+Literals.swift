public import struct Foundation.Date

extension SessionID {
  /// A session by its start, to the nearest millisecond.
  public init(start: Date) {
    self = .number(Timestamp.milliseconds(of: start))
  }

  /// Outside any session: for an event that must not count towards one, whatever session is open.
  ///
  /// Source of the number: `amplitude.md` section 1.4, `session_id`.
  public static let outside = SessionID.number(-1)
}

extension SessionID: ExpressibleByIntegerLiteral {
  /// A session by its start in milliseconds since 1970; -1 is `outside`.
  public init(integerLiteral value: Int64) {
    self = .number(value)
  }
}

extension SessionID: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A session by its name.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
