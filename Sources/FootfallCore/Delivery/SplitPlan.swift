/// The parts of one batch still to be sent, after the server found it too large or took only some.
///
/// A part is a list of the batch's events, so ids and bytes stay what they were. The plan lives
/// in memory alone and the batch's file stays until every part is settled: a kill at any moment
/// leaves the whole batch, and the server knows the ids it already has.
package struct SplitPlan: Sendable, Equatable {
  /// The parts not yet settled, in order; the first is the one being sent.
  package private(set) var parts: [[Int]]
  private var tries: [Int: Int] = [:]

  /// A plan that sends all events in one request.
  package init(events: Int) {
    parts = events > 0 ? [Array(0..<events)] : []
  }

  /// The part to send now; nil when all are settled.
  package var current: [Int]? { parts.first }

  /// The current part was delivered or dropped, but for these of its events.
  package mutating func settle(except left: [Int] = []) {
    guard !parts.isEmpty else { return }
    parts.replaceSubrange(0..<1, with: left.isEmpty ? [] : [left])
  }

  /// Halves the current part, the larger half first.
  ///
  /// Returns false for a single event, which cannot be halved.
  package mutating func split() -> Bool {
    guard let part = parts.first, part.count > 1 else { return false }
    let middle = (part.count + 1) / 2
    parts.replaceSubrange(0..<1, with: [Array(part[..<middle]), Array(part[middle...])])
    return true
  }

  /// Counts a failed try of an event and says how many there were.
  package mutating func countTry(of event: Int) -> Int {
    tries[event, default: 0] += 1
    return tries[event, default: 0]
  }
}
