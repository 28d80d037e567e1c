internal import FootfallSystem

/// Answers a complete request.
///
/// Runs on a thread of the handler pool, or on the connection's own thread for routes that say they
/// never block.
public typealias Handler = @Sendable (Request) -> Reply

/// Stands around a handler: answers itself, or calls the handler and may change its reply.
public typealias Middleware = @Sendable (Request, Handler) -> Reply

/// What a route takes and how it is run.
public struct RouteOptions: Sendable {
  /// Bytes of body it takes; 1 MiB by default.
  ///
  /// More is answered with 413.
  public var maxBodyBytes = 1 << 20
  /// Whether the handler may wait for a disk or a database (the default): it then runs on the
  /// handler pool.
  ///
  /// One that never does runs on the connection's thread, which is cheaper.
  public var mayBlock = true
  /// Whether the handler never asks the event store, which may take seconds: it then has threads of its own
  /// that no question holds up; no by default.
  public var isQuick = false
  /// Whether each request is written to the access log; yes by default.
  public var isLogged = true
  /// The answer to a request that never reaches the handler; a plain text by default.
  public var refusal: @Sendable (Refusal) -> Response = { $0.response }

  /// The defaults.
  public init() {}
}

/// One registered route.
final class Route: Sendable {
  let method: HTTPMethod
  let pattern: String
  let options: RouteOptions
  let handler: Handler
  let counts: RouteCounts

  init(
    method: HTTPMethod,
    pattern: String,
    options: RouteOptions,
    counts: RouteCounts = RouteCounts(),
    handler: @escaping Handler
  ) {
    self.counts = counts
    self.method = method
    self.pattern = pattern
    self.options = options
    self.handler = handler
  }
}

/// Which handler answers which method and path.
///
/// A value: build it, then hand it to `HTTPServer` or `TestClient`. Literal paths win over patterns;
/// among patterns the one registered first. `HEAD` is answered by the `GET` route, and `OPTIONS`
/// with the methods the path has unless a route is registered for it.
///
/// ```swift
/// var router = Router()
/// router.get("/healthz") { _ in .now(.text("ok\n")) }
/// router.use { request, next in request.cookie("session") == nil ? .now(.redirect(to: "/sign-in")) : next(request) }
/// router.get("/projects/:id/live") { request in .now(.html(page(request.parameter("id")))) }
/// ```
public struct Router: Sendable {
  fileprivate struct Pattern: Sendable {
    var segments: [Segment]
    var routes: [Route]
  }

  /// A segment of a pattern.
  fileprivate enum Segment: Sendable, Equatable {
    case literal(String)
    /// Matches any that is not empty.
    case parameter(String)

    init(_ text: Substring) {
      self = text.hasPrefix(":") ? .parameter(String(text.dropFirst())) : .literal(String(text))
    }
  }

  private struct Literal: Sendable {
    var path: [UInt8]
    var routes: [Route]
  }

  private var literals: [UInt64: [Literal]] = [:]
  private var patterns: [Pattern] = []
  private var middleware: [Middleware] = []
  private var refusals: [(prefix: [UInt8], refusal: @Sendable (Refusal) -> Response)] = []
  /// What tells a browser that there is no such page.
  private var unknownPage: (route: Route, prefixes: [[UInt8]])?
  /// Counts what no route answered.
  let unmatched = RouteCounts()
  private(set) var routes: [Route] = []

  /// A router without routes.
  public init() {}

  /// Puts a middleware around every route registered from here on, inside the earlier ones.
  public mutating func use(_ middleware: @escaping Middleware) {
    self.middleware.append(middleware)
  }

  /// Gives requests for a path or below it that no route answers an answer of their own.
  ///
  /// - Parameters:
  ///   - prefix: begins with `/` and does not end with it.
  ///   - refusal: makes the answer.
  public mutating func refuse(
    under prefix: String,
    _ refusal: @escaping @Sendable (Refusal) -> Response
  ) {
    refusals.append((Array((prefix + "/").utf8), refusal))
  }

