internal import FootfallSystem

/// How often a route answered with which status.
final class RouteCounts: Sendable {
  private let counts = Lock([Int: UInt64]())

  func count(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }

  var all: [Int: UInt64] { counts.withLock { $0 } }
}

/// Answers of one route with one status since the start.
public struct RequestCount: Sendable, Hashable {
  /// The method; nil for requests no route answered.
  public let method: HTTPMethod?
  /// The route as registered; nil for requests no route answered.
  public let pattern: String?
  /// The status sent; 0 where the client went away before it.
  public let status: Int
  /// How many.
  public let count: UInt64
}

extension Router {
  /// Every count above zero: by route in the order of registration, then by status.
  ///
  /// Any thread.
  public var requestCounts: [RequestCount] {
    let matched = routes.flatMap { route in
      route.counts.all.map {
        RequestCount(method: route.method, pattern: route.pattern, status: $0.key, count: $0.value)
      }.sorted { $0.status < $1.status }
    }
    let rest = unmatched.all.map {
      RequestCount(method: nil, pattern: nil, status: $0.key, count: $0.value)
    }
    return matched + rest.sorted { $0.status < $1.status }
  }
}
