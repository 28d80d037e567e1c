#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Why the server could not start.
public struct ListenError: Error, Sendable, CustomStringConvertible {
  /// The address as asked for.
  public let host: String
  /// The port as asked for.
  public let port: Int
  /// The system's number (`EADDRINUSE`…); 0 if the host is not an address of this machine.
  public let code: Int32

  /// What happened and what to do.
  public var description: String {
    let place = "\(host):\(port)"
    switch code {
    case EADDRINUSE:
      return
        "Cannot listen on \(place): another program uses the port. Stop it or choose another port."
    case EACCES:
      return "Cannot listen on \(place): no permission. Choose a port above 1023."
    case EADDRNOTAVAIL, 0:
      return
        "Cannot listen on \(place): this machine has no such address. Use 127.0.0.1, 0.0.0.0 or ::."
    default:
      return "Cannot listen on \(place): \(String(cString: strerror(code)))."
    }
  }
}

/// Opens listening sockets.
enum ListeningSocket {
  /// Binds and listens; non-blocking, closed on exec.
  ///
  /// - Returns: the descriptor, which the caller owns, and the port, chosen by the system for 0.
  static func open(host: String, port: Int) throws(ListenError) -> (descriptor: Int32, port: Int) {
    func failure(_ code: Int32) -> ListenError { ListenError(host: host, port: port, code: code) }
    guard (0...65_535).contains(port) else { throw failure(EINVAL) }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Self.streamType
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
      throw failure(0)
    }
    defer { freeaddrinfo(found) }
    let info = first.pointee
    let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard descriptor >= 0 else { throw failure(errno) }
    var on: Int32 = 1
    _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1_024) == 0,
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
      let bound = boundPort(of: descriptor)
    else {
      let code = errno
      close(descriptor)
      throw failure(code)
    }
    return (descriptor, bound)
  }

  private static var streamType: Int32 {
    #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
    #else
    SOCK_STREAM
    #endif
  }

  private static func boundPort(of descriptor: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutableBytes(of: &storage) { raw in
      raw.baseAddress.map {
        getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length)
      }
    }
    guard result == 0 else { return nil }
    // The port stands at the same place in the IPv4 and the IPv6 form.
    return withUnsafeBytes(of: storage) {
      Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)))
    }
  }
}