  /// Answers browsers that look for a page which there is not, by a handler.
  ///
  /// Unlike a refusal it may look up who asks. Everything else that asks in vain gets its plain answer as before, and all of it counts as unmatched.
  ///
  /// - Parameters:
  ///   - prefixes: below these are pages alone, so that an address that only takes forms is none, either;
  ///     each begins and ends with `/`.
  ///   - options: how it is run.
  ///   - handler: makes the answer; with the middleware that was registered before.
  public mutating func unknownPage(
    under prefixes: [String],
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) {
    let route = Route(
      method: .get,
      // As the access log writes what no route answered.
      pattern: "-",
      options: options,
      counts: unmatched,
      handler: composed(handler)
    )
    unknownPage = (route, prefixes.map { Array($0.utf8) })
  }

  /// The route that tells a browser there is no such page; nil for whatever else was asked for in vain.
  func unknownPage(for request: Request, method: HTTPMethod?, _ reason: Refusal) -> Route? {
    guard let unknownPage, method == .get || method == .head,
      request.header("accept")?.contains("text/html") == true,
      !refusals.contains(where: { request.rawPath.starts(with: $0.prefix) })
    else { return nil }
    switch reason {
    case .notFound: return unknownPage.route
    case .methodNotAllowed:
      let isPage = unknownPage.prefixes.contains { request.rawPath.starts(with: $0) }
      return isPage ? unknownPage.route : nil
    case .malformed, .unknownCoding, .bodyTooLarge, .overloaded: return nil
    }
  }

  /// The answer of a path of its own to a request that no route answers; nil for most.
  func refusal(of reason: Refusal, path: UnsafeRawBufferPointer) -> Response? {
    refusals.first { path.starts(with: $0.prefix) || path.elementsEqual($0.prefix.dropLast()) }?
      .refusal(reason)
  }

  /// Registers routes with middleware of their own.
  public mutating func group(
    _ middleware: @escaping Middleware,
    _ register: (inout Router) -> Void
  ) {
    let outer = self.middleware
    self.middleware.append(middleware)
    register(&self)
    self.middleware = outer
  }

  /// Registers a handler for `GET`, and with it for `HEAD`.
  public mutating func get(
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) { on(.get, path, options: options, handler: handler) }

  /// Registers a handler for `POST`.
  public mutating func post(
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) { on(.post, path, options: options, handler: handler) }

  /// Registers a handler for `PUT`.
  public mutating func put(
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) { on(.put, path, options: options, handler: handler) }

  /// Registers a handler for `DELETE`.
  public mutating func delete(
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) { on(.delete, path, options: options, handler: handler) }

  /// Registers a handler for `OPTIONS`.
  public mutating func options(
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) { on(.options, path, options: options, handler: handler) }

  /// Registers a handler.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: begins with `/`; a segment `:name` matches any one non-empty segment.
  ///   - options: limits and how it is run.
  ///   - handler: the handler; a later one for the same method and path replaces it.
  public mutating func on(
    _ method: HTTPMethod,
    _ path: String,
    options: RouteOptions = RouteOptions(),
    handler: @escaping Handler
  ) {
    precondition(path.hasPrefix("/"), "a route begins with a slash: \(path)")
    let route = Route(method: method, pattern: path, options: options, handler: composed(handler))
    routes.removeAll { $0.method == method && $0.pattern == path }
    routes.append(route)
    if path.contains("/:") {
      add(
        route,
        toPattern: path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      )
    } else {
      add(route, toLiteral: Array(path.utf8))
    }
  }

  /// A handler within all middleware so far.
  private func composed(_ handler: @escaping Handler) -> Handler {
    var composed = handler
    for middleware in middleware.reversed() {
      let inner = composed
      composed = { middleware($0, inner) }
    }
    return composed
  }

