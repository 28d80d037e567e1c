internal import CMicroHTTPD
internal import FootfallSystem
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What the library's callbacks work on: from the first line of a request to its last byte.
final class ServerCore: Sendable {
  let router: Router
  let limits: HTTPServer.Limits
  let accessLog: (@Sendable (AccessRecord) -> Void)?
  let problemLog: @Sendable (String) -> Void
  let handlers: HandlerPool
  let quickHandlers: HandlerPool
  let pool = RequestPool()

  private let connections = Lock([ObjectIdentifier: LiveConnection]())
  private let peers = Lock(PeerCounts())
  let streams = Lock([ObjectIdentifier: LiveStream]())
  private let nextID: Atomic<UInt64>
  private let inFlight = Atomic<Int>(0)
  private let suspended = Atomic<Int>(0)
  private let bodyBytes = Atomic<Int>(0)
  private let stopping = Atomic<Bool>(false)
  private let closing = Atomic<Bool>(false)
  /// Waited on by `drain`; carries nothing, the counts are the atomics above.
  private let drained = Monitor(())

  init(
    router: Router,
    limits: HTTPServer.Limits,
    accessLog: (@Sendable (AccessRecord) -> Void)?,
    problemLog: @escaping @Sendable (String) -> Void
  ) {
    self.router = router
    self.limits = limits
    self.accessLog = accessLog
    self.problemLog = problemLog
    handlers = HandlerPool(maxQueued: limits.queuedHandlers)
    quickHandlers = HandlerPool(maxQueued: limits.queuedHandlers)
    nextID = Atomic(UInt64.random(in: .min ... .max))
  }

  /// Lets the handlers that run finish.
  func stopHandlers() {
    handlers.stop()
    quickHandlers.stop()
  }

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  // MARK: Connections

  func opened(_ connection: OpaquePointer) -> LiveConnection {
    let live = LiveConnection(
      socket: footfall_mhd_socket(connection),
      peer: PeerAddress(footfall_mhd_peer(connection)),
      now: Self.milliseconds
    )
    connections.withLock { $0[ObjectIdentifier(live)] = live }
    peers.withLock { $0.opened(live.peer) }
    return live
  }

  /// Whether a connection from there is taken.
  func admits(_ peer: PeerAddress) -> Bool {
    if peer.isThisMachine || limits.trustedProxies.contains(where: { $0.contains(peer) }) {
      return true
    }
    return peers.withLock { $0.admits(peer, limit: limits.connectionsPerAddress) }
  }

  /// Connections closed at once because their address had too many.
  var refusedConnections: UInt64 { peers.withLock { $0.refused } }

