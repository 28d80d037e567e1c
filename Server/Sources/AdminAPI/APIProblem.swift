import Catalog
import EventStore
import HTTPServing
import Insights

/// Why a call gets no answer of its own: always one JSON object, `{"error":{…}}`.
struct APIProblem: Error {
  let status: Int
  /// A word for programs.
  let code: String
  /// A sentence for people.
  let message: String
  /// The parameter or member it is about.
  var field: String?
  var retryAfterSeconds: Int?

  static let unauthorized = APIProblem(
    status: 401,
    code: "unauthorized",
    message: "Send a working secret key: Authorization: Bearer ff_sec_…"
  )
  static let notFound = APIProblem(
    status: 404,
    code: "not_found",
    message: "There is no such thing, or this key may not know of it."
  )

  static func forbidden(_ role: Role) -> APIProblem {
    APIProblem(
      status: 403,
      code: "forbidden",
      message: "A key with the role \(role.rawValue) may not do this."
    )
  }

  static func invalid(_ field: String?, _ message: String) -> APIProblem {
    APIProblem(status: 422, code: "invalid", message: message, field: field)
  }

  static func conflict(_ message: String) -> APIProblem {
    APIProblem(status: 409, code: "conflict", message: message)
  }

  init(
    status: Int,
    code: String,
    message: String,
    field: String? = nil,
    retryAfterSeconds: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.field = field
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// What a part of the server threw.
  init(_ error: any Error) {
    switch error {
    case let problem as APIProblem: self = problem
    case let error as CatalogError: self.init(error)
    case let problem as QuestionForm.Problem: self = .invalid(problem.name, problem.description)
    case StoreError.crowded:
      self.init(
        status: 429,
        code: "too_many_requests",
        message: ClientText.of(error),
        retryAfterSeconds: 5
      )
    case StoreError.needsMemory:
      // The same question would need as much again.
      self.init(status: 422, code: "needs_memory", message: ClientText.of(error))
    case let error as StoreError:
      self.init(
        status: 503,
        code: "unavailable",
        message: ClientText.of(error),
        retryAfterSeconds: 5
      )
    default:
      self.init(
        status: 503,
        code: "unavailable",
        message: ClientText.of(error),
        retryAfterSeconds: 5
      )
    }
  }

  /// Whether the server failed, rather than the request: the operator is told, too.
  static func isFault(_ error: any Error) -> Bool {
    !(error is APIProblem) && APIProblem(error).status == 503
  }

  private init(_ error: CatalogError) {
    switch error {
    case .unknownProject, .unknownKey, .unknownUser, .unknownSession, .unknownJob, .unknownSegment,
      .unknownList, .unknownBoard, .unknownCard, .unknownLink, .unknownAlert, .unknownStatement:
      self = .notFound
    case .keyInUse, .lastOwner, .userExists, .jobIsOver, .erasureUnderWay, .tooManyJobs:
      self = .conflict(error.description)
    case .invalid(let field, let reason): self = .invalid(field, reason)
    default:
      self.init(
        status: 503,
        code: "unavailable",
        message: ClientText.of(error),
        retryAfterSeconds: 5
      )
    }
  }

  /// What a request gets that never reached its route.
  init(_ refusal: Refusal) {
    switch refusal {
    case .malformed(let why):
      self.init(status: 400, code: "malformed", message: "The request cannot be read: \(why).")
    case .unknownCoding:
      self.init(
        status: 501,
        code: "unknown_coding",
        message: "Of transfer codings only chunked is read."
      )
    case .notFound: self = .notFound
    case .methodNotAllowed:
      self.init(status: 405, code: "method_not_allowed", message: "Not by this method.")
    case .bodyTooLarge(let limit):
      self.init(
        status: 413,
        code: "too_large",
        message: "A body has at most \(limit) bytes."
      )
    case .overloaded:
      self.init(
        status: 503,
        code: "unavailable",
        message: "Too much waits; try again.",
        retryAfterSeconds: 1
      )
    }
  }

  var response: Response {
    var error: [(name: String, value: JSONValue)] = [
      ("code", .text(code)), ("message", .text(message)),
    ]
    if let field { error.append(("field", .text(field))) }
    var response = Response.json(
      JSONValue.object([("error", .object(error))]).encoded,
      status: status
    )
    if status == 401 { response.setHeader("WWW-Authenticate", "Bearer") }
    if let retryAfterSeconds { response.setHeader("Retry-After", "\(retryAfterSeconds)") }
    return response
  }

  static let schema = APISchema.object([
    APIField(
      "error",
      .object([
        APIField("code", .text(1...40), "A word for programs."),
        APIField("message", .text(0...4_000), "A sentence for people."),
        APIField("field", .text(0...100), "What it is about.", isRequired: false),
      ])
    )
  ])
}
