internal import Catalog
internal import EndpointStore
internal import EventRecord
internal import HTTPServing
internal import IngestLog
internal import Wire

/// The paths of Pinpoint's API that clients of AWS use.
struct PinpointRoutes: Sendable {
  let ingest: IngestRoutes
  let endpoints: EndpointStore

  /// What an operation is given.
  struct Call {
    let request: Request
    let caller: AWSCaller
    let app: PinpointApp
    let scratch: IngestScratch
    /// The body as it was before compression.
    let body: UnsafeRawBufferPointer
  }

  /// An operation on an application, as its path, method and name in rights.
  private struct Operation: Sendable {
    let method: HTTPMethod
    let path: String
    let action: String
    var maxBytes = PinpointLimits.requestBytes
    /// Whether it waits for a disk, as it begins.
    var mayBlock = true
    let run: @Sendable (Call) throws(AWSRefusal) -> Reply
  }

  func install(in router: inout Router) {
    var known: [String: Set<HTTPMethod>] = [:]
    for operation in operations {
      known[operation.path, default: []].insert(operation.method)
      install(
        operation.method,
        operation.path,
        maxBytes: operation.maxBytes,
        mayBlock: operation.mayBlock,
        in: &router
      ) { (request) throws(AWSRefusal) in try perform(operation, request) }
    }
    for (method, run) in [(HTTPMethod.post, createApp), (.get, getApps)] {
      known["/v1/apps", default: []].insert(method)
      install(method, "/v1/apps", maxBytes: PinpointLimits.requestBytes, in: &router) {
        (request) throws(AWSRefusal) in
        try run(request, try ingest.aws.admit(request, to: .pinpoint))
      }
    }
    for (path, known) in known {
      for method in [HTTPMethod.get, .head, .post, .put, .patch, .delete]
      where !known.contains(method) {
        install(method, path, maxBytes: PinpointLimits.requestBytes, in: &router) {
          (_) throws(AWSRefusal) in
          throw AWSRefusal(
            405,
            "MethodNotAllowedException",
            "\(method.rawValue) is not a method of \(path)."
          )
        }
      }
    }
    refuseOthers(in: &router)
  }

  /// Where Pinpoint has operations, of which none but those on applications are served.
  private static let roots = [
    "/v1/apps", "/v1/phone", "/v1/recommenders", "/v1/tags", "/v1/templates",
  ]

  /// An operation that is not served is told as Pinpoint tells errors: clients look for its name.
  private func refuseOthers(in router: inout Router) {
    for root in Self.roots {
      router.refuse(under: root) { reason in
        ingest.metrics.refused(reason.name)
        return refused(Self.refusal(reason))
      }
    }
  }

  private static func refusal(_ reason: Refusal) -> AWSRefusal {
    switch reason {
    case .malformed(let why): .badRequest("The request cannot be read: \(why).")
    case .unknownCoding:
      AWSRefusal(501, "NotImplementedException", "Of transfer codings only chunked is read.")
    case .notFound:
      .notFound(
        "This server does not have the operation. Of Pinpoint it has those on applications, their settings, "
          + "event streams, events, endpoints, users and attributes; segments and numbers are in its dashboard."
      )
    case .methodNotAllowed(let allowed):
      AWSRefusal(
        405,
        "MethodNotAllowedException",
        "The path takes \(allowed.map(\.rawValue).joined(separator: ", "))."
      )
    case .bodyTooLarge(let limit): .tooLarge(limitBytes: limit)
    case .overloaded: overloaded(1)
    }
  }

  private var operations: [Operation] {
    let endpoint = "/v1/apps/:app/endpoints/:endpoint"
    let user = "/v1/apps/:app/users/:user"
    let settings = "/v1/apps/:app/settings"
    let stream = "/v1/apps/:app/eventstream"
    return [
      Operation(
        method: .post,
        path: "/v1/apps/:app/events",
        action: "PutEvents",
        maxBytes: PinpointLimits.putEventsBytes,
        mayBlock: false,
        run: putEvents
      ),
      Operation(method: .get, path: "/v1/apps/:app", action: "GetApp", run: getApp),
      Operation(method: .delete, path: "/v1/apps/:app", action: "DeleteApp", run: deleteApp),
      Operation(method: .get, path: settings, action: "GetApplicationSettings", run: getSettings),
      Operation(
        method: .put,
        path: settings,
        action: "UpdateApplicationSettings",
        run: updateSettings
      ),
      Operation(method: .get, path: stream, action: "GetEventStream", run: getEventStream),
      Operation(method: .post, path: stream, action: "PutEventStream", run: putEventStream),
      Operation(
        method: .delete,
        path: stream,
        action: "DeleteEventStream",
        run: deleteEventStream
      ),
      Operation(
        method: .put,
        path: "/v1/apps/:app/attributes/:type",
        action: "RemoveAttributes",
        run: removeAttributes
      ),
      Operation(method: .put, path: endpoint, action: "UpdateEndpoint", run: updateEndpoint),
      Operation(
        method: .put,
        path: "/v1/apps/:app/endpoints",
        action: "UpdateEndpointsBatch",
        run: updateEndpointsBatch
      ),
      Operation(method: .get, path: endpoint, action: "GetEndpoint", run: getEndpoint),
      Operation(method: .delete, path: endpoint, action: "DeleteEndpoint", run: deleteEndpoint),
      Operation(method: .get, path: user, action: "GetUserEndpoints", run: getUserEndpoints),
      Operation(
        method: .delete,
        path: user,
        action: "DeleteUserEndpoints",
        run: deleteUserEndpoints
      ),
    ]
  }

