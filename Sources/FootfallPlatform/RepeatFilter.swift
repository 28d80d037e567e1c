/// Decides which log lines are handed out: equal ones once a minute, the rest are counted.
struct RepeatFilter: Sendable {
  /// How long a sentence is held back after it was handed out, in nanoseconds.
  static let quietNanoseconds: UInt64 = 60_000_000_000
  /// How many different sentences are remembered; beyond that the oldest is forgotten.
  static let maxSentences = 64

  private struct Entry {
    var handedOutAt: UInt64
    var heldBack = 0
  }
  private var entries: [String: Entry] = [:]

  /// The number of equal sentences held back before this one, or nil if this one is held back too.
  mutating func receive(_ message: String, atNanoseconds now: UInt64) -> Int? {
    guard var entry = entries[message] else {
      forgetOldest()
      entries[message] = Entry(handedOutAt: now)
      return 0
    }
    if now >= entry.handedOutAt, now - entry.handedOutAt < Self.quietNanoseconds {
      entry.heldBack += 1
      entries[message] = entry
      return nil
    }
    entries[message] = Entry(handedOutAt: now)
    return entry.heldBack
  }

  private mutating func forgetOldest() {
    guard entries.count >= Self.maxSentences else { return }
    if let oldest = entries.min(by: { $0.value.handedOutAt < $1.value.handedOutAt }) {
      entries[oldest.key] = nil
    }
  }
}
