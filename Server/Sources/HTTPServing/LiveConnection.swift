internal import Synchronization

/// One open connection: its socket, its peer and where it stands.
final class LiveConnection: Sendable {
  /// Valid as long as the connection is in the server's table.
  let socket: Int32
  /// The other end.
  let peer: PeerAddress
  /// Milliseconds and, in the lowest three bits, the phase: one word, so that entering a phase costs
  /// the request's thread no lock.
  private let packed: Atomic<UInt64>

  init(socket: Int32, peer: PeerAddress, now: UInt64) {
    self.socket = socket
    self.peer = peer
    packed = Atomic(now << 3 | ConnectionPhase.opening.rawValue)
  }

  /// Enters a phase at that time in monotonic milliseconds.
  func enter(_ phase: ConnectionPhase, now: UInt64) {
    packed.store(now << 3 | phase.rawValue, ordering: .relaxed)
  }

  /// Whether it has been too slow.
  func isOverdue(now: UInt64, limits: HTTPServer.Limits) -> Bool {
    let packed = packed.load(ordering: .relaxed)
    guard let phase = ConnectionPhase(rawValue: packed & 7) else { return false }
    return phase.isOverdue(since: packed >> 3, now: now, limits: limits)
  }
}
