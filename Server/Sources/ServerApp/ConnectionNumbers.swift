import FootfallSystem
import HTTPServing

/// How many connections the web server has, for pages that it serves itself.
///
/// The server holds its routes, and they hold this: so it must not hold the server.
final class ConnectionNumbers: Sendable {
  /// The numbers at a moment.
  struct Now: Sendable {
    /// Connections that are open.
    var open = 0
    /// Connections closed at once since the start, because their address had too many.
    var refused: UInt64 = 0
  }

  private let source = Lock<(@Sendable () -> Now)?>(nil)

  /// The numbers; zeros until there is a server.
  var now: Now { source.withLock { $0 }?() ?? Now() }

  /// Takes them from a server from now on.
  func ask(_ server: HTTPServer) {
    source.withLock { source in
      source = { [weak server] in
        Now(open: server?.openConnections ?? 0, refused: server?.refusedConnections ?? 0)
      }
    }
  }
}
