/// What a team decided about events of one name.
public struct EventRule: Sendable, Hashable {
  /// The events' name.
  public var name: String
  /// What the event means, for people; empty where nobody said.
  public var description: String
  /// Whether it is left out where events are chosen; it counts all the same.
  public var isHidden: Bool
  /// Whether the collector refuses it.
  public var isBlocked: Bool

  /// A rule from its parts.
  public init(
    name: String,
    description: String = "",
    isHidden: Bool = false,
    isBlocked: Bool = false
  ) {
    self.name = name
    self.description = description
    self.isHidden = isHidden
    self.isBlocked = isBlocked
  }

  /// Whether nothing was decided.
  var isPlain: Bool { description.isEmpty && !isHidden && !isBlocked }

  /// The rule in a few words.
  public var summary: String {
    let states = (isBlocked ? ["refused"] : []) + (isHidden ? ["hidden"] : [])
    let state = states.isEmpty ? "offered and taken" : states.joined(separator: ", ")
    return "“\(name)”: \(state)" + (description.isEmpty ? "" : "; “\(description)”")
  }
}

/// Names that a project's collector refuses, compared byte by byte.
public struct BlockedNames: Sendable {
  private let names: Set<[UInt8]>

  /// Nil without names.
  package init?(_ names: [String]) {
    guard !names.isEmpty else { return nil }
    self.names = Set(names.map { Array($0.utf8) })
  }

  /// Whether events of this name are refused.
  public func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains(Array(name)) }
}
