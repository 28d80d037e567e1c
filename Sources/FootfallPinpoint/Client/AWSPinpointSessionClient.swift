import Footfall
public import FootfallAWS
import FootfallCore
import FootfallEngine
public import Foundation

/// Says when a visit of the user starts, pauses and ends, for apps that do so themselves.
///
/// With `enableAutoSessionRecording` that is done by itself. Any thread.
public final class AWSPinpointSessionClient: NSObject, Sendable {
  private let parts: PinpointParts

  init(_ parts: PinpointParts) {
    self.parts = parts
  }

  /// The session that is open; one that has not started has the id `00000000-00000000`.
  public var session: AWSPinpointSession {
    AWSPinpointSession(parts.client.sessionID, now: parts.environment.clocks.now())
  }

  /// Ends the open session, if there is one, and starts another.
  public func startSession() {
    parts.client.endSession()
    parts.client.startSession()
  }

  /// Ends the open session, if there is one, and starts another; the same as `startSession()`.
  public func startPinpointSession() {
    startSession()
  }

  /// Ends the open session.
  ///
  /// - Returns: A task that ends without a result once that is recorded.
  @discardableResult
  public func stopSession() -> AWSTask<AnyObject> {
    parts.client.endSession()
    return recorded()
  }

  /// Goes on with a session that was paused, or starts one.
  ///
  /// - Returns: A task that ends without a result once that is recorded.
  @discardableResult
  public func resumeSession() -> AWSTask<AnyObject> {
    parts.client.resumeSession()
    return recorded()
  }

  /// Pauses the open session.
  ///
  /// - Parameters:
  ///   - timeoutEnabled: Whether it ends by itself unless it is resumed in time.
  ///   - timeoutCompletionBlock: Called once it has ended so; not at all if it is resumed.
  /// - Returns: A task that ends without a result once that is recorded.
  @discardableResult
  public func pauseSession(
    withTimeoutEnabled timeoutEnabled: Bool,
    timeoutCompletionBlock: @escaping @Sendable (AWSTask<AnyObject>) -> Void
  ) -> AWSTask<AnyObject> {
    parts.client.change(.session(.pause(timesOut: timeoutEnabled)))
    let task = recorded()
    guard timeoutEnabled else { return task }
    task.continueWith { [parts] _ in
      let paused = parts.client.sessionID
      Task {
        await parts.environment.sleep(parts.sessionSeconds)
        await parts.client.settle()
        guard parts.client.sessionID == nil, paused != nil else { return }
        timeoutCompletionBlock(AWSTask(result: nil))
      }
      return nil
    }
    return task
  }

  private func recorded() -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    parts.client.settle { task.end() }
    return task.task
  }
}
