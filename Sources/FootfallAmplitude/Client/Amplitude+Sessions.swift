import Footfall
import FootfallCore
public import Foundation

// Visits of the user, and when what is stored is sent.
extension Amplitude {
  /// The open session, by its start in milliseconds since 1970; -1 for none.
  ///
  /// What was tracked a few milliseconds ago may not show yet.
  public var sessionId: Int64 {
    // What the last run kept is read together with the device.
    _ = getDeviceId()
    return client.sessionID.number
  }

  /// The open session, by its start in milliseconds since 1970; -1 for none.
  public func getSessionId() -> Int64 { sessionId }

  /// Ends the open session and begins the one of this start, in milliseconds since 1970.
  ///
  /// A negative number only ends the open one; the next event begins another.
  @discardableResult public func setSessionId(timestamp: Int64) -> Amplitude {
    client.startSession(id: .number(timestamp))
    return self
  }

  /// Ends the open session and begins the one of this start.
  @discardableResult public func setSessionId(date: Date) -> Amplitude {
    client.startSession(id: SessionID(start: date))
    return self
  }

  /// Sends what is stored, and what was tracked before the call; returns at once.
  @discardableResult public func flush() -> Amplitude {
    client.flush { _ in }
    return self
  }
}
