import FootfallCore
import FootfallSystem

/// Shows callers on any thread what counts of the server's configuration.
final class RemoteConfigurationBoard: Sendable {
  private struct State {
    var current = RemoteConfiguration()
    var features = FeatureSet()
    var watchers: [Int: AsyncStream<RemoteConfiguration>.Continuation] = [:]
    var watched = 0
    var isFinished = false
  }

  private let state = Lock(State())

  /// What counts now.
  var current: RemoteConfiguration { state.withLock { $0.current } }

  /// What the library does by itself now.
  var features: FeatureSet { state.withLock { $0.features } }

  /// What the library does by itself before anything of the server counts.
  func show(_ features: FeatureSet) {
    state.withLock { $0.features = features }
  }

  /// What counts from now on.
  func show(_ configuration: RemoteConfiguration, _ features: FeatureSet) {
    let watchers: [AsyncStream<RemoteConfiguration>.Continuation] = state.withLock { state in
      state.features = features
      guard state.current != configuration else { return [] }
      state.current = configuration
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield(configuration) }
  }

  /// Everything shown after this call; of what nobody took in time only the newest.
  func changes() -> AsyncStream<RemoteConfiguration> {
    let (stream, watcher) = AsyncStream.makeStream(
      of: RemoteConfiguration.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let number: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.watched += 1
      state.watchers[state.watched] = watcher
      return state.watched
    }
    guard let number else {
      watcher.finish()
      return stream
    }
    watcher.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
    }
    return stream
  }

  /// The engine has ended; nothing more will be shown.
  func finish() {
    let watchers = state.withLock { state in
      state.isFinished = true
      defer { state.watchers = [:] }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }
}

// MARK: - Forks

extension RemoteConfigurationBoard {
  /// Has Swift make everything that a question takes; see `Inherited`.
  func prepareForForks() {
    Inherited.prepare(state.withLock { $0.watchers })
    _ = changes()
  }

  func holdForFork() { state.holdForFork() }

  func releaseInParent() { state.releaseInParent() }

  /// What counts stays; whoever waits for changes waits in the parent.
  func renewInChild() {
    state.renewInChild()
    state.withLock { state in
      Inherited.keep(state.watchers)
      state.watchers = [:]
    }
  }
}
