import EventRecord
internal import EventStore

/// Which steps of a funnel an event is, and whether it ends ways, as bits of one number in SQL.
///
/// What is told by the name alone is joined: a store looks up each name of a stretch of events once,
/// instead of comparing each event's with the names of all steps.
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
    if let place = named.firstIndex(where: { $0.name.hasBytes(of: step.name) }) {
      named[place].bits |= bits
    } else {
      named.append((step.name, bits))
    }
  }

  /// A table `named` of what the names tell, joined to the events `e`; with `keepsAll` also to those that
  /// are none of these.
  func join(keepsAll: Bool, _ statement: inout Statement) -> String {
    guard !named.isEmpty else { return "" }
    let rows = named.map { "(\(statement.bind($0.name))::VARCHAR, \($0.bits)::BIGINT)" }
    return """
       \(keepsAll || !others.isEmpty ? "LEFT " : "")JOIN (VALUES \(rows.joined(separator: ", "))) AS named(called, bits)
        ON named.called = e.name
      """
  }

  /// The bits of an event `e`.
  func bits(_ statement: inout Statement) -> String {
    var parts = others.map { "CASE WHEN \($0.step.sql(&statement)) THEN \($0.bits) ELSE 0 END" }
    if !named.isEmpty { parts.append("coalesce(named.bits, 0)") }
    return parts.map { "(\($0))" }.joined(separator: " | ")
  }

  /// Whether an event has any of them.
  func any(_ statement: inout Statement) -> String {
    var parts = others.map { $0.step.sql(&statement) }
    if !named.isEmpty { parts.append("named.bits IS NOT NULL") }
    return parts.joined(separator: " OR ")
  }
}
