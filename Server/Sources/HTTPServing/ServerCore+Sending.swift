internal import CMicroHTTPD
internal import FootfallSystem

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// How replies reach the connection.
extension ServerCore {
  func readHeader(of request: Request, from connection: OpaquePointer) {
    _ = MHD_get_connection_values_n(
      connection,
      .HEADER_KIND,
      { context, _, name, nameCount, value, valueCount in
        guard let context, let name else { return .YES }
        Unmanaged<Request>.fromOpaque(context).takeUnretainedValue().headerTable.append(
          name: UnsafeRawBufferPointer(start: name, count: nameCount),
          value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
        )
        return .YES
      },
      Unmanaged.passUnretained(request).toOpaque()
    )
  }

  /// Suspends first, then lets `start` run: in the other order the answer could overtake.
  func wait(
    for request: Request,
    on connection: OpaquePointer,
    _ start: (ReplyHandle) -> Void
  ) -> MHD_Result {
    var generation: UInt64 = 0
    let isSuspended = suspendUnlessClosing(connection) {
      generation = request.exchange.withLock { $0.wait(wake: request.wake) }
    }
    guard isSuspended else {
      return send(router.refuse(request, .overloaded), for: request, on: connection)
    }
    start(ReplyHandle(request: request, generation: generation))
    return .YES
  }

  func runLater(
    _ handle: ReplyHandle,
    on pool: HandlerPool,
    _ handler: @escaping @Sendable (Request) -> Reply
  ) {
    let isQueued = pool.run { Self.settle(handler(handle.request), handle) }
    if !isQueued { handle.finish(router.refuse(handle.request, .overloaded)) }
  }

  /// Gives a reply, on a thread that may wait.
  private static func settle(_ reply: Reply, _ handle: ReplyHandle) {
    switch reply {
    case .now(let response): handle.finish(response)
    case .later(let start): start(handle)
    case .stream(let events): handle.finish(events)
    case .blocking(let rest): settle(rest(), handle)
    }
  }

  func send(
    _ outcome: Exchange.Outcome,
    for request: Request,
    on connection: OpaquePointer
  )
    -> MHD_Result
  {
    switch outcome {
    case .response(let response): send(response, for: request, on: connection)
    case .stream(let events): send(events, for: request, on: connection)
    }
  }

  func send(
    _ response: Response,
    for request: Request,
    on connection: OpaquePointer
  )
    -> MHD_Result
  {
    if let path = response.file { return send(file: path, response, for: request, on: connection) }
    request.sentStatus = response.status
    request.sentBytes = response.body.count
    request.live?.enter(.sending, now: Self.milliseconds)
    if let prepared = response.prepared?.handle, !isStopping {
      return MHD_queue_response(connection, UInt32(response.status), prepared)
    }
    guard let made = MHDResponse.make(response) else { return .NO }
    defer { MHD_destroy_response(made) }
    MHDResponse.add([Header("X-Request-Id", request.id.description)], to: made)
    if isStopping { MHDResponse.add([Header("Connection", "close")], to: made) }
    return MHD_queue_response(connection, UInt32(response.status), made)
  }

  /// A download may take its time, as long as bytes are taken.
  private func send(
    file path: String,
    _ response: Response,
    for request: Request,
    on connection: OpaquePointer
  ) -> MHD_Result {
    guard let (made, bytes) = MHDResponse.make(file: path, response.headers) else {
      let gone = Response.text("The file is not there any more.\n", status: 404)
      return send(gone, for: request, on: connection)
    }
    defer { MHD_destroy_response(made) }
    // It is open: its bytes stay until they are sent.
    if response.removesFile { unlink(path) }
    request.sentStatus = response.status
    request.sentBytes = bytes
    request.live?.enter(.streaming, now: Self.milliseconds)
    MHDResponse.add([Header("X-Request-Id", request.id.description)], to: made)
    if isStopping { MHDResponse.add([Header("Connection", "close")], to: made) }
    return MHD_queue_response(connection, UInt32(response.status), made)
  }

  func send(
    _ events: ServerSentEvents,
    for request: Request,
    on connection: OpaquePointer
  )
    -> MHD_Result
  {
    request.sentStatus = 200
    request.live?.enter(.streaming, now: Self.milliseconds)
    let stream = LiveStream(
      events: events,
      core: self,
      connection: connection,
      socket: request.live?.socket ?? -1
    )
    guard let response = stream.makeResponse() else { return .NO }
    defer { MHD_destroy_response(response) }
    MHDResponse.add([Header("X-Request-Id", request.id.description)], to: response)
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
    events.start()
    // One that came while stopping must not be left open.
    if isStopping { events.close() }
    return MHD_queue_response(connection, 200, response)
  }
}
