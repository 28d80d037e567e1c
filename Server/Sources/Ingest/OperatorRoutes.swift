public import HTTPServing

/// `/healthz`, `/readyz` and `/metrics`, for whoever runs the server.
///
/// The closures are called for each request, on a thread that may wait.
public struct OperatorRoutes: Sendable {
  /// Whether one part of the server works.
  public struct Check: Sendable, Hashable {
    /// What it is about, one word: `log`, `catalog`, `store`.
    public var name: String
    /// What is wrong, in a sentence; nil if nothing is.
    public var problem: String?
    /// Whether events can be accepted without it.
    ///
    /// A store that is down makes no collector unready: the log takes what comes.
    public var isVital: Bool

    /// Makes a check.
    public init(name: String, problem: String?, isVital: Bool) {
      self.name = name
      self.problem = problem
      self.isVital = isVital
    }
  }

  private let operators: [AddressRange]?
  private let checks: @Sendable () -> [Check]
  private let metrics: @Sendable () -> [MetricFamily]

  /// Makes the routes.
  ///
  /// - Parameters:
  ///   - operators: who is told numbers and reasons; nil for anyone.
  ///   - checks: every part's state.
  ///   - metrics: what `/metrics` shows, in that order.
  public init(
    operators: [AddressRange]? = nil,
    checks: @escaping @Sendable () -> [Check],
    metrics: @escaping @Sendable () -> [MetricFamily]
  ) {
    self.operators = operators
    self.checks = checks
    self.metrics = metrics
  }

  /// Adds the routes.
  public func install(in router: inout Router) {
    var options = RouteOptions()
    options.maxBodyBytes = 0
    options.isLogged = false
    options.isQuick = true
    var quick = options
    quick.mayBlock = false
    // Says only that the process answers, also while a disk hangs and every other thread waits.
    router.get("/healthz", options: quick) { _ in .now(.text("ok\n")) }
    router.get("/readyz", options: options) { request in
      .now(Self.readiness(checks(), tellsReasons: isOperator(request)))
    }
    router.get("/metrics", options: options) { request in
      guard isOperator(request) else {
        return .now(.text("Not for this address; see --operators.\n", status: 403))
      }
      return .now(
        Response(
          headers: [Header("Content-Type", MetricText.contentType)],
          body: Array(MetricText.render(metrics()).utf8)
        )
      )
    }
  }

  private func isOperator(_ request: Request) -> Bool {
    operators.map { request.comes(from: $0) } ?? true
  }

  private static func readiness(_ checks: [Check], tellsReasons: Bool) -> Response {
    let lines = !tellsReasons ? "" : checks.map { "\($0.name): \($0.problem ?? "ok")\n" }.joined()
    let isReady = checks.allSatisfy { $0.problem == nil || !$0.isVital }
    return .text(lines + (isReady ? "ready\n" : "not ready\n"), status: isReady ? 200 : 503)
  }
}
