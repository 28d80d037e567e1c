import FootfallCore
import FootfallSystem

/// Those who want to hear of all events: what finally became of each, or every step on the way.
///
/// Any thread. Nothing is made for them while there are none.
final class Listeners: Sendable {
  /// Told on the engine's thread, with the event as it was stored where that is at hand.
  typealias OnResult = @Sendable (EventResult, _ stored: ArraySlice<UInt8>?) -> Void
  /// Told on the engine's thread.
  typealias OnStep = @Sendable (DeliveryStep) -> Void
  /// Told once when nothing more will be.
  typealias OnEnd = @Sendable () -> Void

  /// Who listens at a moment.
  struct Audience: Sendable {
    fileprivate(set) var results: [OnResult] = []
    fileprivate(set) var steps: [OnStep] = []
    var isEmpty: Bool { results.isEmpty && steps.isEmpty }
  }

  private struct State {
    var results: [Int: OnResult] = [:]
    var steps: [Int: OnStep] = [:]
    var ends: [Int: OnEnd] = [:]
    var isFinished = false
    var next = 0
    var audience = Audience()

    mutating func gather() {
      audience.results = results.sorted { $0.key < $1.key }.map(\.value)
      audience.steps = steps.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private let state = Lock(State())

  /// Who listens now.
  var audience: Audience { state.withLock { $0.audience } }

  /// Tells of every event's end, until cancelled.
  func add(_ onResult: @escaping OnResult, _ onEnd: @escaping OnEnd = {}) -> Subscription {
    add(onEnd) { state, number in state.results[number] = onResult }
  }

  /// Tells of every event's steps, until cancelled.
  func add(steps onStep: @escaping OnStep, _ onEnd: @escaping OnEnd = {}) -> Subscription {
    add(onEnd) { state, number in state.steps[number] = onStep }
  }

  private func add(
    _ onEnd: @escaping OnEnd,
    _ change: (inout State, Int) -> Void
  ) -> Subscription {
    let number: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.next += 1
      change(&state, state.next)
      state.ends[state.next] = onEnd
      state.gather()
      return state.next
    }
    guard let number else {
      onEnd()
      return Subscription {}
    }
    return Subscription { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      state.results[number] = nil
      state.steps[number] = nil
      state.ends[number] = nil
      state.gather()
    }
  }

  /// The engine has ended: nothing more will be told, to those who come later neither.
  func finish() {
    let ends = state.withLock { state in
      let ends = state.ends.sorted { $0.key < $1.key }.map(\.value)
      state.isFinished = true
      (state.results, state.steps, state.ends) = ([:], [:], [:])
      state.gather()
      return ends
    }
    for end in ends { end() }
  }
}

// MARK: - Forks

extension Listeners {
  func holdForFork() { state.holdForFork() }

  func releaseInParent() { state.releaseInParent() }

  /// Who listens in the parent listens in the child too: it has the same listeners.
  func renewInChild() { state.renewInChild() }
}

/// Someone's wish to be told; ends when cancelled, or when nobody keeps it any more.
package final class Subscription: Sendable {
  private let onCancel: @Sendable () -> Void

  init(_ onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    onCancel()
  }

  /// Tells no more; one call that is on its way may still come.
  package func cancel() {
    onCancel()
  }
}
