#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Request {
  /// Whether the client has closed its connection, so that nobody waits for the answer.
  ///
  /// Asks the system and never waits; any thread, until the request is answered. Always false while
  /// bytes of a next request wait to be read, and in tests without a connection.
  public var isAbandoned: Bool {
    guard let live else { return false }
    var byte: UInt8 = 0
    // Nothing more will come: an error would say so, too, but not one that only says "not yet".
    return recv(live.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }
}
