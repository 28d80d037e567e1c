import EventStore
import FootfallSystem

/// Answers that took long, kept for whoever asks the same again while nothing has changed.
///
/// An answer is that of a statement with its values, and of a state of the data: `change` begins a new state,
/// and what was asked before is no answer any more, also that of a question that is still under way then. So an answer
/// is never older than the last change that was over when it was asked for. Any thread.
final class AnswerCache: Sendable {
  private struct Answer {
    var rows: [Row]
    var bytes: Int
    /// When it was asked for last, by a count of askings.
    var askedAt: UInt64
  }

  private struct State {
    var answers: [SQL: Answer] = [:]
    var bytes = 0
    var askings: UInt64 = 0
    var changes: UInt64 = 0
  }

  /// What was there when a question began.
  enum Found {
    /// The answer.
    case answer([Row])
    /// None; the state of the data for `keep`.
    case none(changes: UInt64)
  }

  private let maxBytes: Int
  private let leastSeconds: Double
  private let state = Lock(State())

  /// - Parameters:
  ///   - maxBytes: about how much memory answers may take; 0 for keeping none.
  ///   - leastSeconds: what took less time is not kept.
  init(maxBytes: Int, leastSeconds: Double) {
    self.maxBytes = maxBytes
    self.leastSeconds = leastSeconds
  }

  /// The answer of a statement in the present state.
  func answer(of sql: SQL) -> Found {
    state.withLock { state in
      state.askings += 1
      guard var answer = state.answers[sql] else { return .none(changes: state.changes) }
      answer.askedAt = state.askings
      state.answers[sql] = answer
      return .answer(answer.rows)
    }
  }

  /// Keeps an answer that was found, if the data are still as they were when the question began.
  func keep(_ rows: [Row], of sql: SQL, changes: UInt64, seconds: Double) {
    guard seconds >= leastSeconds else { return }
    let bytes = Self.bytes(of: rows) + sql.text.utf8.count
    guard bytes <= maxBytes / 8 else { return }
    state.withLock { state in
      guard state.changes == changes, state.answers[sql] == nil else { return }
      state.answers[sql] = Answer(rows: rows, bytes: bytes, askedAt: state.askings)
      state.bytes += bytes
      while state.bytes > maxBytes,
        let oldest = state.answers.min(by: { $0.value.askedAt < $1.value.askedAt })
      {
        state.answers[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
    }
  }

  /// Begins a new state of the data; to be called before whoever changed them is told that it is done.
  func change() {
    state.withLock { state in
      state.changes += 1
      state.answers = [:]
      state.bytes = 0
    }
  }

  private static func bytes(of rows: [Row]) -> Int {
    rows.reduce(0) { sum, row in
      row.values.reduce(sum + 32) { sum, value in
        if case .text(let text) = value { sum + 32 + text.utf8.count } else { sum + 24 }
      }
    }
  }
}
