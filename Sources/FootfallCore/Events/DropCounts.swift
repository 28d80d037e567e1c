/// How many events or parts were lost, by reason.
public struct DropCounts: Sendable, Hashable {
  /// The counts; a reason that never occurred is absent.
  public private(set) var byReason: [DropReason: Int] = [:]

  /// No losses.
  public init() {}

  /// How often a reason occurred.
  public subscript(reason: DropReason) -> Int { byReason[reason] ?? 0 }

  /// How many whole events were lost.
  public var events: Int { byReason.reduce(0) { $0 + ($1.key.isWholeEvent ? $1.value : 0) } }

  /// Whether nothing was lost.
  public var isEmpty: Bool { byReason.isEmpty }

  /// Counts `number` more losses; 0 or less changes nothing.
  package mutating func count(_ reason: DropReason, _ number: Int = 1) {
    guard number > 0 else { return }
    byReason[reason, default: 0] += number
  }

  /// Adds all of another's counts.
  package mutating func add(_ other: DropCounts) {
    for (reason, number) in other.byReason { count(reason, number) }
  }

  /// Takes away what another holds, down to nothing: those were reported.
  package mutating func subtract(_ other: DropCounts) {
    for (reason, number) in other.byReason {
      let left = self[reason] - number
      byReason[reason] = left > 0 ? left : nil
    }
  }
}
