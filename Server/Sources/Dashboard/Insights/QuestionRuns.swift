import EventStore
import FootfallSystem
import Insights

/// The questions that are being answered for pages.
///
/// A page waits a moment for its answer. One that takes longer is shown how far it is, and comes back
/// for more; where nobody has come back for `patienceSeconds`, the question is stopped. An answer is
/// given out once.
///
/// Any thread.
final class QuestionRuns: Sendable {
  /// What can be said of a question.
  enum Standing: Sendable {
    /// Its answer, or why there is none.
    case over(Result<Report, any Error>)
    /// How far it is, from 0 to 1 where that is known, and for how long it has been asked.
    case running(fraction: Double?, seconds: Int)
    /// Nothing of that name is asked, or its answer was given out.
    case unknown
  }

  /// How a question is found again: only by who asked it, and only for the same question.
  struct Name: Sendable, Hashable {
    /// The cookie of who asks.
    let visitor: String
    /// The address that asks.
    let question: String
    /// What tells two of the same apart.
    let run: String
  }

  private struct Run {
    let number: Int
    let started: Double
    var lastAsked: Double
    let cancellation: Cancellation
    var outcome: Result<Report, any Error>?
  }

  private struct State {
    var runs: [Name: Run] = [:]
    var made = 0
  }

  /// Answers that nobody fetched, and questions under way, of all visitors.
  static let limit = 64
  /// Questions of one visitor; one more stops the oldest.
  static let limitPerVisitor = 8

  private let state = Monitor(State())
  private let patienceSeconds: Double
  private let now: @Sendable () -> Double

  /// Nothing is asked yet.
  ///
  /// - Parameters:
  ///   - patienceSeconds: for how long a question goes on, and an answer is kept, that nobody comes for.
  ///   - now: seconds that only ever grow.
  init(patienceSeconds: Double = 10, now: @escaping @Sendable () -> Double) {
    self.patienceSeconds = patienceSeconds
    self.now = now
  }

  /// What is thrown where as many questions are asked as there may be.
  static let crowded = StoreError.crowded(running: limit, of: "questions of the dashboard")

  /// Asks a question on a thread of its own.
  ///
  /// - Throws: `StoreError.crowded` where as many are asked as there may be; `.unavailable` when the system
  ///   has no thread left.
  func start(
    _ name: Name,
    _ ask: @escaping @Sendable (Cancellation) throws -> Report
  ) throws(StoreError) {
    let moment = now()
    let (number, cancellation) = try state.change {
      state throws(StoreError) -> (Int, Cancellation) in
      makeRoom(for: name.visitor, in: &state, moment)
      guard state.runs.count < Self.limit else { throw Self.crowded }
      state.made += 1
      let number = state.made
      let cancellation = Cancellation(
        progress: WorkProgress(),
        while: { [weak self] in self?.isWanted(name, number) ?? false }
      )
      state.runs[name] = Run(
        number: number,
        started: moment,
        lastAsked: moment,
        cancellation: cancellation
      )
      return (number, cancellation)
    }
    do {
      _ = try SystemThread(name: "ff-question") {
        let outcome = Result { try ask(cancellation) }
        self.end(name, number, outcome)
      }
    } catch {
      state.change { $0.runs[name] = nil }
      throw .unavailable("the thread that asks did not start: \(error)")
    }
  }

  /// What stands of a question; waits up to `seconds` for its end.
  func standing(of name: Name, waitingSeconds seconds: Double = 0) -> Standing {
    let moment = now()
    state.change { $0.runs[name]?.lastAsked = moment }
    let ended = state.wait(timeoutSeconds: seconds) { state -> Standing? in
      guard let run = state.runs[name] else { return .unknown }
      guard let outcome = run.outcome else { return nil }
      state.runs[name] = nil
      return .over(outcome)
    }
    if let ended { return ended }
    guard let run = state.withLock({ $0.runs[name] }) else { return .unknown }
    // Not under the lock: whoever measures has one of its own.
    return .running(
      fraction: run.cancellation.progress?.fraction,
      seconds: max(0, Int(now() - run.started))
    )
  }

  /// Stops a question; one that is over stays as it is.
  func stop(_ name: Name) {
    state.withLock { $0.runs[name]?.cancellation }?.cancel()
  }

  private func end(_ name: Name, _ number: Int, _ outcome: Result<Report, any Error>) {
    state.change { state in
      guard state.runs[name]?.number == number else { return }
      state.runs[name]?.outcome = outcome
    }
  }

  private func isWanted(_ name: Name, _ number: Int) -> Bool {
    let moment = now()
    return state.withLock { state in
      guard let run = state.runs[name], run.number == number else { return false }
      return moment - run.lastAsked < patienceSeconds
    }
  }

  private func makeRoom(for visitor: String, in state: inout State, _ moment: Double) {
    state.runs = state.runs.filter { _, run in
      run.outcome == nil || moment - run.lastAsked < patienceSeconds
    }
    let own = state.runs.filter { $0.key.visitor == visitor }
    guard own.count >= Self.limitPerVisitor,
      let oldest = own.min(by: { $0.value.number < $1.value.number })
    else { return }
    // Forgotten, it is not wanted any more: whoever runs it stops.
    state.runs[oldest.key] = nil
  }
}
