/// Decides, piece by piece, what happens to a request's body: kept, swallowed or cut off.
///
/// A value: it is told what arrives and answers what to do. Nothing is kept beyond the limit; a body
/// that is too large is still swallowed up to `maxSwallowedBytes`, because a client whose answer is
/// sent in mid-upload may see a reset connection instead of the answer.
struct RequestIntake: Sendable, Equatable {
  /// What to do once the header is known.
  enum Verdict: Equatable {
    /// Take the body.
    case read
    /// Answer now and close; the client waits for a go-ahead or announced more than is swallowed.
    case refuseNow(Refusal)
  }

  /// What to do with a piece of the body.
  enum Piece: Equatable {
    case keep
    case swallow
    /// More than is swallowed arrived: close.
    case cut
  }

  /// The largest excess that is read and thrown away.
  static let maxSwallowedBytes = 8 << 20

  /// Why the request will be refused at its end; nil as long as it is welcome.
  private(set) var refusal: Refusal?
  private var limit = 0
  private var received = 0

  /// Takes the header's facts.
  ///
  /// - Parameters:
  ///   - contentLength: as announced; nil for a chunked body or none.
  ///   - limit: bytes of body the route takes.
  ///   - refusal: a reason to refuse that is known already (no such route…).
  ///   - expectsContinue: whether the client waits with its body for a go-ahead.
  /// - Returns: what to do.
  mutating func begin(
    contentLength: Int?,
    limit: Int,
    refusal: Refusal? = nil,
    expectsContinue: Bool
  ) -> Verdict {
    self.limit = refusal == nil ? limit : 0
    self.refusal = refusal
    if self.refusal == nil, let contentLength, contentLength > limit {
      self.refusal = .bodyTooLarge(limit: limit)
    }
    guard let refusal = self.refusal else { return .read }
    let isHuge = (contentLength ?? 0) > limit + Self.maxSwallowedBytes
    return isHuge || expectsContinue ? .refuseNow(refusal) : .read
  }

  /// Takes the size of a piece of the body.
  mutating func receive(_ count: Int) -> Piece {
    received += count
    if refusal == nil, received > limit { refusal = .bodyTooLarge(limit: limit) }
    if refusal == nil { return .keep }
    return received > limit + Self.maxSwallowedBytes ? .cut : .swallow
  }

  /// Refuses at the end for a reason found on the way.
  mutating func refuse(_ reason: Refusal) { refusal = refusal ?? reason }
}

/// Why a request is answered without its handler.
public enum Refusal: Sendable, Hashable {
  /// The path is broken or tries to climb (400), or the header contradicts itself.
  case malformed(String)
  /// The body comes in a transfer coding that the server does not read (501).
  case unknownCoding
  /// No route has this path (404).
  case notFound
  /// The path has routes, but not for this method (405).
  case methodNotAllowed(allowed: [HTTPMethod])
  /// The body is over the route's limit in bytes (413).
  case bodyTooLarge(limit: Int)
  /// Bodies in memory or waiting handlers are over the server's limit, or it is stopping (503).
  case overloaded

  /// The plain answer; routes may give their own, see `RouteOptions.refusal`.
  public var response: Response {
    switch self {
    case .malformed(let why):
      return Self.closing(.text("Bad request: \(why)\n", status: 400))
    case .unknownCoding:
      return Self.closing(
        .text(
          "Of transfer codings only chunked is read. Send the body without others.\n",
          status: 501
        )
      )
    case .notFound:
      return .text("Not found\n", status: 404)
    case .methodNotAllowed(let allowed):
      var response = Response.text("Method not allowed\n", status: 405)
      response.setHeader("Allow", allowed.map(\.rawValue).joined(separator: ", "))
      return response
    case .bodyTooLarge(let limit):
      return .text("The body is larger than \(limit) bytes\n", status: 413)
    case .overloaded:
      var response = Response.text("Overloaded, try again\n", status: 503)
      response.setHeader("Retry-After", "1")
      return response
    }
  }

  /// Where the request ends is not certain, so nothing behind it may be read as the next one.
  private static func closing(_ response: Response) -> Response {
    var response = response
    response.setHeader("Connection", "close")
    return response
  }
}
