internal import CMicroHTTPD
internal import FootfallSystem

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The HTTP/1.1 server, over libmicrohttpd.
///
/// ```swift
/// let server = try HTTPServer(host: "127.0.0.1", port: 4001, router: router)
/// try server.start()
/// print("http://127.0.0.1:\(server.port)")
/// …
/// server.stop()
/// ```
///
/// Plain HTTP: TLS is a proxy's work.
public final class HTTPServer: Sendable {
  private struct State {
    var socket: Int32
    var daemon: OpaquePointer?
    var options: UnsafeMutablePointer<footfall_mhd_options>?
    var watchdog: SystemThread?
  }

  /// The port it listens on.
  public let port: Int
  /// The address it was told to listen on.
  public let host: String

  let core: ServerCore
  private let state: Lock<State>
  private let watch = Monitor(false)

  /// Takes the port, so that a second server is told at once; nobody is answered before `start`.
  ///
  /// - Parameters:
  ///   - host: a numeric address or a name of this machine; loopback by default.
  ///   - port: 0 lets the system choose, see `port`.
  ///   - limits: what is taken from anyone.
  ///   - router: the routes.
  ///   - accessLog: is told each answered request of a route that is logged, on the connection's
  ///     thread; must not block. None by default.
  ///   - problemLog: is told what the library complains about. Dropped by default.
  /// - Throws: `ListenError`, whose text says what to do.
  public init(
    host: String = "127.0.0.1",
    port: Int,
    limits: Limits = Limits(),
    router: Router,
    accessLog: (@Sendable (AccessRecord) -> Void)? = nil,
    problemLog: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(ListenError) {
    let listening = try ListeningSocket.open(host: host, port: port)
    self.port = listening.port
    self.host = host
    core = ServerCore(
      router: router,
      limits: limits,
      accessLog: accessLog,
      problemLog: problemLog
    )
    state = Lock(State(socket: listening.descriptor))
  }

  deinit { stop(drainSeconds: 0) }

  /// Finds out whether a server could listen there now.
  ///
  /// - Parameters:
  ///   - host: as for `init`.
  ///   - port: likewise.
  /// - Throws: `ListenError`, whose text says what to do.
  public static func check(host: String, port: Int) throws(ListenError) {
    close(try ListeningSocket.open(host: host, port: port).descriptor)
  }

  /// Begins to answer.
  ///
  /// A second call does nothing.
  ///
  /// - Throws: `ListenError` if the system has no threads or descriptors left.
  public func start() throws(ListenError) {
    // A client that goes away while it is written to must not end the process.
    signal(SIGPIPE, SIG_IGN)
    footfall_keep_freed_memory()
    if let warning = core.limits.raiseOpenFiles() { core.problemLog(warning) }
    do {
      try state.withLock { state throws(SystemError) in try start(&state) }
    } catch {
      throw ListenError(host: host, port: port, code: error.code)
    }
  }

  private func start(_ state: inout State) throws(SystemError) {
    guard state.daemon == nil, state.socket >= 0 else { return }
    try core.handlers.start(threads: core.limits.handlerThreads)
    try core.quickHandlers.start(threads: core.limits.quickHandlerThreads)
    let options = Callbacks.options(core: core, socket: state.socket)
    guard let daemon = footfall_mhd_start(options) else {
      let code = errno
      // The library may have closed the socket; closing it again could hit someone else's.
      state.socket = -1
      Callbacks.free(options)
      throw SystemError(code: code, operation: .startThread, path: "libmicrohttpd")
    }
    state.daemon = daemon
    state.options = options
    // The daemon owns the socket now.
    let core = core
    let watch = watch
    state.watchdog = try SystemThread(name: "ff-http-watch") {
      while watch.wait(timeoutSeconds: 1, until: { $0 ? true : nil }) == nil {
        core.sweep(at: MonotonicTime.now().nanoseconds)
      }
    }
  }

  /// Stops gracefully: takes no new connections, answers whoever has connected, ends streams, waits for the
  /// answers under way, then closes.
  ///
  /// A client that is cut off after it sent its request cannot know whether it was taken, and some then lose
  /// what they sent.
  ///
  /// Blocks; a second call does nothing.
  ///
  /// - Parameter drainSeconds: how long requests may still take; 10 by default. What is unanswered
  ///   then is answered with 503. Handlers that are running are waited for.
  public func stop(drainSeconds: Double = 10) {
    let (socket, daemon, options, watchdog) = state.withLock { state in
      defer { state = State(socket: -1) }
      return (state.socket, state.daemon, state.options, state.watchdog)
    }
    guard let daemon else {
      if socket >= 0 { close(socket) }
      core.stopHandlers()
      return
    }
    core.beginStopping()
    footfall_end_handshakes(socket)
    core.hearOut(listening: socket, seconds: min(drainSeconds, core.limits.lastRequestSeconds))
    #if !os(Linux)
    // With epoll this may end the process (libmicrohttpd before 1.0): the call and a thread that runs both take
    // the socket out of the thread's set, and the second finds it gone. There nobody new comes by now, and the
    // library closes the socket at the end.
    let listening = MHD_quiesce_daemon(daemon)
    if listening >= 0 { close(listening) }
    #endif
    core.drain(seconds: drainSeconds)
    watch.change { $0 = true }
    watchdog?.join()
    MHD_stop_daemon(daemon)
    core.stopHandlers()
    if let options { Callbacks.free(options) }
  }

  /// Connections closed at once, since the start, because their address had too many.
  public var refusedConnections: UInt64 { core.refusedConnections }

  /// Connections open now.
  public var openConnections: Int { core.openConnections }
}
