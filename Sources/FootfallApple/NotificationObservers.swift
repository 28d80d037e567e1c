#if canImport(Darwin)
import Foundation
import FootfallSystem

/// Observations of notifications that end together.
///
/// Blocks run synchronously on the thread that posts, so that work is done before the system goes on
/// to suspend or end the process.
final class NotificationObservers: Sendable {
  /// Safety: a token is only kept and handed back to its center, which may be done on any thread.
  private struct Observation: @unchecked Sendable {
    let center: NotificationCenter
    let token: any NSObjectProtocol
  }
  private let observations = Lock<[Observation]>([])

  deinit { removeAll() }

  func observe(
    _ name: Notification.Name,
    in center: NotificationCenter = .default,
    _ body: @escaping @Sendable (Notification) -> Void
  ) {
    let token = center.addObserver(forName: name, object: nil, queue: nil, using: body)
    let observation = Observation(center: center, token: token)
    observations.withLock { $0.append(observation) }
  }

  func removeAll() {
    let ended = observations.withLock { observations in
      defer { observations = [] }
      return observations
    }
    for observation in ended { observation.center.removeObserver(observation.token) }
  }
}

/// Runs a closure on the main actor: at once if the caller is on the main thread, else soon.
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
  if Thread.isMainThread {
    MainActor.assumeIsolated { body() }
  } else {
    DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
  }
}
#endif
