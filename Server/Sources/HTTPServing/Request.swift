internal import FootfallSystem

/// A request whose body is complete.
///
/// The object and its buffers are reused once the request has been answered: keep what you copied
/// out of it, not the request. Within that time any one thread may read it.
public final class Request: @unchecked Sendable {
  // Safety: filled by the connection's thread, then read by the one handler it is given to; what
  // crosses threads after that (`exchange`) is behind a lock.

  /// The method; `.get` for a `HEAD` request's handler to see through `isHead`.
  public internal(set) var method: HTTPMethod = .get
  /// Whether the method is one that routes can be registered for; what has another never reaches a handler.
  var hasKnownMethod = true
  /// Tells this request from any other in the log.
  public internal(set) var id = RequestID(0)
  /// The route that answers it, as registered (`/projects/:id/live`); nil if none matched.
  public var routePattern: String? { route?.pattern }
  /// Monotonic nanoseconds at which its header was complete.
  public internal(set) var startedAt: UInt64 = 0

  var target = ByteBuffer()
  var headerTable = HeaderTable()
  var bodyBuffer = ByteBuffer()
  var peer = PeerAddress.unknown
  var trustedProxies: [AddressRange] = []
  var route: Route?
  var pathParameters: [(name: String, value: String)] = []
  var intake = RequestIntake()
  /// The status that was sent and the bytes of its body; 0 until then.
  var sentStatus = 0
  var sentBytes = 0
  let exchange = Lock(Exchange())
  /// Whether the header has been taken; what carries this request, and what wakes it.
  var hasBegun = false
  var connection: OpaquePointer?
  var live: LiveConnection?
  var wake: @Sendable () -> Void = {}

  init() {}

  deinit {
    target.deallocate()
    headerTable.deallocate()
    bodyBuffer.deallocate()
  }

  /// The body's bytes; the pointer holds until the request is answered.
  public var body: UnsafeRawBufferPointer { bodyBuffer.bytes }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// The decoded path; the bytes as sent where it could not be decoded.
  public var path: String {
    guard let segments = RequestPath.segments(of: rawPath) else {
      return String(decoding: rawPath, as: UTF8.self)
    }
    return "/" + segments.joined(separator: "/")
  }

  /// What stood for `:name` in the route's pattern, decoded; empty if there is no such parameter.
  public func parameter(_ name: String) -> String {
    pathParameters.first { $0.name == name }?.value ?? ""
  }

  /// The value of the first header field of that name, ignoring case.
  public func header(_ name: String) -> String? {
    var name = name
    return name.withUTF8 { headerTable.first(UnsafeRawBufferPointer($0)) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the first header field of that name, ignoring case, without a copy.
  ///
  /// The pointer holds until the request is answered.
  public func headerBytes(_ name: StaticString) -> UnsafeRawBufferPointer? {
    headerTable.first(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The client's address: the peer's, or what a trusted proxy says (see
  /// `HTTPServer.Limits.trustedProxies`).
  ///
  /// Empty where there is no socket.
  public var remoteAddress: String {
    ClientAddress.resolve(
      peer: peer,
      forwardedFor: trustedProxies.isEmpty ? nil : header("x-forwarded-for"),
      trusted: trustedProxies
    )
  }

  /// The values of all header fields of that name, ignoring case, in order.
  public func headers(_ name: String) -> [String] {
    var name = name
    return name.withUTF8 { headerTable.all(UnsafeRawBufferPointer($0)) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the client's address lies in one of these ranges; yes where there is no socket.
  public func comes(from ranges: [AddressRange]) -> Bool {
    guard let address = PeerAddress(remoteAddress) else { return true }
    return ranges.contains { $0.contains(address) }
  }

  /// The path's bytes as sent; the pointer holds until the request is answered.
  public var rawPath: UnsafeRawBufferPointer {
    let bytes = target.bytes
    guard let question = bytes.firstIndex(of: UInt8(ascii: "?")) else { return bytes }
    return UnsafeRawBufferPointer(rebasing: bytes[0..<question])
  }

  /// The query's bytes as sent, without the question mark; as for `rawPath`.
  public var rawQuery: UnsafeRawBufferPointer {
    let bytes = target.bytes
    guard let question = bytes.firstIndex(of: UInt8(ascii: "?")) else {
      return .init(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[(question + 1)...])
  }

  /// Forgets this request and keeps the memory, unless it grew beyond `keptBodyBytes`.
  func reset(keptBodyBytes: Int) {
    exchange.withLock { $0.reset() }
    target.clear()
    headerTable.clear()
    if bodyBuffer.capacity > keptBodyBytes { bodyBuffer.deallocate() } else { bodyBuffer.clear() }
    route = nil
    if !pathParameters.isEmpty { pathParameters.removeAll() }
    intake = RequestIntake()
    hasBegun = false
    connection = nil
    live = nil
    sentStatus = 0
    sentBytes = 0
  }
}

/// Tells a request from any other of this server's; printed as 16 hexadecimal digits.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  let value: UInt64

  init(_ value: UInt64) { self.value = value }

  /// The 16 digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
