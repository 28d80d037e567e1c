/// Events of a project that were kept for long enough.
public struct ExpiredEvents: Sendable, Hashable {
  /// The project's number.
  public var project: UInt32
  /// Events whose corrected time lies before this moment, in milliseconds since 1970.
  public var beforeMs: Int64
  /// Only events of this name; nil for all but those in `otherNames`.
  public var name: String?
  /// Names that are kept for another time; of no meaning beside `name`.
  public var otherNames: [String]

  /// The events from what they have in common.
  public init(
    project: UInt32,
    beforeMs: Int64,
    name: String? = nil,
    otherNames: [String] = []
  ) {
    self.project = project
    self.beforeMs = beforeMs
    self.name = name
    self.otherNames = otherNames
  }

  /// Whether an event is one of them.
  public func holds(_ event: StoredEvent) -> Bool {
    guard event.project == project, event.correctedMs < beforeMs else { return false }
    return name.map { $0 == event.name } ?? !otherNames.contains(event.name)
  }
}
