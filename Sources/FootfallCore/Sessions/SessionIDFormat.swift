/// How the name of a new session is made.
package enum SessionIDFormat: Sendable, Equatable {
  /// The start in milliseconds since 1970; a session cannot start before that.
  case startMilliseconds
  /// A random UUID in lower case.
  case uuid
  /// A ULID of the start.
  case ulid
  /// The last 8 characters of two ids and the start in GMT:
  /// `89abcdef-ABCDEF01-20261102-093000000`. Source: `aws.md` section 3.3.
  case pinpoint(appID: String, endpointID: String)

  /// The name of a session that starts then; nil if the form cannot name such a start.
  package func make(
    startMilliseconds: Int64,
    using random: inout some RandomNumberGenerator
  ) -> SessionID? {
    switch self {
    case .startMilliseconds: startMilliseconds < 0 ? nil : .number(startMilliseconds)
    case .uuid: .text(DeviceID.make(using: &random))
    case .ulid: .text(ULID.make(milliseconds: startMilliseconds, using: &random))
    case .pinpoint(let app, let endpoint):
      .text(
        [Self.lastEight(app), Self.lastEight(endpoint), Self.date(startMilliseconds)]
          .joined(separator: "-")
      )
    }
  }

  private static func lastEight(_ text: String) -> String {
    let end = text.suffix(8)
    return String(repeating: "_", count: 8 - end.count) + end
  }

  /// `yyyyMMdd-HHmmssSSS`.
  private static func date(_ milliseconds: Int64) -> String {
    let digits = Timestamp.rfc3339(milliseconds: milliseconds).filter(\.isNumber)
    return digits.prefix(8) + "-" + digits.dropFirst(8)
  }
}
