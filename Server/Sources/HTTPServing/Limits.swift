extension HTTPServer {
  /// What the server takes from anyone, known or not.
  public struct Limits: Sendable {
    /// Connections at once; 4,096 by default.
    ///
    /// More wait in the system's queue. The limit of open files is raised with it as far as the
    /// system allows.
    public var connections = 4_096
    /// Connections at once of one address, or of one /64 network of IPv6; 256 by default.
    ///
    /// More are closed at once. Trusted proxies, and this machine itself by 127.0.0.1 or ::1, where a proxy
    /// commonly stands, may have as many as there are.
    public var connectionsPerAddress = 256
    /// Threads that serve connections; the number of cores by default, at least 2.
    public var threads: Int
    /// Threads for handlers that may block; 4 by default.
    public var handlerThreads = 4
    /// Threads for handlers that never ask the event store; 2 by default.
    public var quickHandlerThreads = 2
    /// Requests that may wait for one of those; 256 by default.
    ///
    /// More are answered with 503.
    public var queuedHandlers = 256
    /// Bytes of memory for one connection's header and pieces of its body; 40 KiB by default.
    ///
    /// A larger header is answered with 431 (an over-long address with 414). What is read at once is half of
    /// it: a usual batch of events comes in one piece. All of it is cleared for every request, so more costs
    /// each of them time.
    public var headerBytes = 40 * 1_024
    /// Bytes of bodies held at once over all requests; 256 MiB by default.
    ///
    /// More is answered with 503.
    public var bodyBytesInMemory = 256 << 20
    /// Seconds without a byte after which a connection is closed; 30 by default.
    public var idleSeconds = 30
    /// Seconds in which a new connection must have sent the whole header of its first request; 20 by
    /// default.
    public var openingSeconds = 20
    /// Seconds in which a body must have arrived, and in which an answer must have been taken; 60
    /// by default.
    ///
    /// A later header may take that and the idle time together.
    public var requestSeconds = 60
    /// Seconds for which a server that stops waits for those who have connected and not yet sent a request;
    /// half a second by default.
    public var lastRequestSeconds = 0.5
    /// Peers whose `X-Forwarded-For` is believed; none by default.
    public var trustedProxies: [AddressRange] = []

    /// The defaults.
    public init() {
      threads = max(2, Self.cores)
    }
  }
}
