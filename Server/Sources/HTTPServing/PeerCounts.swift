/// How many connections each address has, so that one of them cannot take them all.
struct PeerCounts: Sendable {
  private var counts: [PeerAddress: Int] = [:]
  private(set) var refused: UInt64 = 0

  /// Whether another connection of this address is taken; counts it when it is not.
  mutating func admits(_ peer: PeerAddress, limit: Int) -> Bool {
    guard counts[peer.network, default: 0] >= limit else { return true }
    refused += 1
    return false
  }

  /// Counts an open connection.
  mutating func opened(_ peer: PeerAddress) { counts[peer.network, default: 0] += 1 }

  /// Counts one less.
  mutating func closed(_ peer: PeerAddress) {
    let left = counts[peer.network, default: 0] - 1
    counts[peer.network] = left > 0 ? left : nil
  }
}

extension PeerAddress {
  /// 127.0.0.1 or ::1.
  var isThisMachine: Bool {
    high == 0 && (low == 1 || low == 0xffff_0000_0000 | 0x7f00_0001)
  }

  /// What belongs to one customer: the address itself, or the /64 network of an IPv6 one.
  var network: PeerAddress { isV4 ? self : PeerAddress(high: high, low: 0) }
}
