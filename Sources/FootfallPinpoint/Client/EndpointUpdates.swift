import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallSystem

/// The tasks of those who asked for the endpoint to be sent, until it is known what came of that.
///
/// Any thread. Every task ends: with the service's answer, with the loss of what was to be sent, when
/// collection goes off, or with the client.
final class EndpointUpdates: Sendable {
  private struct Waiting {
    let revision: Int
    let task: AWSTaskCompletionSource<AnyObject>
  }

  private struct State {
    var waiting: [Waiting] = []
    /// Revisions by the ids of the events that carry them, while somebody waits.
    var carried: [String: Int] = [:]
    /// The newest revision that an event carries.
    var newestCarried = 0
    /// Hears of losses while somebody waits.
    var watching: Subscription?
  }

  private let state = Lock(State())

  /// A task that ends when the endpoint of a revision, or of a later one, was answered.
  func wait(for revision: Int) -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    state.withLock { $0.waiting.append(Waiting(revision: revision, task: task)) }
    return task.task
  }

  /// Hears of losses for as long as somebody waits; `begin` is called if nobody listens yet.
  func watch(_ begin: () -> Subscription) {
    guard state.withLock({ !$0.waiting.isEmpty && $0.watching == nil }) else { return }
    let begun = begin()
    let isNeeded = state.withLock { state in
      guard !state.waiting.isEmpty, state.watching == nil else { return false }
      state.watching = begun
      return true
    }
    if !isNeeded { begun.cancel() }
  }

  /// An event carries the endpoint as it is at a revision.
  func carried(_ revision: Int, by id: String) {
    state.withLock { state in
      state.newestCarried = max(state.newestCarried, revision)
      if !state.waiting.isEmpty { state.carried[id] = revision }
    }
  }

  /// The service has taken the endpoint up to a revision.
  func taken(_ revision: Int) {
    for task in take(where: { $0 <= revision }) { task.end() }
  }

  /// The service has not taken it this time; it is sent again by itself.
  func failed(_ revision: Int, _ reason: String) {
    fail("The endpoint was not taken (\(reason)); it is sent again.") { $0 <= revision }
  }

  /// An event that asked for the endpoint to be sent was dropped; it is sent with the next update.
  func dropped(_ id: String, _ reason: DropReason) {
    let (revision, newest) = state.withLock { ($0.carried[id], $0.newestCarried) }
    fail("The endpoint was not sent: what asked for it was dropped (\(reason)). Ask again.") {
      asked in
      // One that never came so far as to carry a revision asked for one that nothing carries.
      revision.map { asked <= $0 } ?? (asked > newest)
    }
  }

  /// Nothing more is sent; `reason` is the rest of a sentence.
  func end(_ reason: String, _ code: AWSServiceErrorType = .configuration) {
    fail("The endpoint was not sent: \(reason)", code) { _ in true }
  }

  private func fail(
    _ message: String,
    _ code: AWSServiceErrorType = .unexpectedAnswer,
    where isMeant: (Int) -> Bool
  ) {
    for task in take(where: isMeant) { task.end(AWSServiceError.make(code, message)) }
  }

  private func take(where isMeant: (Int) -> Bool) -> [AWSTaskCompletionSource<AnyObject>] {
    let (taken, watching) = state.withLock { state -> ([Waiting], Subscription?) in
      let taken = state.waiting.filter { isMeant($0.revision) }
      state.waiting.removeAll { isMeant($0.revision) }
      guard state.waiting.isEmpty else { return (taken, nil) }
      defer { (state.carried, state.watching) = ([:], nil) }
      return (taken, state.watching)
    }
    watching?.cancel()
    return taken.map(\.task)
  }
}
