internal import Catalog
internal import FootfallSystem
internal import HTTPServing
internal import SigV4
internal import Wire

/// Lets in the requests of AWS clients that are signed with a key of this server.
///
/// ```swift
/// let caller = try gate.admit(request, to: .kinesis)
/// try caller.require("PutRecords", on: "stream/clicks")
/// ```
///
/// The signature covers the bytes as they were sent: admit first, then inflate and parse.
struct AWSGate: Sendable {
  /// What the catalogue knows of AWS clients.
  struct Directory: Sendable {
    /// The key of an access key id; nil for one that is unknown or revoked.
    var key: @Sendable (_ accessKeyID: String) -> AWSKey? = { _ in nil }
    /// The Pinpoint application with an id; nil for one that is unknown.
    var app: @Sendable (_ id: String) -> PinpointApp? = { _ in nil }
    /// The applications of a project.
    var apps: @Sendable (_ project: UInt32) throws(CatalogError) -> [PinpointApp] = { _ in [] }
    /// Makes an application of that name.
    var addApp: @Sendable (_ project: UInt32, _ name: String) throws(CatalogError) -> PinpointApp? =
      {
        _,
        _ in nil
      }
    /// Takes an application away.
    var removeApp: @Sendable (PinpointApp) throws(CatalogError) -> Void = { _ in }
    /// The streams that records are put into.
    var streams = StreamDirectory()
  }

  /// Knows the keys.
  let directory: Directory
  /// The host that clients reach the server by where a proxy stands in front; nil without one.
  let publicHost: String?
  /// The wall clock in milliseconds since 1970.
  let nowMs: @Sendable () -> Int64
  private let keys = Lock(SigningKeys())

  init(directory: Directory, publicHost: String?, nowMs: @escaping @Sendable () -> Int64) {
    self.directory = directory
    self.publicHost = publicHost
    self.nowMs = nowMs
  }

  /// Checks a request's signature.
  ///
  /// - Throws: The refusal for `AWSService.response`.
  func admit(_ request: Request, to service: AWSService) throws(AWSRefusal) -> AWSCaller {
    let signed = SignedRequest(
      method: request.method.rawValue,
      path: request.rawPath,
      query: request.rawQuery,
      body: request.body,
      headers: request.headers
    )
    do throws(SignatureProblem) {
      let signature = try SignatureV4(of: signed, for: service)
      guard let key = directory.key(signature.accessKeyID) else { throw .unknownKey }
      let known = keys.withLock { $0.key(of: signature, secret: key.secret) }
      let signingKey = known ?? signature.signingKey(key.secret)
      try signature.check(signed, key: signingKey, publicHost: publicHost, nowMs: nowMs())
      if known == nil {
        keys.withLock { $0.note(signingKey, of: signature, secret: key.secret) }
      }
      return AWSCaller(
        service: service,
        key: key,
        accessKeyID: signature.accessKeyID,
        region: signature.region,
        sentAtMs: signature.signedAtMs
      )
    } catch {
      throw error.refusal(by: service)
    }
  }
}

/// Who sent a request whose signature is good.
struct AWSCaller {
  /// The service it was sent to.
  let service: AWSService
  /// The key that signed it.
  let key: AWSKey
  /// The public half of that key, by which people know it.
  let accessKeyID: String
  /// The region the client signed for; any will do.
  let region: String
  /// When the client signed, by its own clock, in milliseconds since 1970; events are corrected by it.
  let sentAtMs: Int64

  /// Checks that the key may do this.
  ///
  /// - Parameters:
  ///   - action: The operation's name, such as `PutEvents`.
  ///   - resources: What it concerns, as in an ARN behind the account (`stream/clicks`); one that the
  ///     key may use is enough.
  /// - Throws: The refusal for `AWSService.response`.
  func require(_ action: String, on resources: String...) throws(AWSRefusal) {
    guard key.rights.allow("\(service.rawValue):\(action)", on: resources) else {
      throw service.notAllowed(action, on: resources.first ?? "*")
    }
  }
}

extension AWSService {
  /// A refusal in the service's shape.
  ///
  /// - Parameters:
  ///   - refusal: What to tell.
  ///   - nowMs: The server's clock; the iOS SDK sets its own by the header `Date`.
  /// - Returns: The answer, with an id of its own.
  func response(_ refusal: AWSRefusal, nowMs: Int64) -> Response {
    let id = Self.requestID()
    var response = response(
      status: refusal.status,
      body(of: refusal, requestID: id),
      requestID: id,
      nowMs: nowMs
    )
    response.headers.append(Header("x-amzn-ErrorType", refusal.code))
    if let seconds = refusal.retryAfterSeconds {
      response.headers.append(Header("Retry-After", String(seconds)))
    }
    return response
  }

  /// An answer in the service's shape; one that is no refusal must not name an error.
  func response(status: Int, _ body: [UInt8], requestID: String, nowMs: Int64) -> Response {
    Response(
      status: status,
      headers: [
        Header("Content-Type", contentType), Header("x-amzn-RequestId", requestID),
        Header("Date", UTCTime(nowMs).http), Header("Access-Control-Allow-Origin", "*"),
        Header("Access-Control-Expose-Headers", "Date, x-amzn-ErrorType, x-amzn-RequestId"),
      ],
      body: body
    )
  }

  /// A new id for an answer, as AWS writes them.
  static func requestID() -> String {
    var words = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return String(unsafeUninitializedCapacity: 36) { text in
      for place in 0..<36 {
        switch place {
        case 8, 13, 18, 23: text[place] = UInt8(ascii: "-")
        default:
          let half = place < 18 ? 0 : 1
          let digit = UInt8(truncatingIfNeeded: words[half] & 15)
          words[half] >>= 4
          text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
      }
      return 36
    }
  }
}
