import Foundation

extension AWSTask {
  /// Waits until the task has ended, without blocking a thread, and says why it failed.
  @discardableResult
  package func ended() async -> (any Error)? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      core.whenEnded { continuation.resume() }
    }
    return error
  }
}
