public import Catalog
public import EventStore
public import HTTPServing
import FootfallSystem
import Foundation
public import Insights

/// The query and administration API under `/api/v1`, for programs with a secret key.
///
/// ```swift
/// APIRoutes(catalog: catalog, store: store, version: "1.0.0").install(in: &router)
/// ```
public struct APIRoutes: Sendable {
  /// Where all of it lies.
  public static let root = "/api/v1"
  /// Bytes of a body: the largest settings of a project, with room for the spelling.
  static let maxBodyBytes = 256 << 10

  /// Takes lines of a file as endpoints of an application; returns those that were refused.
  public typealias EndpointTaking =
    @Sendable (_ lines: [ListFile.Line], _ app: PinpointApp) throws -> [ListFile.Failure]

  private let site: APISite

  /// The API over these parts.
  ///
  /// - Parameters:
  ///   - catalog: projects, keys, people and their rules.
  ///   - store: where events are asked for.
  ///   - files: where files are that were asked for or sent; nil where there are none.
  ///   - version: the program's version.
  ///   - inflate: takes gzip's packing off a file that is sent, up to so many bytes; nil for what is
  ///     no gzip.
  ///   - endpoints: takes endpoints of a file into an application of Pinpoint; nil where there are none.
  ///   - webhookRefusal: why nothing could ever be sent to a webhook, as a sentence; nil where something may be.
  ///   - faults: is told in full what programs are told without the places of files.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public init(
    catalog: Catalog,
    store: any EventStore,
    files: APIFiles? = nil,
    version: String,
    inflate: @escaping @Sendable ([UInt8], Int) -> [UInt8]? = { _, _ in nil },
    endpoints: EndpointTaking? = nil,
    webhookRefusal: @escaping @Sendable (_ address: String) -> String? = { _ in nil },
    faults: FaultLog = FaultLog(),
    nowMs: @escaping @Sendable () -> Int64
  ) {
    site = APISite(
      catalog: catalog,
      store: store,
      files: files,
      version: version,
      inflate: inflate,
      endpoints: endpoints,
      webhookRefusal: webhookRefusal,
      faults: faults,
      nowMs: nowMs
    )
  }

  /// Adds the routes.
  public func install(in router: inout Router) {
    let site = site
    var options = RouteOptions()
    options.maxBodyBytes = Self.maxBodyBytes
    options.refusal = { APIProblem($0).response }
    for route in site.routes {
      var options = options
      if route.body == nil { options.maxBodyBytes = route.takesBytes ?? 0 }
      router.on(route.method, route.pattern, options: options) { .now(site.answer($0, route)) }
    }
    router.refuse(under: Self.root) { APIProblem($0).response }
  }

  /// Every call, its method and its path as routers have it.
  package var calls: [(method: HTTPMethod, pattern: String)] {
    site.routes.map { ($0.method, $0.pattern) }
  }
}

/// What every call has at hand.
final class APISite: Sendable {
  let catalog: Catalog
  let store: any EventStore
  let files: APIFiles?
  let version: String
  let inflate: @Sendable ([UInt8], Int) -> [UInt8]?
  let endpoints: APIRoutes.EndpointTaking?
  let webhookRefusal: @Sendable (String) -> String?
  let faults: FaultLog
  let nowMs: @Sendable () -> Int64
  let consoleRuns = ConsoleRuns()
  private let failures = Lock(AttemptLimiter(perAddress: 60, inTotal: 600))

  init(
    catalog: Catalog,
    store: any EventStore,
    files: APIFiles? = nil,
    version: String,
    inflate: @escaping @Sendable ([UInt8], Int) -> [UInt8]? = { _, _ in nil },
    endpoints: APIRoutes.EndpointTaking? = nil,
    webhookRefusal: @escaping @Sendable (String) -> String? = { _ in nil },
    faults: FaultLog = FaultLog(),
    nowMs: @escaping @Sendable () -> Int64
  ) {
    self.inflate = inflate
    self.endpoints = endpoints
    self.webhookRefusal = webhookRefusal
    self.faults = faults
    self.catalog = catalog
    self.store = store
    self.files = files
    self.version = version
    self.nowMs = nowMs
  }

  /// Every call there is.
  var routes: [APIRoute] {
    [documentRoute] + projectRoutes + keyRoutes + eventRoutes + questionRoutes + personRoutes
      + segmentRoutes + peopleRoutes + jobRoutes + boardRoutes + catalogueRoutes + crashRoutes
      + qualityRoutes + alertRoutes + consoleRoutes + readKeyRoutes
  }

