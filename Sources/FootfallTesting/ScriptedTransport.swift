package import FootfallPlatform
import FootfallSystem

/// A transport that answers as a test says, without a network, and remembers what it was given.
///
/// Answers come from the script in order; after its end from `otherwise`. Any thread.
package final class ScriptedTransport: Transport {
  /// How one request ends.
  package enum Step: Sendable {
    /// With this, at once.
    case answer(UploadResponse)
    /// With this, once `release()` is called; with `.cancelled` if that comes first.
    case hold(UploadResponse)
    /// With what the closure makes of the request.
    case make(@Sendable (UploadRequest) -> UploadResponse)

    /// An answer of a status and a JSON text.
    package static func status(
      _ status: Int,
      headers: [String: String] = [:],
      _ body: String = ""
    ) -> Step {
      .answer(.answered(status: status, headers: headers, body: Array(body.utf8)))
    }
    /// A failure.
    package static func fail(_ failure: TransportFailure) -> Step { .answer(.failed(failure)) }
  }

  private struct Held {
    let response: UploadResponse
    let waiting: CheckedContinuation<UploadResponse, Never>
  }
  private struct Watcher {
    let count: Int
    let wake: CheckedContinuation<Void, Never>
  }
  private struct State {
    var script: [Step]
    var requests: [UploadRequest] = []
    var arrived = 0
    var held: [Int: Held] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
    var isShutDown = false
  }
  private let state: Lock<State>
  private let otherwise: Step

  /// Makes a transport that follows a script.
  package init(_ script: [Step] = [], otherwise: Step = .status(202)) {
    state = Lock(State(script: script))
    self.otherwise = otherwise
  }

  /// All requests so far, in the order they came.
  package var requests: [UploadRequest] { state.withLock { $0.requests } }

  /// Whether `shutdown()` was called.
  package var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// Adds steps to the end of the script.
  package func then(_ steps: Step...) { state.withLock { $0.script += steps } }

  /// Lets every held request end with its answer.
  package func release() {
    let held = takeHeld()
    held.forEach { $0.waiting.resume(returning: $0.response) }
  }

  /// Waits until at least `count` requests have come, and wait if they are to be held.
  package func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { wake in
      let isThere = state.withLock { state in
        if state.arrived >= count { return true }
        state.watchers.append(Watcher(count: count, wake: wake))
        return false
      }
      if isThere { wake.resume() }
    }
  }

  /// Answers by the next step of the script.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    let next: (number: Int, step: Step)? = state.withLock { state in
      guard !state.isShutDown else { return nil }
      state.requests.append(request)
      let step = state.script.isEmpty ? otherwise : state.script.removeFirst()
      return (state.requests.count, step)
    }
    guard let next else { return .failed(.cancelled) }
    switch next.step {
    case .answer(let response):
      arrive()
      return response
    case .make(let answer):
      arrive()
      return answer(request)
    case .hold(let response):
      return await hold(next.number, response)
    }
  }

  /// Wakes those who wait for this many requests.
  private func arrive() {
    let awake = state.withLock { state in
      state.arrived += 1
      let awake = state.watchers.filter { $0.count <= state.arrived }
      state.watchers.removeAll { $0.count <= state.arrived }
      return awake
    }
    awake.forEach { $0.wake.resume() }
  }

  private func hold(_ number: Int, _ response: UploadResponse) async -> UploadResponse {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number) || state.isShutDown { return true }
          state.held[number] = Held(response: response, waiting: waiting)
          return false
        }
        if isCancelled { waiting.resume(returning: .failed(.cancelled)) }
        arrive()
      }
    } onCancel: {
      let held = state.withLock { state in
        state.cancelled.insert(number)
        return state.held.removeValue(forKey: number)
      }
      held?.waiting.resume(returning: .failed(.cancelled))
    }
  }

  /// Ends every held request as cancelled.
  package func cancelAll() {
    takeHeld().forEach { $0.waiting.resume(returning: .failed(.cancelled)) }
  }

  /// Ends every held request as cancelled and takes no further one.
  package func shutdown() {
    state.withLock { $0.isShutDown = true }
    cancelAll()
  }

  private func takeHeld() -> [Held] {
    state.withLock { state in
      defer { state.held = [:] }
      return state.held.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
