/// Tells whether the machine has a network at all.
///
/// Real forms: `NetlinkConnectivity` on Linux, `PathConnectivity` of `FootfallApple`. It only saves
/// requests that cannot succeed: whether a server can be reached is known by asking it. A client whose
/// server is this machine (`ThisMachine.isHost`) must not listen to it.
package protocol Connectivity: Sendable {
  /// Starts telling an observer, the present answer first, then each change.
  ///
  /// True: a network is there. False: there is none. Nil: the system does not say, so act as if there
  /// were one. The observer is called on a thread of the watcher's, one call at a time; it must not
  /// wait. Makes at most one thread, which does not run while nothing changes. A second call replaces
  /// the first observer.
  func start(_ observer: @escaping @Sendable (_ isOnline: Bool?) -> Void)

  /// Stops telling and gives the thread back. Any thread; a call on its way may still arrive.
  func stop()
}

/// No word about the network: nil once, at the start.
///
/// For watchOS, and for systems that let nobody watch.
package struct UnknownConnectivity: Connectivity {
  /// Makes a watcher that knows nothing.
  package init() {}

  /// Tells nil once, on the caller's thread.
  package func start(_ observer: @escaping @Sendable (_ isOnline: Bool?) -> Void) { observer(nil) }

  /// Does nothing: there is nothing to stop.
  package func stop() {}
}

/// Which addresses mean the machine itself, which needs no network to be reached.
package enum ThisMachine {
  /// Whether a host's name or address, as in a URL, always means this machine.
  ///
  /// Source: RFC 6761, section 6.3 (`localhost` and names below it); RFC 1122 (127.0.0.0/8).
  package static func isHost(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    if host == "::1" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in Int64(part).map { 0 <= $0 && $0 <= 255 } ?? false }
  }
}
