public import Catalog
public import EventStore
public import HTTPServing
import FootfallSystem
import Foundation
import Insights

/// Phase's read API under `/public-api/v1/apps/:appId`, for programs that were written for Phase's server.
///
/// An app's id is its project's number. Days are UTC and a user is a device, as there. Source of paths, limits
/// and definitions: `phase.md` sections 7.1, 7.2 and 8; what the answers are made of is ours.
public struct PhaseReadAPI: Sendable {
  private let site: PhaseReadSite

  /// The API over these parts.
  ///
  /// - Parameters:
  ///   - catalog: the keys.
  ///   - store: where events are asked for.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public init(
    catalog: Catalog,
    store: any EventStore,
    nowMs: @escaping @Sendable () -> Int64
  ) {
    site = PhaseReadSite(catalog: catalog, store: store, nowMs: nowMs)
  }

  /// Adds the routes.
  public func install(in router: inout Router) {
    let site = site
    let root = "/public-api/v1/apps/:app"
    var options = RouteOptions()
    options.maxBodyBytes = 64 << 10
    options.refusal = { PhaseReadSite.answer(PhaseFault($0)) }
    for (path, report) in site.reports {
      router.on(.get, root + "/reports/" + path, options: options) { request in
        .now(site.guarded(request) { try report($0) })
      }
    }
    router.on(.post, root + "/reports/funnels/run", options: options) { request in
      .now(site.guarded(request) { try site.runFunnel($0) })
    }
    router.on(.post, root + "/query", options: options) { request in
      .now(site.guarded(request) { try site.query($0) })
    }
    router.refuse(under: "/public-api") { PhaseReadSite.answer(PhaseFault($0)) }
  }
}

/// Why a request gets no report, as Phase's clients read it: `{"code":…,"detail":…}`.
struct PhaseFault: Error {
  let status: Int
  let code: String
  let detail: String
  var retryAfterSeconds: Int?

  init(_ status: Int, _ code: String, _ detail: String, retryAfterSeconds: Int? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.retryAfterSeconds = retryAfterSeconds
  }

  static func validation(_ detail: String) -> PhaseFault {
    PhaseFault(400, "VALIDATION_ERROR", detail)
  }
  static let notFound = PhaseFault(404, "NOT_FOUND", "There is no such report or app.")

  /// What a request gets that never reached its route.
  init(_ refusal: Refusal) {
    switch refusal {
    case .malformed(let why): self = PhaseFault(400, "BAD_REQUEST", why)
    case .unknownCoding:
      self = PhaseFault(501, "NOT_IMPLEMENTED", "Of transfer codings only chunked is read.")
    case .notFound: self = .notFound
    case .methodNotAllowed: self = PhaseFault(405, "METHOD_NOT_ALLOWED", "Not by this method.")
    case .bodyTooLarge(let limit):
      self = PhaseFault(400, "VALIDATION_ERROR", "A body has at most \(limit) bytes.")
    case .overloaded:
      self = PhaseFault(429, "TOO_MANY_REQUESTS", "Try again.", retryAfterSeconds: 1)
    }
  }
}

/// A request for a report, checked.
struct PhaseCall {
  let request: Request
  let project: UInt32

  /// One of a few words in the query.
  func choice(_ name: String, _ words: [String]) throws -> String {
    guard let text = request.query(name) else { return words[0] }
    guard words.contains(text) else {
      throw PhaseFault.validation("\(name) is one of \(words.joined(separator: ", ")).")
    }
    return text
  }
}

/// What every report has at hand.
final class PhaseReadSite: Sendable {
  let catalog: Catalog
  let store: any EventStore
  let nowMs: @Sendable () -> Int64
  private let rates = Lock(PhaseRates())

  init(
    catalog: Catalog,
    store: any EventStore,
    nowMs: @escaping @Sendable () -> Int64
  ) {
    self.catalog = catalog
    self.store = store
    self.nowMs = nowMs
  }

