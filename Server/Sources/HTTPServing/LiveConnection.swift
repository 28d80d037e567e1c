internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

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

  /// Whether its client went away a second ago or more, with a request that never becomes whole.
  ///
  /// The library hears of that by itself, but not when it had happened before it took the connection.
  func isLeft(now: UInt64) -> Bool {
    let packed = packed.load(ordering: .relaxed)
    switch ConnectionPhase(rawValue: packed & 7) {
    case .opening, .header, .body: return now >= packed >> 3 + 1_000 && unread == .end
    case .handling, .sending, .streaming, nil: return false
    }
  }

  /// Whether a request has come, or may be on its way, that was not begun.
  var isUnheard: Bool {
    switch ConnectionPhase(rawValue: packed.load(ordering: .relaxed) & 7) {
    case .opening: unread != .end
    case .header: unread == .bytes
    case .body, .handling, .sending, .streaming, nil: false
    }
  }

  private enum Unread {
    case nothing, bytes, end
  }

  /// What is to be read next.
  private var unread: Unread {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count > 0 { return .bytes }
    return count == 0 ? .end : .nothing
  }
}
