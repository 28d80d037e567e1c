internal import FootfallSystem

/// Requests straight to a router, without a socket.
///
/// The same steps as in the server decide about limits, routes and refusals; the header limits,
/// timeouts and the wire itself need a loopback server.
public struct TestClient: Sendable {
  private let router: Router
  private let limits: HTTPServer.Limits
  /// Header fields sent with every request.
  public var headers: [Header] = []
  /// The address at the other end, as text; empty for none, as without a socket.
  public var peer = ""

  /// Makes a client.
  public init(_ router: Router, limits: HTTPServer.Limits = .init()) {
    self.router = router
    self.limits = limits
  }

  /// Sends a request and waits for its answer; a stream is answered by an empty 200 (see `stream`).
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: path and query as they stand on the wire.
  ///   - headers: header fields; `Content-Length` is added.
  ///   - body: the body's bytes.
  /// - Returns: the answer.
  public func send(
    _ method: HTTPMethod,
    _ target: String,
    headers: [Header] = [],
    body: [UInt8] = []
  ) async -> Response {
    let outcome = await outcome(method, target, headers: headers, body: body)
    guard case .response(var response) = outcome else { return Response() }
    if method == .head { response.body = [] }
    return response
  }

  /// Sends a `GET`.
  public func get(_ target: String, headers: [Header] = []) async -> Response {
    await send(.get, target, headers: headers)
  }

  /// Sends a `POST`.
  public func post(_ target: String, headers: [Header] = [], body: [UInt8]) async -> Response {
    await send(.post, target, headers: headers, body: body)
  }

  /// Sends a `POST` with text.
  public func post(_ target: String, headers: [Header] = [], text: String) async -> Response {
    await send(.post, target, headers: headers, body: Array(text.utf8))
  }

  /// Sends a `GET` and opens the stream it is answered with; nil if the answer is none.
  public func stream(_ target: String, headers: [Header] = []) async -> TestEventStream? {
    guard case .stream(let events) = await outcome(.get, target, headers: headers, body: []) else {
      return nil
    }
    events.start()
    return TestEventStream(events)
  }

  private func outcome(
    _ method: HTTPMethod,
    _ target: String,
    headers: [Header],
    body: [UInt8]
  )
    async -> Exchange.Outcome
  {
    let request = Request()
    request.peer = PeerAddress(peer) ?? .unknown
    request.trustedProxies = limits.trustedProxies
    request.fill(target: target, headers: self.headers + headers, body: body)
    let outcome = await outcome(of: request, method: method, body: body)
    request.sentStatus = if case .response(let response) = outcome { response.status } else { 200 }
    router.count(request)
    return outcome
  }

  private func outcome(
    of request: Request,
    method: HTTPMethod,
    body: [UInt8]
  ) async
    -> Exchange.Outcome
  {
    if case .refuseNow(let refusal) = router.begin(request, method: method, limits: limits) {
      return .response(router.refuse(request, refusal))
    }
    if !body.isEmpty, request.intake.receive(body.count) == .keep {
      body.withUnsafeBytes { request.bodyBuffer.append($0) }
    }
    if let refusal = request.intake.refusal { return .response(router.refuse(request, refusal)) }
    return await run(request)
  }

  private func run(_ request: Request) async -> Exchange.Outcome {
    guard let route = request.route else { return .response(Refusal.notFound.response) }
    return await outcome(of: route.handler(request), to: request)
  }

  private func outcome(of reply: Reply, to request: Request) async -> Exchange.Outcome {
    switch reply {
    case .blocking(let rest): return await outcome(of: rest(), to: request)
    case .now(let response): return .response(response)
    case .stream(let events): return .stream(events)
    case .later(let start):
      return await withCheckedContinuation { continuation in
        let generation = request.exchange.withLock { exchange in
          exchange.wait {
            let outcome = request.exchange.withLock { $0.outcome }
            continuation.resume(returning: outcome ?? .response(Response(status: 500)))
          }
        }
        start(ReplyHandle(request: request, generation: generation))
      }
    }
  }
}

/// An open stream of a test.
public final class TestEventStream: Sendable {
  private let events: ServerSentEvents

  init(_ events: ServerSentEvents) { self.events = events }

  deinit { events.finish() }

  /// What was sent since the last call, as on the wire.
  public func received() -> String { String(decoding: events.takeAll(), as: UTF8.self) }

  /// Whether the server ended it.
  public var isClosed: Bool { events.isClosed }

  /// Goes away, as a browser that closes the page.
  public func close() { events.finish() }
}

extension Request {
  fileprivate func fill(target: String, headers: [Header], body: [UInt8]) {
    var target = target
    target.withUTF8 { self.target.append(UnsafeRawBufferPointer($0)) }
    var headers = headers
    if !body.isEmpty { headers.append(Header("Content-Length", String(body.count))) }
    for header in headers {
      var header = header
      header.name.withUTF8 { name in
        header.value.withUTF8 { value in
          headerTable.append(
            name: UnsafeRawBufferPointer(name),
            value: UnsafeRawBufferPointer(value)
          )
        }
      }
    }
    splitTarget()
  }
}
