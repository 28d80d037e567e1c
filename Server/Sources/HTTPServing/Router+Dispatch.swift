/// The steps from a header to a reply that the server and the test client share.
extension Router {
  /// Finds the route of a request whose header is complete and decides about its body.
  func begin(
    _ request: Request,
    method: HTTPMethod?,
    limits: HTTPServer.Limits
  ) -> RequestIntake.Verdict {
    let framingProblem = request.framingProblem
    var refusal = framingProblem
    switch match(method, path: request.rawPath) {
    case .route(let route, let parameters):
      request.route = route
      if !parameters.isEmpty { request.pathParameters = parameters }
    case .allowed(let methods):
      // Answered like a refusal: at the end, without a handler.
      refusal = refusal ?? .methodNotAllowed(allowed: methods)
    case .refused(let reason):
      request.route = unknownPage(for: request, method: method, reason)
      if request.route == nil { refusal = refusal ?? reason }
    }
    request.method = method ?? .get
    request.hasKnownMethod = method != nil
    // Nobody knows where the body ends, so none is waited for.
    if let framingProblem { return .refuseNow(framingProblem) }
    return request.intake.begin(
      contentLength: request.contentLength,
      limit: request.route?.options.maxBodyBytes ?? 0,
      refusal: refusal,
      expectsContinue: request.headerBytes("expect") != nil
    )
  }

  /// The answer of a request that never reaches its handler.
  func refuse(_ request: Request, _ refusal: Refusal) -> Response {
    if request.method == .options, case .methodNotAllowed(let allowed) = refusal {
      return Response(
        status: 204,
        headers: [Header("Allow", allowed.map(\.rawValue).joined(separator: ", "))]
      )
    }
    let plain = refusal.response
    guard
      var response = request.route?.options.refusal(refusal)
        ?? self.refusal(of: refusal, path: request.rawPath)
    else { return plain }
    // What HTTP asks of these answers, whatever their body.
    for name in ["Allow", "Connection"] {
      if let value = plain.header(name), response.header(name) == nil {
        response.setHeader(name, value)
      }
    }
    return response
  }

  /// Counts a request that is over.
  func count(_ request: Request) {
    (request.route?.counts ?? unmatched).count(request.sentStatus)
  }
}

extension Request {
  /// The announced length of the body; nil without one.
  var contentLength: Int? {
    guard let bytes = headerBytes("content-length"), !bytes.isEmpty, bytes.count <= 18 else {
      return nil
    }
    var value = 0
    for byte in bytes {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  /// Why the end of the body could be read in two ways, which is how requests are smuggled past a
  /// proxy, or cannot be found at all; nil for an honest header.
  ///
  /// Source: RFC 9112, sections 6.1 and 6.3.
  var framingProblem: Refusal? {
    let length = headerBytes("content-length")
    if headerBytes("transfer-encoding") != nil {
      return length == nil
        ? transferCodingProblem : .malformed("two ways to tell the body's length")
    }
    guard let length else { return nil }
    if contentLength == nil { return .malformed("an unreadable Content-Length") }
    return headerTable.hasOther("content-length", than: length) ? .malformed("two lengths") : nil
  }

  /// Why a body that comes in codings cannot be read: only `chunked` is, alone and once.
  private var transferCodingProblem: Refusal? {
    let codings = headers("transfer-encoding").joined(separator: ",").lowercased()
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    guard codings != ["chunked"] else { return nil }
    let other = codings.first { $0 != "chunked" && !$0.isEmpty }
    return other == nil ? .malformed("an unreadable Transfer-Encoding") : .unknownCoding
  }
}
