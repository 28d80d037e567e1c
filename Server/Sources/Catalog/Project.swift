/// An app, or a family of apps, whose events belong together.
public struct Project: Sendable, Hashable, Identifiable {
  /// The number every record and row of the project carries, from 1.
  public let id: UInt32
  /// The name people gave it; up to 100 characters, not necessarily unique.
  public let name: String
  /// The IANA name of the zone that its days and weeks are counted in, such as `Europe/Berlin`.
  public let timeZone: String
  /// How its numbers are reckoned.
  public let reckoning: Reckoning
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
}
