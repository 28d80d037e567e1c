import FootfallEngine
public import Foundation

// Whether events are collected.
extension FootfallClient {
  /// Whether events are collected.
  public var isEnabled: Bool { engine.isEnabled }

  /// Switches collection on or off; on unless configured otherwise.
  ///
  /// Off means off: when the call returns nothing more is stored, and what was unsent is deleted
  /// and counted as `DropReason.optedOut`. It waits for that, a few milliseconds as a rule and 1 s
  /// at most. A batch on its way is cut off; the server may have it. With
  /// `Consent.unsentEvents = .sent` only new events are not taken.
  public func setEnabled(_ isEnabled: Bool) {
    engine.setEnabled(isEnabled)
    if !isEnabled { tell(.switchedOff) }
  }

  /// Switches collection off: the same as `setEnabled(false)`.
  public func disable() {
    setEnabled(false)
  }

  /// Switches collection off, but sends what was tracked before once more.
  ///
  /// From the call on new events are not taken. One pass is made over what is stored, at once,
  /// whatever wait or pause is pending, for `limitSeconds` at most; then the rest is deleted and
  /// counted as `DropReason.optedOut`. `setEnabled(false)` meanwhile deletes at once;
  /// `setEnabled(true)` meanwhile takes it back: the pass goes on, and nothing is deleted.
  ///
  /// - Parameter limitSeconds: The longest to try to send, in seconds; 10 unless given, at most a day.
  public func flushAndDisable(limitSeconds: TimeInterval = 10) async {
    await withCheckedContinuation { continuation in
      flushAndDisable(limitSeconds: limitSeconds) { continuation.resume() }
    }
  }

  /// Switches collection off, but sends what was tracked before once more; returns at once.
  ///
  /// - Parameters:
  ///   - limitSeconds: The longest to try to send, in seconds; 10 unless given, at most a day.
  ///   - completion: Called once when it is over, on the client's own thread as a rule.
  public func flushAndDisable(
    limitSeconds: TimeInterval = 10,
    completion: @escaping @Sendable () -> Void
  ) {
    engine.flushAndDisable(limitSeconds: limitSeconds) { [weak self] in
      if let self, !self.isEnabled { self.tell(.switchedOff) }
      completion()
    }
  }
}