  private mutating func add(_ route: Route, toPattern texts: [Substring]) {
    let segments = texts.map(Segment.init)
    let index = patterns.firstIndex { $0.segments == segments } ?? patterns.endIndex
    if index == patterns.endIndex { patterns.append(Pattern(segments: segments, routes: [])) }
    patterns[index].routes.removeAll { $0.method == route.method }
    patterns[index].routes.append(route)
  }

  private mutating func add(_ route: Route, toLiteral path: [UInt8]) {
    let hash = path.withUnsafeBytes(Self.hash)
    var bucket = literals[hash] ?? []
    let index = bucket.firstIndex { $0.path == path } ?? bucket.endIndex
    if index == bucket.endIndex { bucket.append(Literal(path: path, routes: [])) }
    bucket[index].routes.removeAll { $0.method == route.method }
    bucket[index].routes.append(route)
    literals[hash] = bucket
  }
}

extension Router {
  /// Every registered route: its method and its path as registered, in the order of registration.
  public var registered: [(method: HTTPMethod, path: String)] {
    routes.map { ($0.method, $0.pattern) }
  }

  /// What a method and a path lead to.
  enum Match {
    case route(Route, parameters: [(name: String, value: String)])
    case allowed([HTTPMethod])
    case refused(Refusal)
  }

  /// Finds the route; allocates nothing for a literal path.
  func match(_ method: HTTPMethod?, path: UnsafeRawBufferPointer) -> Match {
    switch RequestPath(path) {
    case .invalid:
      return .refused(.malformed("the path cannot be read"))
    case .plain:
      if let routes = literal(path) { return choose(method, from: routes, parameters: []) }
      return match(method, segments: RequestPath.segments(ofPlain: path))
    case .segments(let segments):
      if !segments.contains(where: { $0.contains("/") }) {
        var joined = "/" + segments.joined(separator: "/")
        let routes = joined.withUTF8 { literal(UnsafeRawBufferPointer($0)) }
        if let routes { return choose(method, from: routes, parameters: []) }
      }
      return match(method, segments: segments)
    }
  }

  private func literal(_ path: UnsafeRawBufferPointer) -> [Route]? {
    guard let bucket = literals[Self.hash(path)] else { return nil }
    return bucket.first { $0.path.elementsEqual(path) }?.routes
  }

  private func match(_ method: HTTPMethod?, segments: [String]) -> Match {
    // Of several patterns that fit the one that names most of the path is meant, of equal ones the first.
    var closest: (pattern: Pattern, parameters: [(name: String, value: String)])?
    for pattern in patterns {
      guard let parameters = pattern.parameters(segments) else { continue }
      if closest.map({ parameters.count < $0.parameters.count }) ?? true {
        closest = (pattern, parameters)
      }
    }
    guard let closest else { return .refused(.notFound) }
    return choose(method, from: closest.pattern.routes, parameters: closest.parameters)
  }

  private func choose(
    _ method: HTTPMethod?,
    from routes: [Route],
    parameters: [(name: String, value: String)]
  ) -> Match {
    let wanted = method == .head ? .get : method
    if let route = routes.first(where: { $0.method == wanted }) {
      return .route(route, parameters: parameters)
    }
    var allowed = Array(Set(routes.map(\.method)))
    if allowed.contains(.get) { allowed.append(.head) }
    if !allowed.contains(.options) { allowed.append(.options) }
    allowed.sort { $0.rawValue < $1.rawValue }
    return method == .options ? .allowed(allowed) : .refused(.methodNotAllowed(allowed: allowed))
  }

  /// FNV-1a.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}

extension Router.Pattern {
  /// What stands for the parameters; nil if the segments do not fit.
  func parameters(_ path: [String]) -> [(name: String, value: String)]? {
    guard path.count == segments.count else { return nil }
    var found: [(name: String, value: String)] = []
    for (segment, value) in zip(segments, path) {
      switch segment {
      case .parameter(let name):
        guard !value.isEmpty else { return nil }
        found.append((name, value))
      case .literal(let text):
        guard text == value else { return nil }
      }
    }
    return found
  }
}
