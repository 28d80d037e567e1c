internal import FootfallSystem

/// The requests of one server, used again and again.
///
/// Never more than there were requests at once; they live as long as the server, so the C library
/// may hold plain pointers to them.
final class RequestPool: Sendable {
  private struct State {
    var all: [Request] = []
    var idle: [Request] = []
  }

  /// A larger body buffer is given back after use, and any when that many requests are idle.
  private static let keptBodyBytes = 256 << 10
  private static let keptIdleBuffers = 256

  private let state = Lock(State())

  /// A request to be filled; `prepare` is called once for each object, when it is made.
  func take(prepare: (Request) -> Void) -> Request {
    if let request = state.withLock({ $0.idle.popLast() }) { return request }
    let request = Request()
    prepare(request)
    state.withLock { $0.all.append(request) }
    return request
  }

  /// Takes a request back.
  func give(back request: Request) {
    let isCrowded = state.withLock { $0.idle.count >= Self.keptIdleBuffers }
    request.reset(keptBodyBytes: isCrowded ? 0 : Self.keptBodyBytes)
    state.withLock { $0.idle.append(request) }
  }

  /// Every request there is, busy or not.
  var all: [Request] { state.withLock { $0.all } }
}