  func answer(_ request: Request, _ route: APIRoute) -> Response {
    do {
      var holder: SecretKeyHolder?
      if let permission = route.permission {
        let found = try authenticate(request)
        guard found.role.may(permission) else { throw APIProblem.forbidden(found.role) }
        holder = found
      }
      let call = APICall(
        request: request,
        holder: holder,
        values: try Self.values(request, route),
        body: try Self.body(request, route)
      )
      if route.isOfProject, let holder { try check(call.project, holder) }
      if let download = route.download { return try download.run(call) }
      let value = try route.run(call)
      var response =
        route.answer == nil
        ? Response.empty(route.status) : .json(value.encoded, status: route.status)
      response.setHeader("Cache-Control", "no-store")
      response.setHeader("X-Content-Type-Options", "nosniff")
      return response
    } catch {
      if APIProblem.isFault(error) { faults.note(error) }
      return APIProblem(error).response
    }
  }

  // MARK: Who calls

  private func authenticate(_ request: Request) throws -> SecretKeyHolder {
    let address = request.remoteAddress
    let key = Self.bearer(request)
    // A key that is right is right whoever else calls from there: no key is found by trying, and looking
    // one up takes a hash.
    if let key, let holder = try catalog.holder(ofSecretKey: key) { return holder }
    if let seconds = failures.withLock({ $0.wait(address, nowMs: nowMs()) }) {
      throw APIProblem(
        status: 429,
        code: "too_many_attempts",
        message: "Too many wrong keys came from this address.",
        retryAfterSeconds: seconds
      )
    }
    // What has not even the form of a key is no guess.
    guard let key, key.hasPrefix("ff_sec_") else { throw APIProblem.unauthorized }
    failures.withLock { _ = $0.attempt(from: address, nowMs: nowMs()) }
    throw APIProblem.unauthorized
  }

  private static func bearer(_ request: Request) -> String? {
    let fields = (request.header("authorization") ?? "").split(separator: " ", maxSplits: 1)
    guard fields.count == 2, fields[0].lowercased() == "bearer" else { return nil }
    return fields[1].trimmingCharacters(in: .whitespaces)
  }

  private func check(_ project: UInt32, _ holder: SecretKeyHolder) throws {
    guard holder.project == project || holder.role == .owner, try catalog.project(project) != nil
    else { throw APIProblem.notFound }
  }

  // MARK: What was sent

  private static func values(
    _ request: Request,
    _ route: APIRoute
  ) throws -> Members<PropertyValue> {
    // A filter that is left out would answer another question.
    guard request.isQueryReadable else {
      throw APIProblem(
        status: 400,
        code: "unreadable",
        message: "The query is not made of percent-encoded UTF-8 without NUL."
      )
    }
    var values: Members<PropertyValue> = [:]
    let query = request.queryItems
    for parameter in route.parameters {
      let isPath = parameter.place == .path
      let texts =
        isPath
        ? [request.parameter(parameter.name)]
        : query.filter { $0.name == parameter.name }.map(\.value)
      guard texts.count < 2 else {
        throw APIProblem.invalid(parameter.name, "“\(parameter.name)” is given twice.")
      }
      guard let text = texts.first else { continue }
      let value = parameter.schema.value(of: text)
      if let problem = parameter.schema.problem(with: value) {
        throw isPath
          ? APIProblem.notFound
          : APIProblem.invalid(parameter.name, "“\(parameter.name)” \(problem).")
      }
      values[parameter.name] = value
    }
    let known = route.parameters.filter { $0.place == .query }.map(\.name)
    if let other = query.first(where: { !known.contains($0.name) }) {
      throw APIProblem(
        status: 400,
        code: "unknown_parameter",
        message: "This call has no parameter “\(other.name.prefix(100))”."
      )
    }
    return values
  }

  private static func body(
    _ request: Request,
    _ route: APIRoute
  ) throws -> Members<PropertyValue> {
    guard let schema = route.body else { return [:] }
    let type = request.header("content-type")?.lowercased() ?? "application/json"
    guard
      type.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        == "application/json"
    else {
      throw APIProblem(status: 415, code: "unsupported", message: "A body is application/json.")
    }
    // JSON is UTF-8; the system's reader would guess other encodings from the first bytes.
    guard let text = String(validating: request.body, as: UTF8.self),
      !text.utf8.contains(0), let members = PropertyValue.members(of: text)
    else {
      throw APIProblem(
        status: 400,
        code: "unreadable",
        message: "The body is not a JSON object in UTF-8."
      )
    }
    if let problem = schema.problem(with: .object(members)) {
      throw APIProblem.invalid(nil, "The body \(problem).")
    }
    return members
  }
}