  /// Answers who may ask, and not too often.
  func guarded(_ request: Request, _ body: (PhaseCall) throws -> JSONValue) -> Response {
    do {
      let fields = (request.header("authorization") ?? "").split(separator: " ")
      guard fields.count == 2, fields[0].lowercased() == "bearer" else {
        throw PhaseFault(
          401,
          "UNAUTHORIZED",
          "Send a read key: Authorization: Bearer phase_public_…"
        )
      }
      // Before the key is looked up: guessing is bounded, too.
      let senders = ["key \(fields[1].prefix(100))", "address \(request.remoteAddress)"]
      let now = nowMs()
      if let seconds = rates.withLock({ $0.admit(senders, nowMs: now) }) {
        throw PhaseFault(
          429,
          "TOO_MANY_REQUESTS",
          "At most \(PhaseRates.limit) requests in 60 seconds.",
          retryAfterSeconds: seconds
        )
      }
      guard let key = try catalog.phaseReadKey(String(fields[1])) else {
        throw PhaseFault(401, "UNAUTHORIZED", "This key is not known.")
      }
      guard key.state(atMs: now) == .active else {
        throw PhaseFault(401, "UNAUTHORIZED", "This key is \(key.state(atMs: now).rawValue).")
      }
      guard UInt32(request.parameter("app")) == key.project else { throw PhaseFault.notFound }
      let value = try body(PhaseCall(request: request, project: key.project))
      return Self.response(.json(value.encoded))
    } catch {
      return Self.answer(Self.fault(error))
    }
  }

  private static func fault(_ error: any Error) -> PhaseFault {
    switch error {
    case let fault as PhaseFault: return fault
    case let problem as QuestionForm.Problem: return .validation(problem.description)
    case let problem as ConsoleProblem: return .validation(ClientText.of(problem))
    case let problem as PhaseQuery.Problem: return .validation(problem.detail)
    case StoreError.timedOut(let seconds):
      return PhaseFault(400, "BAD_REQUEST", "The statement took longer than \(Int(seconds)) s.")
    case StoreError.busy, StoreError.crowded:
      return PhaseFault(
        429,
        "TOO_MANY_REQUESTS",
        "Other statements run already.",
        retryAfterSeconds: 5
      )
    default: return PhaseFault(500, "INTERNAL_SERVER_ERROR", "The report cannot be made now.")
    }
  }

  static func answer(_ fault: PhaseFault) -> Response {
    let body: JSONValue = ["code": .text(fault.code), "detail": .text(fault.detail)]
    var response = Response.json(body.encoded, status: fault.status)
    if let seconds = fault.retryAfterSeconds { response.setHeader("Retry-After", "\(seconds)") }
    return Self.response(response)
  }

  private static func response(_ response: Response) -> Response {
    var response = response
    response.setHeader("Cache-Control", "no-store")
    response.setHeader("X-Content-Type-Options", "nosniff")
    return response
  }

  /// What stands beside every report.
  func meta() -> JSONValue {
    let date = Date(timeIntervalSince1970: Double(nowMs()) / 1_000)
    return [
      "generatedAt": .text(date.formatted(.iso8601)), "consistency": "eventual",
      "identityModel": "user",
    ]
  }

  /// Answers a statement in SQL: `{sql, page}`.
  func query(_ call: PhaseCall) throws -> JSONValue {
    let members = try Self.body(call.request)
    guard case .text(let sql)? = members["sql"] else {
      throw PhaseFault.validation("sql is a text.")
    }
    var page = 1
    if let value = members["page"] {
      guard case .integer(let number) = value, (1...1_000_000).contains(number) else {
        throw PhaseFault.validation("page is a whole number from 1 on.")
      }
      page = Int(number)
    }
    let query = try PhaseQuery(sql, page: page, project: call.project, nowMs: nowMs())
    let answer = try store.answer(
      query.query,
      cancellation: Cancellation(while: { !call.request.isAbandoned })
    )
    let rows = answer.rows.map { row in
      JSONValue.list(
        zip(row, answer.columns).map { value, column in
          guard let value else { return .null }
          let isNumber = column.isNumber && Double(value)?.isFinite == true
          return isNumber ? .raw(value) : .text(value)
        }
      )
    }
    return [
      "columns": .list(answer.columns.map { .text($0.name) }), "rows": .list(rows),
      "pagination": [
        "page": .number(page), "pageSize": .number(PhaseQuery.pageSize),
        "hasMore": .boolean(answer.isCut),
      ], "meta": meta(),
    ]
  }

  static func body(_ request: Request) throws -> Members<PropertyValue> {
    guard let text = String(validating: request.body, as: UTF8.self),
      let members = PropertyValue.members(of: text)
    else { throw PhaseFault.validation("The body is a JSON object in UTF-8.") }
    return members
  }
}
