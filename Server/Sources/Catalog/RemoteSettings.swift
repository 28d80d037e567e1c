/// What a project's apps are told when they ask for their configuration.
public struct RemoteSettings: Sendable, Hashable {
  /// The project.
  public let project: UInt32
  /// Grows by one with every change; 0 while nothing was ever set.
  public let version: Int64
  /// A JSON object, as it was set.
  public let document: String
  /// When it was set, in milliseconds since 1970; nil while nothing ever was.
  public let changedAtMs: Int64?
}
