#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An address of the Internet, and whether it leads into somebody's own network.
struct InternetAddress: Sendable, Hashable {
  /// Four bytes, or sixteen.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether it is this machine, a private or link-local network, or reserved for no one.
  ///
  /// Source: IANA's registries of special-purpose addresses.
  var isPrivate: Bool {
    guard bytes.count == 16 else { return Self.isPrivate(v4: bytes) }
    let zeros = bytes.prefix { $0 == 0 }.count
    // IPv4 in IPv6: mapped and compatible.
    if zeros == 10, bytes[10] == 0xff, bytes[11] == 0xff {
      return Self.isPrivate(v4: Array(bytes[12...]))
    }
    if zeros >= 12 { return true }
    // NAT64 and 6to4 carry one, too.
    if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) {
      return Self.isPrivate(v4: Array(bytes[12...]))
    }
    if bytes.starts(with: [0x20, 0x02]) { return Self.isPrivate(v4: Array(bytes[2..<6])) }
    return bytes[0] == 0xff || bytes[0] & 0xfe == 0xfc
      || bytes[0] == 0xfe && bytes[1] & 0xc0 >= 0x80
      || bytes.starts(with: [0x01, 0x00]) || bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8])
      || bytes.starts(with: [0x20, 0x01, 0x00])
  }

  private static func isPrivate(v4 bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): true
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _): true
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113):
      true
    default: false
    }
  }

  /// As people and libcurl write it.
  var text: String {
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    let words = stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return "[" + words.joined(separator: ":") + "]"
  }

  /// The addresses of a host as the system finds them; none where it finds none.
  static func find(_ host: String) -> [InternetAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [InternetAddress] = []
    var next = found
    while let entry = next {
      next = entry.pointee.ai_next
      guard let address = entry.pointee.ai_addr else { continue }
      let raw = UnsafeRawPointer(address)
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        addresses.append(
          InternetAddress(
            withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
          )
        )
      case AF_INET6:
        addresses.append(
          InternetAddress(
            withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
          )
        )
      default: break
      }
    }
    return addresses
  }
}
