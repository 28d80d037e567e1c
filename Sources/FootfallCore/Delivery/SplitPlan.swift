/// The parts of one batch still to be sent, after the server found it too large.
///
/// A part is a range of the batch's events, so ids and bytes stay what they were. The plan lives
/// in memory alone and the batch's file stays until every part is settled: a kill at any moment
/// leaves the whole batch, and the server knows the ids it already has.
package struct SplitPlan: Sendable, Hashable {
  /// The parts not yet settled, in order; the first is the one being sent.
  package private(set) var parts: [Range<Int>]

  /// A plan that sends all events in one request.
  package init(events: Int) {
    parts = events > 0 ? [0..<events] : []
  }

  /// The part to send now; nil when all are settled.
  package var current: Range<Int>? { parts.first }

  /// The current part was delivered or dropped.
  package mutating func settle() {
    if !parts.isEmpty { parts.removeFirst() }
  }

  /// The current part is too large: halves it, the larger half first.
  ///
  /// Returns false for a single event, which cannot be halved.
  package mutating func split() -> Bool {
    guard let part = parts.first, part.count > 1 else { return false }
    let middle = part.lowerBound + (part.count + 1) / 2
    parts.replaceSubrange(0..<1, with: [part.lowerBound..<middle, middle..<part.upperBound])
    return true
  }
}
