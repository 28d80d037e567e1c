import FootfallCore
import FootfallPlatform
import FootfallSystem

/// What the engine's thread shows to callers.
final class Board: Sendable {
  private struct State {
    var counts = Diagnostics()
    var deviceID = SaidValue<String?>(nil)
    var userID = SaidValue<String?>(nil)
    var isOffline = SaidValue(false)
    var sessionID: SessionID?
    var environment: Environment?
    var isFinished = false
  }

  private let state = Monitor(State())

  /// How much of what callers said the thread has taken in.
  struct Heard {
    var identities = 0
    var offline = 0
  }

  /// Shows the numbers and identity after a step.
  func show(
    _ counts: Diagnostics,
    _ pipeline: borrowing Pipeline,
    isOffline: Bool,
    heard: Heard
  ) {
    let (deviceID, userID) = (pipeline.deviceID, pipeline.userID)
    let sessionID = pipeline.sessionID
    state.withLock { state in
      state.counts = counts
      state.deviceID.show(deviceID, heard: heard.identities)
      state.userID.show(userID, heard: heard.identities)
      state.isOffline.show(isOffline, heard: heard.offline)
      state.sessionID = sessionID
    }
  }

  /// A caller says whose the events are from here on.
  func say(_ input: IdentityCore.Input) {
    state.withLock { state in
      switch input {
      case .setUser(let user):
        state.userID.say(user)
        state.deviceID.say(nil)
      case .setDevice(let device):
        state.userID.say(nil)
        state.deviceID.say(device)
      case .assign(let user, let device, _):
        state.userID.say(user)
        state.deviceID.say(device)
      case .reset:
        state.userID.say(.some(nil))
        state.deviceID.unsay()
      case .launch, .identify:
        state.userID.unsay()
        state.deviceID.unsay()
      }
    }
  }

  /// A caller holds back sending, or lets it go on.
  func say(isOffline: Bool) {
    state.withLock { $0.isOffline.say(isOffline) }
  }

  /// Shows the world the engine works in.
  func show(_ environment: Environment) {
    state.withLock { $0.environment = environment }
  }

  /// The world the engine works in; nil until its thread has begun.
  var environment: Environment? { state.withLock { $0.environment } }

  /// The numbers as last shown.
  var counts: Diagnostics { state.withLock { $0.counts } }

  /// The device's id; nil until the engine knows it or a caller said it.
  var deviceID: String? { state.withLock { $0.deviceID.current } }

  /// The signed-in user.
  var userID: String? { state.withLock { $0.userID.current } }

  /// Whether sending is held back.
  var isOffline: Bool { state.withLock { $0.isOffline.current } }

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
