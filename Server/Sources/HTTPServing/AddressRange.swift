#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The address at the other end of a socket: 16 bytes, IPv4 as its mapped form.
struct PeerAddress: Sendable, Hashable {
  var high: UInt64
  var low: UInt64

  /// No socket, or not an Internet address.
  static let unknown = PeerAddress(high: 0, low: 0)

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads dotted or colon notation; nil for anything else.
  init?(_ text: some StringProtocol) {
    let text = String(text)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(v4: v4)
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(v6: v6)
    } else {
      return nil
    }
  }

  /// Reads what `accept` filled in.
  init(_ address: UnsafePointer<sockaddr>?) {
    guard let address else {
      self = .unknown
      return
    }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: self.init(v4: raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
    case AF_INET6: self.init(v6: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default: self = .unknown
    }
  }

  private init(v4: in_addr) {
    self.init(high: 0, low: 0xffff_0000_0000 | UInt64(UInt32(bigEndian: v4.s_addr)))
  }

  private init(v6: in6_addr) {
    let words = withUnsafeBytes(of: v6) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
  }

  var isV4: Bool { high == 0 && low >> 32 == 0xffff }

  /// As people write it; empty when unknown.
  var text: String {
    if self == .unknown { return "" }
    if isV4 {
      return [24, 16, 8, 0].map { String(low >> $0 & 0xff) }.joined(separator: ".")
    }
    var address = in6_addr()
    withUnsafeMutableBytes(of: &address) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A block of addresses such as `127.0.0.1`, `10.0.0.0/8` or `fd00::/8`.
public struct AddressRange: Sendable, Hashable {
  private let base: PeerAddress
  private let prefixBits: Int

  /// Reads the notation; nil if it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let base = PeerAddress(first) else { return nil }
    let width = base.isV4 ? 32 : 128
    guard let bits = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(bits) else {
      return nil
    }
    self.base = base
    prefixBits = 128 - width + bits
  }

  func contains(_ address: PeerAddress) -> Bool {
    let high = Self.mask(min(64, prefixBits))
    let low = Self.mask(max(0, prefixBits - 64))
    return (address.high ^ base.high) & high == 0 && (address.low ^ base.low) & low == 0
  }

  private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}

/// Tells whose request it is when proxies stand in front.
enum ClientAddress {
  /// The right-most address that is not one of ours: whatever stands further left was written by
  /// the client and proves nothing.
  static func resolve(peer: PeerAddress, forwardedFor: String?, trusted: [AddressRange]) -> String {
    func isTrusted(_ address: PeerAddress) -> Bool { trusted.contains { $0.contains(address) } }
    guard let forwardedFor, isTrusted(peer) else { return peer.text }
    var client = peer
    for part in forwardedFor.split(separator: ",").reversed() {
      let trimmed = part.drop { $0 == " " }.prefix { $0 != " " }
      guard let address = PeerAddress(trimmed) else { break }
      client = address
      if !isTrusted(address) { break }
    }
    return client.text
  }
}
