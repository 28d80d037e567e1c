import FootfallCore
import FootfallPlatform
import FootfallSystem

/// What the engine's thread shows to callers.
final class Board: Sendable {
  private struct State {
    var counts = Diagnostics()
    var deviceID: String?
    var userID: String?
    var sessionID: SessionID?
    var environment: Environment?
    var isFinished = false
  }

  private let state = Monitor(State())

  /// Shows the numbers and identity after a step.
  func show(_ counts: Diagnostics, _ pipeline: borrowing Pipeline) {
    let (deviceID, userID) = (pipeline.deviceID, pipeline.userID)
    let sessionID = pipeline.sessionID
    state.withLock { state in
      state.counts = counts
      state.deviceID = deviceID
      state.userID = userID
      state.sessionID = sessionID
    }
  }

  /// Shows the world the engine works in.
  func show(_ environment: Environment) {
    state.withLock { $0.environment = environment }
  }

  /// The world the engine works in; nil until its thread has begun.
  var environment: Environment? { state.withLock { $0.environment } }

  /// The numbers as last shown.
  var counts: Diagnostics { state.withLock { $0.counts } }

  /// The device's id; nil until the engine knows it.
  var deviceID: String? { state.withLock { $0.deviceID } }

  /// The open session.
  var sessionID: SessionID? { state.withLock { $0.sessionID } }

  /// The thread has ended.
  func finish() {
    state.change { $0.isFinished = true }
  }

  /// Waits until the thread has ended; false if it has not within `seconds`.
  func waitForEnd(seconds: Double) -> Bool {
    state.wait(timeoutSeconds: seconds) { $0.isFinished ? true : nil } ?? false
  }
}