  func closed(_ live: LiveConnection) {
    connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(live)) }
    peers.withLock { $0.closed(live.peer) }
  }

  var openConnections: Int { connections.withLock { $0.count } }

  /// Cuts off connections that are too slow or whose client went away in the middle of a request, and looks after streams.
  func sweep(at nanoseconds: UInt64) {
    let now = nanoseconds / 1_000_000
    connections.withLock { connections in
      // Inside the lock: the library closes a socket only after `closed` has returned.
      for live in connections.values
      where live.isOverdue(now: now, limits: limits) || live.isLeft(now: now) {
        shutdown(live.socket, Int32(SHUT_RDWR))
      }
    }
    for stream in streams.withLock({ Array($0.values) }) { stream.tend(at: nanoseconds) }
  }

  func forget(_ stream: LiveStream) {
    streams.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  func suspend(_ connection: OpaquePointer) {
    suspended.add(1, ordering: .sequentiallyConsistent)
    MHD_suspend_connection(connection)
  }

  /// Suspends a connection, after `prepare`, unless it is too late for an answer that takes time.
  func suspendUnlessClosing(_ connection: OpaquePointer, _ prepare: () -> Void) -> Bool {
    // Counted before it looks: whoever closes either sees this one or is seen.
    suspended.add(1, ordering: .sequentiallyConsistent)
    guard !closing.load(ordering: .sequentiallyConsistent) else {
      endSuspension()
      return false
    }
    prepare()
    MHD_suspend_connection(connection)
    return true
  }

  func resume(_ connection: OpaquePointer) {
    MHD_resume_connection(connection)
    endSuspension()
  }

  private func endSuspension() {
    suspended.subtract(1, ordering: .sequentiallyConsistent)
    if isStopping { drained.change { _ in } }
  }

  // MARK: One request

  func beginLine(_ target: UnsafeRawBufferPointer) -> Request {
    let request = pool.take { request in
      request.trustedProxies = limits.trustedProxies
      request.wake = { [unowned self, unowned request] in
        if let connection = request.connection { resume(connection) }
      }
    }
    request.target.append(target)
    return request
  }

  func begin(
    _ request: Request,
    method: UnsafeRawBufferPointer,
    on connection: OpaquePointer
  )
    -> MHD_Result
  {
    inFlight.add(1, ordering: .sequentiallyConsistent)
    request.hasBegun = true
    request.connection = connection
    request.id = RequestID(nextID.add(1, ordering: .relaxed).newValue)
    request.startedAt = MonotonicTime.now().nanoseconds
    if let context = footfall_mhd_socket_context(connection) {
      let live = Unmanaged<LiveConnection>.fromOpaque(context).takeUnretainedValue()
      request.live = live
      request.peer = live.peer
      live.enter(.body, now: request.startedAt / 1_000_000)
    }
    readHeader(of: request, from: connection)
    request.splitTarget()
    switch router.begin(request, method: HTTPMethod(bytes: method), limits: limits) {
    case .read: return .YES
    case .refuseNow(let refusal):
      return send(router.refuse(request, refusal), for: request, on: connection)
    }
  }

  func receive(_ piece: UnsafeRawBufferPointer, of request: Request) -> MHD_Result {
    switch request.intake.receive(piece.count) {
    case .keep:
      let held = bodyBytes.add(piece.count, ordering: .relaxed).newValue
      let limit = request.route?.options.maxBodyBytes ?? 0
      request.bodyBuffer.append(piece, limit: limit)
      if held > limits.bodyBytesInMemory { request.intake.refuse(.overloaded) }
      return .YES
    case .swallow: return .YES
    case .cut: return .NO
    }
  }

  func answer(_ request: Request, on connection: OpaquePointer) -> MHD_Result {
    if let outcome = request.exchange.withLock({ $0.outcome }) {
      return send(outcome, for: request, on: connection)
    }
    if let refusal = request.intake.refusal {
      return send(router.refuse(request, refusal), for: request, on: connection)
    }
    guard let route = request.route else { return .NO }
    request.live?.enter(.handling, now: Self.milliseconds)
    if route.options.mayBlock {
      let pool = route.options.isQuick ? quickHandlers : handlers
      return wait(for: request, on: connection) { self.runLater($0, on: pool, route.handler) }
    }
    switch route.handler(request) {
    case .now(let response): return send(response, for: request, on: connection)
    case .later(let start): return wait(for: request, on: connection, start)
    case .stream(let events): return send(.stream(events), for: request, on: connection)
    case .blocking(let rest):
      return wait(for: request, on: connection) {
        self.runLater($0, on: handlers) { _ in rest() }
      }
    }
  }

  func completed(_ request: Request, on connection: OpaquePointer) {
    let now = MonotonicTime.now().nanoseconds
    if request.sentStatus == 0 { request.sentStatus = Int(footfall_mhd_status(connection)) }
    if request.hasBegun || request.sentStatus != 0 { router.count(request) }
    if request.hasBegun, let accessLog, request.route?.options.isLogged ?? true {
      accessLog(AccessRecord(request, now: now))
    }
    request.live?.enter(.header, now: now / 1_000_000)
    bodyBytes.subtract(request.body.count, ordering: .relaxed)
    let hadBegun = request.hasBegun
    if isStopping {
      // A handler that was given up may still read it.
      request.hasBegun = false
    } else {
      pool.give(back: request)
    }
    guard hadBegun else { return }
    inFlight.subtract(1, ordering: .sequentiallyConsistent)
    if isStopping { drained.change { _ in } }
  }

  // MARK: Stopping

  /// Says `Connection: close` to every answer from here on.
  func beginStopping() { stopping.store(true, ordering: .sequentiallyConsistent) }

  /// Waits until whoever has connected was accepted and has begun a request.
  func hearOut(listening: Int32, seconds: Double) {
    let deadline = MonotonicTime.now().advanced(bySeconds: seconds)
    var quietChecks = 0
    // Between the queue and the table is a moment in which a connection is in neither.
    while quietChecks < 2, MonotonicTime.now() < deadline {
      quietChecks = isUnheard(listening) ? 0 : quietChecks + 1
      _ = drained.wait(timeoutSeconds: 0.002) { _ -> Bool? in nil }
    }
  }

  private func isUnheard(_ listening: Int32) -> Bool {
    var queue = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
    if poll(&queue, 1, 0) > 0 { return true }
    return connections.withLock { $0.values.contains(where: \.isUnheard) }
  }

  /// Ends streams, waits for answers under way, and answers what is left itself.
  func drain(seconds: Double) {
    for stream in streams.withLock({ Array($0.values) }) { stream.events.close() }
    let isIdle = { [self] in
      inFlight.load(ordering: .sequentiallyConsistent) == 0
        && suspended.load(ordering: .sequentiallyConsistent) == 0
    }
    let deadline = MonotonicTime.now().advanced(bySeconds: seconds)
    _ = drained.wait(timeoutSeconds: seconds) { _ in isIdle() ? true : nil }
    // The library aborts the process if it is stopped with a suspended connection, so that from here none
    // may be, and those that came meanwhile are waited for as well.
    closing.store(true, ordering: .sequentiallyConsistent)
    let left = max(0, deadline.seconds(since: .now()))
    if drained.wait(timeoutSeconds: left, until: { _ in isIdle() ? true : nil }) != nil { return }
    problemLog(
      "Stopping with \(inFlight.load(ordering: .relaxed)) requests unanswered after \(seconds) s; answering them with 503"
    )
    for request in pool.all {
      let wake = request.exchange.withLock { $0.settle(.response(Refusal.overloaded.response)) }
      wake?()
    }
    _ = drained.wait { [self] _ in
      suspended.load(ordering: .sequentiallyConsistent) == 0 ? true : nil
    }
    _ = drained.wait(timeoutSeconds: 1) { _ in isIdle() ? true : nil }
  }

  static var milliseconds: UInt64 { MonotonicTime.now().nanoseconds / 1_000_000 }
}
