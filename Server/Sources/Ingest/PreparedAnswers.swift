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
      Header("Content-Type", answer.isPlainText ? "text/plain; charset=utf-8" : "application/json"),
      Header("Access-Control-Allow-Origin", "*"),
    ]
    if let seconds = answer.retryAfterSeconds {
      headers.append(Header("Retry-After", String(seconds)))
      headers.append(Header("Access-Control-Expose-Headers", "Retry-After"))
    }
    return Response(status: answer.status, headers: headers, body: answer.body)
  }

  /// The answer to a browser that asks whether it may send.
  ///
  /// Pages may add header fields of their own to what clients send, so whatever is asked for is
  /// allowed: a key is all that a request is trusted by.
  static func preflight(_ request: Request) -> Response {
    let asked = request.header("access-control-request-headers")?.split(separator: ",")
      .map { $0.filter { $0 != " " } }
    let others = (asked ?? []).filter { name in
      name.utf8.count <= 64 && !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
        && !usualFields.contains { $0.lowercased() == name.lowercased() }
    }
    if others.isEmpty { return usualPreflight.response }
    return preflight(allowing: usualFields + others.prefix(32))
  }

  private static let usualFields = [
    "Accept", "Authorization", "Content-Type", "Content-Encoding", "Footfall-Sent-At",
    "If-None-Match", "X-API-Key", "X-Ingest-Key", "X-SDL-Key",
  ]

  private static let usualPreflight = PreparedResponse(preflight(allowing: usualFields))

  private static func preflight(allowing fields: [String]) -> Response {
    Response(
      status: 204,
      headers: [
        Header("Access-Control-Allow-Origin", "*"),
        Header("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
        Header("Access-Control-Allow-Headers", fields.joined(separator: ", ")),
        Header("Access-Control-Max-Age", "86400"),
        Header("Vary", "Access-Control-Request-Headers"),
      ]
    )
  }

  /// Letters, digits and hyphens: what names of header fields are made of.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
