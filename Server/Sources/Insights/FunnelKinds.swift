internal import EventStore

/// Which steps of a funnel an event is, and whether it ends ways, as bits of one number in SQL.
///
/// What is told by the name alone is looked up at once, however many steps there are: comparing names is
/// most of what a funnel costs.
struct FunnelKinds {
  /// Bits by name, in the order in which names come first.
  private var named: [(name: String, bits: Int64)] = []
  private var others: [(step: FunnelStep, bits: Int64)] = []

  init(steps: [FunnelStep], exclusions: [FunnelStep]) {
    for (place, step) in steps.enumerated() { add(step, 1 << Int64(place)) }
    for step in exclusions { add(step, Funnel.ends) }
  }

  private mutating func add(_ step: FunnelStep, _ bits: Int64) {
    guard step.conditions.isEmpty else { return others.append((step, bits)) }
    if let place = named.firstIndex(where: { $0.name == step.name }) {
      named[place].bits |= bits
    } else {
      named.append((step.name, bits))
    }
  }

  /// The bits of an event `e`.
  func bits(_ statement: inout Statement) -> String {
    var parts = others.map { "CASE WHEN \($0.step.sql(&statement)) THEN \($0.bits) ELSE 0 END" }
    if !named.isEmpty {
      let cases = named.map { "WHEN \(statement.bind($0.name)) THEN \($0.bits)" }
      parts.append("CASE e.name \(cases.joined(separator: " ")) ELSE 0 END")
    }
    return parts.map { "(\($0))" }.joined(separator: " | ")
  }

  /// Whether an event has any of them.
  func any(_ statement: inout Statement) -> String {
    var parts = others.map { $0.step.sql(&statement) }
    if !named.isEmpty {
      let names = named.map { statement.bind($0.name) }
      parts.append("e.name IN (\(names.joined(separator: ", ")))")
    }
    return parts.joined(separator: " OR ")
  }
}
