/// Where a connection stands, for the rule that bounds slow clients.
///
/// The library's own idle timeout starts again with every byte, so a client that sends one byte in
/// ten seconds would hold its connection for ever.
enum ConnectionPhase: UInt64, Sendable {
  /// Waits for a later request's header, or for the rest of one.
  case header = 0
  /// Sends the body.
  case body = 1
  /// Waits for us.
  case handling = 2
  /// Takes the answer.
  case sending = 3
  /// Takes a stream, which may stay open.
  case streaming = 4
  /// Has not sent a whole header yet: nobody knows whether it ever will.
  case opening = 5

  /// Whether a connection that has been in this phase since then is to be closed; both times are
  /// monotonic milliseconds.
  func isOverdue(since: UInt64, now: UInt64, limits: HTTPServer.Limits) -> Bool {
    let seconds: Int
    switch self {
    case .opening: seconds = limits.openingSeconds
    case .header: seconds = limits.idleSeconds + limits.requestSeconds
    case .body, .sending: seconds = limits.requestSeconds
    case .handling, .streaming: return false
    }
    return now > since && now - since > UInt64(max(1, seconds)) * 1_000
  }
}
