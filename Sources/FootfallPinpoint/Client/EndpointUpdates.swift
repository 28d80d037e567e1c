import FootfallAWS
import FootfallSystem

/// The tasks of those who asked for the endpoint to be sent, until the service has answered.
///
/// Any thread.
final class EndpointUpdates: Sendable {
  private struct Waiting {
    let revision: Int
    let task: AWSTaskCompletionSource<AnyObject>
  }

  private let waiting = Lock<[Waiting]>([])

  /// A task that ends when the endpoint of a revision, or of a later one, was answered.
  func wait(for revision: Int) -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    waiting.withLock { $0.append(Waiting(revision: revision, task: task)) }
    return task.task
  }

  /// The service has taken the endpoint up to a revision.
  func taken(_ revision: Int) {
    for task in take(upTo: revision) { task.end() }
  }

  /// The service has not taken it this time; it is sent again by itself.
  func failed(_ revision: Int, _ reason: String) {
    let error = AWSServiceError.make(
      .unexpectedAnswer,
      "The endpoint was not taken (\(reason)); it is sent again."
    )
    for task in take(upTo: revision) { task.end(error) }
  }

  private func take(upTo revision: Int) -> [AWSTaskCompletionSource<AnyObject>] {
    waiting.withLock { waiting in
      defer { waiting.removeAll { $0.revision <= revision } }
      return waiting.filter { $0.revision <= revision }.map(\.task)
    }
  }
}
