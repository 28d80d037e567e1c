/// One answered request, for the log.
public struct AccessRecord: Sendable {
  /// Repeated in the answer's `X-Request-Id`.
  public let id: RequestID
  /// The method; nil for one that no route can have, whose name is the client's own text.
  public let method: HTTPMethod?
  /// The route as registered, so that what stands for its parameters (a sign-in token…) stays out of
  /// the log; nil if none matched.
  public let route: String?
  /// The status sent; 0 where the client went away before it.
  public let status: Int
  /// Bytes of body received.
  public let receivedBytes: Int
  /// Bytes of body sent.
  public let sentBytes: Int
  /// Microseconds from the complete header to the last byte of the answer.
  public let microseconds: UInt64
  /// The client's address; the operator decides whether to keep it.
  public let remoteAddress: String

  /// The line: `id=… method=GET route=/healthz status=200 in=0 out=3 us=120 from=127.0.0.1`.
  public var line: String {
    "id=\(id) method=\(method?.rawValue ?? "-") route=\(route ?? "-") status=\(status) in=\(receivedBytes)"
      + " out=\(sentBytes) us=\(microseconds) from=\(remoteAddress.isEmpty ? "-" : remoteAddress)"
  }
}

extension AccessRecord {
  /// The record of a request that is over at that monotonic time in nanoseconds.
  init(_ request: Request, now: UInt64) {
    id = request.id
    method = request.hasKnownMethod ? request.method : nil
    route = request.routePattern
    status = request.sentStatus
    receivedBytes = request.body.count
    sentBytes = request.sentBytes
    microseconds = (now - request.startedAt) / 1_000
    remoteAddress = request.remoteAddress
  }
}
