internal import FootfallSystem

/// What a handler returns.
public enum Reply: Sendable {
  /// The answer.
  case now(Response)
  /// The answer will be given later: the connection is suspended before the closure runs, and
  /// `ReplyHandle.finish` must be called once, from any thread, also when things fail. Nothing else
  /// ends a suspended request.
  case later(@Sendable (ReplyHandle) -> Void)
  /// A stream of server-sent events that stays open.
  case stream(ServerSentEvents)
  /// What is left to do may wait for a disk: the closure runs on the handler pool and gives the reply.
  ///
  /// For handlers that run on the connection's thread and nearly always know their answer at once.
  case blocking(@Sendable () -> Reply)
}

extension Reply {
  /// The same reply with its answer changed, whenever it comes; streams stay as they are.
  public func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
    switch self {
    case .now(let response):
      return .now(change(response))
    case .later(let start):
      return .later { handle in start(handle.mapping(change)) }
    case .stream:
      return self
    case .blocking(let rest):
      return .blocking { rest().map(change) }
    }
  }
}

/// The right to answer one suspended request, once.
///
/// A second `finish`, or one for a request that is gone, does nothing.
public struct ReplyHandle: Sendable {
  /// The request; readable until `finish` is called.
  public let request: Request
  let generation: UInt64
  private let change: (@Sendable (Response) -> Response)?

  init(request: Request, generation: UInt64, change: (@Sendable (Response) -> Response)? = nil) {
    self.request = request
    self.generation = generation
    self.change = change
  }

  /// Gives the answer.
  ///
  /// Any thread; returns at once.
  public func finish(_ response: Response) {
    settle(.response(change?(response) ?? response))
  }

  func finish(_ events: ServerSentEvents) { settle(.stream(events)) }

  func mapping(_ next: @escaping @Sendable (Response) -> Response) -> ReplyHandle {
    guard let change else {
      return ReplyHandle(request: request, generation: generation, change: next)
    }
    return ReplyHandle(request: request, generation: generation) { next(change($0)) }
  }

  private func settle(_ outcome: Exchange.Outcome) {
    let wake = request.exchange.withLock { $0.settle(outcome, generation: generation) }
    wake?()
  }
}

/// Where a request stands between its handler and its answer.
struct Exchange {
  enum Outcome: Sendable {
    case response(Response)
    case stream(ServerSentEvents)
  }

  private enum Phase {
    case open
    case waiting(wake: @Sendable () -> Void)
    case settled(Outcome)
  }

  /// Changes with every use of the pooled request, so that a handle of an earlier use is noticed.
  private(set) var generation: UInt64 = 0
  private var phase = Phase.open

  /// The outcome once it is known.
  var outcome: Outcome? {
    guard case .settled(let outcome) = phase else { return nil }
    return outcome
  }

  /// Begins to wait; `wake` is called once, after the outcome has been stored.
  mutating func wait(wake: @escaping @Sendable () -> Void) -> UInt64 {
    phase = .waiting(wake: wake)
    return generation
  }

  /// Stores the outcome and returns what to call after unlocking; nil if it came too late.
  mutating func settle(_ outcome: Outcome, generation: UInt64? = nil) -> (@Sendable () -> Void)? {
    guard generation ?? self.generation == self.generation, case .waiting(let wake) = phase else {
      return nil
    }
    phase = .settled(outcome)
    return wake
  }

  mutating func reset() {
    generation += 1
    phase = .open
  }
}
