public import FootfallCore
import FootfallEngine
public import Foundation

// How events get to the server.
extension FootfallClient {
  /// Stores and sends everything tracked before the call, and says what came of it.
  ///
  /// Ends an ordinary wait after a failure, but not one the server asked for. Makes one pass over
  /// what is stored, oldest first, and stops at the first failure; the rest is sent later.
  @discardableResult
  public func flush() async -> DeliveryReport {
    await engine.flush()
  }

  /// Whether nothing is sent for now; false unless set or configured.
  ///
  /// Events are stored all the same, and sent once it is false again. Any thread; what this thread
  /// set before shows at once.
  public var isOffline: Bool {
    get { engine.isOffline }
    set { engine.setOffline(newValue) }
  }

  /// What became of the events so far; every loss under its reason.
  ///
  /// Any thread.
  public var diagnostics: Diagnostics { engine.diagnostics }

  /// What became of the events at one of the places they go to; nil if there is none of that name.
  ///
  /// Any thread. The client's own server is `main`; nil too until the client's thread has begun.
  public func diagnostics(of destination: String) -> DestinationDiagnostics? {
    diagnostics.destinations[destination]
  }

  /// Stores what waits, tries to send it, and ends the client.
  ///
  /// For the end of a command-line tool or server: blocks until everything is sent, a failure, or
  /// `limitSeconds`, whichever is first. The rest stays on disk for the next start; events tracked
  /// later are counted as `DropReason.shutDown`.
  ///
  /// - Parameter limitSeconds: The longest to try to send, in seconds; 2 unless given.
  public func shutdown(limitSeconds: TimeInterval = 2) {
    engine.shutdown(limitSeconds: limitSeconds)
    tell(.shutDown)
  }
}