  private func install(
    _ method: HTTPMethod,
    _ path: String,
    maxBytes: Int,
    mayBlock: Bool = true,
    in router: inout Router,
    _ handler: @escaping @Sendable (Request) throws(AWSRefusal) -> Reply
  ) {
    var options = RouteOptions()
    options.maxBodyBytes = maxBytes
    options.mayBlock = mayBlock
    options.isLogged = false
    options.refusal = { reason in
      ingest.metrics.refused(reason.name)
      return refused(Self.refusal(reason))
    }
    router.on(method, path, options: options) { request in
      reply { () throws(AWSRefusal) in try handler(request) }
    }
    router.options(path, options: options) { .now(PreparedAnswers.preflight($0)) }
  }

  /// What a body replies, refusals included.
  func reply(_ body: () throws(AWSRefusal) -> Reply) -> Reply {
    do throws(AWSRefusal) { return try body() } catch {
      ingest.metrics.refused(error.metricName)
      return .now(refused(error))
    }
  }

  /// Lets a request in, and runs its operation.
  private func perform(_ operation: Operation, _ request: Request) throws(AWSRefusal) -> Reply {
    let caller = try ingest.aws.admit(request, to: .pinpoint)
    let id = request.parameter("app")
    let resource = Self.resource(request.path)
    try caller.require(operation.action, on: resource, "apps/\(id)")
    guard let app = ingest.aws.directory.app(id) else {
      throw .notFound("There is no application \(id); footfall project pinpoint shows them.")
    }
    guard app.project == caller.key.project else {
      throw AWSService.pinpoint.notAllowed(operation.action, on: resource)
    }
    return try inflated(request, maxBytes: operation.maxBytes) {
      (body, scratch) throws(AWSRefusal) in
      try operation.run(
        Call(request: request, caller: caller, app: app, scratch: scratch, body: body)
      )
    }
  }

  /// What a path concerns, as rights name it: all behind its version.
  private static func resource(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).dropFirst().map { Substring($0) }
      .joined(separator: "/")
  }

  /// Runs `run` with the request's bytes as they were before compression.
  func inflated(
    _ request: Request,
    maxBytes: Int,
    isCounted: Bool = true,
    _ run: (UnsafeRawBufferPointer, IngestScratch) throws(AWSRefusal) -> Reply
  ) throws(AWSRefusal) -> Reply {
    let bound = Inflater.Bound(maxBytes: maxBytes, maxRatio: ingest.settings.maxInflationRatio)
    let result = ingest.scratch.with { scratch -> Result<Reply, AWSRefusal> in
      do throws(Inflater.Failure) {
        return try ingest.inflated(
          request,
          bound: bound,
          scratch: scratch,
          isCounted: isCounted
        ) { body in Result { () throws(AWSRefusal) in try run(body, scratch) } }
      } catch {
        switch error {
        case .tooLarge:
          return .failure(.tooLarge(limitBytes: bound.limit(received: request.body.count)))
        case .damaged:
          return .failure(.badRequest("The body's compression cannot be read."))
        }
      }
    }
    return try result.get()
  }

  // MARK: Answers

  func refused(_ refusal: AWSRefusal) -> Response {
    AWSService.pinpoint.response(refusal, nowMs: ingest.nowMs())
  }

  func answer(_ status: Int, _ json: String) -> Response {
    AWSService.pinpoint.response(
      status: status,
      Array(json.utf8),
      requestID: AWSService.requestID(),
      nowMs: ingest.nowMs()
    )
  }

  static func overloaded(_ seconds: Int) -> AWSRefusal {
    AWSRefusal(
      503,
      "ServiceUnavailableException",
      "The server cannot keep more at the moment; nothing of this request was kept.",
      retryAfterSeconds: seconds
    )
  }

  static func overQuota(_ seconds: Int) -> AWSRefusal {
    AWSRefusal(
      429,
      "TooManyRequestsException",
      "The project is over its number of events a day; nothing of this request was kept.",
      retryAfterSeconds: seconds
    )
  }
}

extension AWSRefusal {
  /// What a refusal is counted as.
  fileprivate var metricName: String {
    switch status {
    case 403: "key"
    case 404: "not_found"
    case 405: "method"
    case 413: "too_large"
    case 429: "too_fast"
    case 500...: "disk"
    default: "invalid"
    }
  }
}
