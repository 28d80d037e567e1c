import FootfallSystem
import Foundation

/// Asks an app's provider for credentials.
///
/// Safety: a provider is asked from any thread, which its documentation says.
package final class CredentialsSource: @unchecked Sendable {
  private let provider: any AWSCredentialsProvider
  /// Where the app's own providers are called, which may block whoever calls them.
  private let queue = DispatchQueue(label: "footfall.credentials")
  /// Ends as the answer does to a call that has not returned; nil while there is no such call.
  private let asking = Lock<AWSTaskCompletionSource<AWSCredentials>?>(nil)

  /// A source that asks a provider.
  package init(_ provider: any AWSCredentialsProvider) {
    self.provider = provider
  }

  /// What requests are signed with now; nil if there is nothing, if the provider has not answered after
  /// `limitSeconds`, or once the surrounding task is cancelled.
  ///
  /// An answer that comes later is left to the provider, which is asked again.
  package func current(
    limitSeconds: Double,
    sleep: @escaping @Sendable (Double) async -> Void
  ) async -> Credentials? {
    let task = ask()
    if !task.isCompleted { await wait(for: task, limitSeconds, sleep) }
    return task.result.map {
      Credentials(
        accessKeyID: $0.accessKey,
        secretKey: $0.secretKey,
        sessionToken: $0.sessionKey
      )
    }
  }

  /// Calls the provider, unless a call has not returned: then its answer is this one's, too.
  private func ask() -> AWSTask<AWSCredentials> {
    if provider is any ImmediateProvider { return provider.credentials() }
    let (answer, isFirst) = asking.withLock { asking in
      if let asking { return (asking, false) }
      let first = AWSTaskCompletionSource<AWSCredentials>()
      asking = first
      return (first, true)
    }
    if isFirst {
      queue.async { [self] in
        let given = provider.credentials()
        asking.withLock { $0 = nil }
        given.core.whenEnded {
          if let outcome = given.core.outcome { answer.task.core.end(outcome) }
        }
      }
    }
    return answer.task
  }

  /// Whichever comes first: the end of the task, of the time, or of the wish.
  private func wait(
    for task: AWSTask<AWSCredentials>,
    _ seconds: Double,
    _ sleep: @escaping @Sendable (Double) async -> Void
  ) async {
    let first = FirstEnd()
    let limit = Task {
      await sleep(seconds)
      first.come()
    }
    task.core.whenEnded { first.come() }
    await withTaskCancellationHandler {
      await first.wait()
    } onCancel: {
      first.come()
    }
    limit.cancel()
  }

  /// The service refused what was given last.
  ///
  /// A provider is told before it is asked again.
  package func invalidate() {
    queue.async { [self] in provider.invalidateCachedTemporaryCredentials() }
  }
}

/// A provider that answers at once, and so may be called on any thread.
private protocol ImmediateProvider: AWSCredentialsProvider {}

extension AWSStaticCredentialsProvider: ImmediateProvider {}
extension AWSBasicSessionCredentialsProvider: ImmediateProvider {}
extension AWSAnonymousCredentialsProvider: ImmediateProvider {}
extension AWSMobileClient: ImmediateProvider {}

/// The first of several ends, for one who waits.
private final class FirstEnd: Sendable {
  private enum State {
    case open
    case waitedFor(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Lock(State.open)

  func come() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .over }
      if case .waitedFor(let waiting) = state { return waiting }
      return nil
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if case .over = state { return true }
        state = .waitedFor(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
