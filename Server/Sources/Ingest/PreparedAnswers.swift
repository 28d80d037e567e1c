internal import FootfallSystem
internal import HTTPServing
internal import Wire

/// Answers in their sent form.
///
/// The common ones (all events accepted) differ only in a number, so a few hundred of them serve
/// almost every request.
final class PreparedAnswers: Sendable {
  private static let maxKept = 1_024

  private let kept = Lock([[UInt8]: PreparedResponse]())

  /// The answer of an accepted request.
  func accepted(_ answer: WireAnswer) -> Response {
    if let known = kept.withLock({ $0[answer.body] }) { return known.response }
    let made = PreparedResponse(Self.response(answer))
    kept.withLock { kept in
      if kept.count < Self.maxKept { kept[answer.body] = made }
    }
    return made.response
  }

  /// Any answer, with what a browser on another site needs to read it.
  static func response(_ answer: WireAnswer) -> Response {
    var headers = [
      Header("Content-Type", "application/json"), Header("Access-Control-Allow-Origin", "*"),
    ]
    if let seconds = answer.retryAfterSeconds {
      headers.append(Header("Retry-After", String(seconds)))
      headers.append(Header("Access-Control-Expose-Headers", "Retry-After"))
    }
    return Response(status: answer.status, headers: headers, body: answer.body)
  }

  /// The answer to a browser that asks whether it may send.
  static let preflight = PreparedResponse(
    Response(
      status: 204,
      headers: [
        Header("Access-Control-Allow-Origin", "*"),
        Header("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
        Header(
          "Access-Control-Allow-Headers",
          "Authorization, Content-Type, Content-Encoding, Footfall-Sent-At, If-None-Match, X-API-Key, X-Ingest-Key, X-SDL-Key"
        ),
        Header("Access-Control-Max-Age", "86400"),
      ]
    )
  )
}
