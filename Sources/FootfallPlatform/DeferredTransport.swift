import FootfallSystem

/// A transport that is made when the first request needs it.
///
/// Binding libcurl takes some 7 ms, which must not stand between an app's start and the moment its
/// events can be stored.
package final class DeferredTransport: Transport {
  private enum State {
    case unmade(@Sendable () -> any Transport)
    case made(any Transport)
    case shutDown
  }

  private let state: Lock<State>

  /// Remembers how to make the transport.
  package init(_ make: @escaping @Sendable () -> any Transport) { state = Lock(.unmade(make)) }

  /// Sends a request, making the transport if this is the first one; see `Transport`.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    guard let transport = ForkGate.work({ made() }) else { return .failed(.cancelled) }
    return await transport.send(request)
  }

  /// Stops every request on its way; see `Transport`.
  package func cancelAll() {
    if case .made(let transport) = state.withLock({ $0 }) { transport.cancelAll() }
  }

  /// Cancels every request and gives everything back; see `Transport`.
  package func shutdown() {
    let last = state.withLock { state in
      defer { state = .shutDown }
      return state
    }
    if case .made(let transport) = last { transport.shutdown() }
  }

  private func made() -> (any Transport)? {
    state.withLock { state in
      switch state {
      case .unmade(let make):
        let transport = make()
        state = .made(transport)
        return transport
      case .made(let transport): return transport
      case .shutDown: return nil
      }
    }
  }
}
