#if os(Linux)
import FootfallSystem
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Connectivity on Linux: the kernel's notices about links, addresses and routes.
///
/// One thread sleeps in `poll` until the kernel says that something changed, then reads the route
/// tables. At most one reading a second follows, however many notices come. Where no netlink socket
/// is to be had, as in a sandbox, the answer is nil and there is no thread.
package final class NetlinkConnectivity: Connectivity {
  private let openSocket: @Sendable () -> Int32?
  private let read: @Sendable () -> Bool?
  private let watch = Lock<ChangeWatch?>(nil)

  /// A watcher of this machine's network.
  package convenience init() {
    self.init(openSocket: { Netlink.openSocket() }, read: { Netlink.isOnline() })
  }

  /// A watcher that reads anew whenever the socket it is given says something.
  init(openSocket: @escaping @Sendable () -> Int32?, read: @escaping @Sendable () -> Bool?) {
    self.openSocket = openSocket
    self.read = read
  }

  deinit { stop() }

  /// Starts telling; see `Connectivity`.
  package func start(_ observer: @escaping @Sendable (_ isOnline: Bool?) -> Void) {
    stop()
    guard let socket = openSocket() else { return observer(nil) }
    guard let started = ChangeWatch(socket: socket, read: read, observer: observer) else {
      return observer(nil)
    }
    watch.withLock { $0 = started }
  }

  /// Stops telling; see `Connectivity`.
  package func stop() {
    let stopped = watch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    stopped?.stop()
  }
}

/// The calls to the kernel.
private enum Netlink {
  /// `AF_NETLINK`, and the protocol `NETLINK_ROUTE`.
  ///
  /// Source: linux/socket.h, linux/netlink.h.
  private static let (family, route): (Int32, Int32) = (16, 0)
  /// `RTMGRP_LINK`, `_IPV4_IFADDR`, `_IPV4_ROUTE`, `_IPV6_IFADDR`, `_IPV6_ROUTE`.
  ///
  /// Source: linux/rtnetlink.h.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
  /// So much of a table is read; the routes that matter stand first.
  private static let maxTableBytes = 64 << 10

  /// `struct sockaddr_nl`.
  ///
  /// Source: linux/netlink.h.
  private struct Address {
    var family = UInt16(Netlink.family)
    var padding: UInt16 = 0
    var process: UInt32 = 0
    var groups = Netlink.groups
  }

  static func openSocket() -> Int32? {
    #if canImport(Musl)
    let kind = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK
    #else
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #endif
    let descriptor = socket(family, kind, route)
    guard descriptor >= 0 else { return nil }
    var address = Address()
    let code = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  static func isOnline() -> Bool? {
    guard let interfaces = runningInterfaces() else { return nil }
    let (v4, v6) = (text("/proc/net/route"), text("/proc/net/ipv6_route"))
    guard v4 != nil || v6 != nil else { return nil }
    return RouteTable.hasRoute(v4: v4 ?? "", by: interfaces)
      || RouteTable.hasRoute(v6: v6 ?? "", by: interfaces)
  }

  /// The interfaces that are up, have a carrier and are not the loopback one.
  private static func runningInterfaces() -> Set<String>? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var names: Set<String> = []
    let running = UInt32(IFF_UP | IFF_RUNNING)
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard interface.ifa_flags & running == running,
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
        let name = interface.ifa_name
      else { continue }
      names.insert(String(cString: name))
    }
    return names
  }

  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < maxTableBytes {
      let part = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !part.isEmpty else { break }
      bytes += part
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif
