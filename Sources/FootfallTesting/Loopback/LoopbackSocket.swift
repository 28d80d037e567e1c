#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The loopback server could not get its socket.
package struct LoopbackError: Error, CustomStringConvertible {
  /// What was asked of the system, and its error number.
  package let description: String

  init(_ call: String) { description = "\(call) failed on the loopback address (\(errno))." }
}

/// A socket's descriptor with the few calls a test server makes; whoever owns it closes it.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  /// A socket that listens on a port of 127.0.0.1 that the system chooses.
  static func listening() throws -> LoopbackSocket {
    let socket = try make()
    guard socket.address(port: 0, bind) == 0, listen(socket.descriptor, 64) == 0 else {
      socket.close()
      throw LoopbackError("bind")
    }
    return socket
  }

  /// Connects to a port of 127.0.0.1 and hangs up, which wakes a thread that waits in `accept()`.
  static func knock(port: UInt16) {
    do {
      let socket = try make()
      _ = socket.address(port: port, connect)
      socket.close()
    } catch {
      // Without a descriptor left, the listener has failed as well.
    }
  }

  private static func make() throws -> LoopbackSocket {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let socket = LoopbackSocket(descriptor: makeSocket(AF_INET, stream, 0))
    guard socket.descriptor >= 0 else { throw LoopbackError("socket") }
    return socket
  }

  /// Hands a port of 127.0.0.1 to `bind` or `connect`.
  private func address(
    port: UInt16,
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func localPort() throws -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    guard code == 0 else { throw LoopbackError("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection, or nil once the socket was shut down.
  func accept() -> LoopbackSocket? {
    let connection = acceptConnection(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    #if canImport(Darwin)
    var yes: Int32 = 1
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return LoopbackSocket(descriptor: connection)
  }

  /// What has come in, or nothing at the end.
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Sends all of the bytes; false if the other side is gone.
  func send(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Makes the next `close()` send a reset instead of an orderly end.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
  }

  /// Ends reading and writing, which wakes a thread blocked in either.
  func shutDown() { shutDownSocket(descriptor, Int32(SHUT_RDWR)) }

  func close() { closeDescriptor(descriptor) }
}

// The methods above have the names of these calls.
private func makeSocket(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
  socket(domain, type, proto)
}
private func acceptConnection(
  _ descriptor: Int32,
  _ address: UnsafeMutablePointer<sockaddr>?,
  _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
  accept(descriptor, address, size)
}
private func sendBytes(
  _ descriptor: Int32,
  _ bytes: UnsafeRawPointer?,
  _ count: Int,
  _ flags: Int32
) -> Int {
  send(descriptor, bytes, count, flags)
}
private func shutDownSocket(_ descriptor: Int32, _ how: Int32) { _ = shutdown(descriptor, how) }
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
