/// What happened, in the team's own words: `"Song Played"`.
///
/// Any text; names over 256 characters are cut and counted. Names of an app are best kept as
/// static members, so that a typing mistake does not become a new event:
///
/// ```swift
/// extension EventName { static let songPlayed: EventName = "Song Played" }
/// ```
public struct EventName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as it is sent.
  public let text: String

  /// A name made at run time.
  public init(_ text: String) {
    self.text = text
  }

  /// A name written in the source.
  public init(stringLiteral value: String) {
    text = value
  }

  /// The name itself.
  public var description: String { text }
}

extension EventName {
  /// The event that carries operations on the person's properties; it is not counted in charts.
  public static let identify: EventName = "$identify"
}
