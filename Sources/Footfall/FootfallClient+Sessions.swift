public import FootfallCore
import FootfallEngine

// Visits of the user.
extension FootfallClient {
  /// The session that is open now; nil without one.
  ///
  /// Any thread; what was tracked a few milliseconds ago may not show yet.
  public var sessionID: SessionID? { engine.sessionID }

  /// Begins a session, for an app that says itself when a visit begins.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events. Nothing happens
  /// where sessions are switched off.
  ///
  /// - Parameter id: The session's name: its start in milliseconds since 1970, or a text. It takes
  ///   the place of the open session, which ends. `.outside` only ends the open one. Nil, unless
  ///   given, for a session that begins now if none is open.
  public func startSession(id: SessionID? = nil) {
    engine.startSession(id)
  }

  /// Ends the open session, if there is one; the next event or return begins another.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events.
  public func endSession() {
    engine.change(.session(.end))
  }

  /// Lets the open session rest, as if the app had left the front.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events. A session that is not
  /// resumed within `Sessions.timeoutSeconds` is over; events meanwhile belong to it.
  public func pauseSession() {
    engine.change(.session(.pause(timesOut: false)))
  }

  /// Goes on with a session that was paused, or begins one if none is open or it took too long.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events.
  public func resumeSession() {
    engine.change(.session(.resume))
  }
}
