import EventStore
import Catalog
import HTTPServing
import Insights

/// One call of the API, whole: what it takes, who may, what it answers, and how.
///
/// The routes and the OpenAPI document are made from the same values.
struct APIRoute: Sendable {
  /// A value in the path or the query.
  struct Parameter: Sendable {
    enum Place: String, Sendable {
      case path
      case query
    }

    let name: String
    let place: Place
    let schema: APISchema
    let about: String

    static func path(_ name: String, _ schema: APISchema, _ about: String) -> Parameter {
      Parameter(name: name, place: .path, schema: schema, about: about)
    }

    static func query(_ name: String, _ schema: APISchema, _ about: String) -> Parameter {
      Parameter(name: name, place: .query, schema: schema, about: about)
    }
  }

  let method: HTTPMethod
  /// Below `/api/v1`, with parameters in braces.
  let path: String
  /// The call's name in clients that are made from the document.
  let name: String
  let summary: String
  /// What the key's role must allow; nil for a call that needs no key.
  let permission: Permission?
  let parameters: [Parameter]
  let body: APISchema?
  let status: Int
  let answer: APISchema?
  /// The refusals it has beside those that every call has.
  let problems: [Int]
  let run: @Sendable (APICall) throws -> JSONValue
  /// Bytes of any form that are taken in place of a JSON body, at most so many; nil for none.
  var takesBytes: Int?
  /// Answers with a file in place of a JSON value; the media types it may have.
  var download: Download?

  /// A file that is answered with.
  struct Download: Sendable {
    let types: [String]
    let run: @Sendable (APICall) throws -> Response
  }

  init(
    _ method: HTTPMethod,
    _ path: String,
    _ name: String,
    _ summary: String,
    needs permission: Permission?,
    parameters: [Parameter] = [],
    body: APISchema? = nil,
    status: Int = 200,
    answer: APISchema?,
    problems: [Int] = [],
    run: @escaping @Sendable (APICall) throws -> JSONValue
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.summary = summary
    self.permission = permission
    self.parameters = parameters
    self.body = body
    self.status = status
    self.answer = answer
    self.problems = problems
    self.run = run
  }

  /// The path as routers have it.
  var pattern: String {
    APIRoutes.root
      + path.split(separator: "/").map { part in
        "/" + (part.hasPrefix("{") ? ":" + part.dropFirst().dropLast() : part)
      }.joined()
  }

  /// Whether it is about one project.
  var isOfProject: Bool { path.hasPrefix("/projects/{project}") }

  /// Every status it can answer with and what the answer then holds.
  var answers: [(status: Int, schema: APISchema?)] {
    var refusals = Set(problems)
    if permission != nil { refusals.formUnion([401, 403, 429]) }
    if !parameters.isEmpty { refusals.formUnion([400, 422]) }
    if parameters.contains(where: { $0.place == .path }) { refusals.insert(404) }
    if body != nil { refusals.formUnion([400, 413, 415, 422]) }
    if takesBytes != nil { refusals.formUnion([413, 422]) }
    refusals.insert(503)
    return [(status, answer)] + refusals.sorted().map { ($0, APIProblem.schema) }
  }
}

/// A call under way: who calls, and what was sent, checked.
struct APICall {
  let request: Request
  /// Who calls; of an open call nobody is asked.
  let holder: SecretKeyHolder?
  let values: Members<PropertyValue>
  let body: Members<PropertyValue>

  /// Who the audit log says it was.
  var actor: Actor { holder.map { .key($0.keyID) } ?? .server }

  /// What whoever calls may see.
  var role: Role { holder?.role ?? .viewer }

  /// The project in the path.
  var project: UInt32 { UInt32(clamping: integer("project") ?? 0) }

  /// A text parameter.
  func text(_ name: String) -> String? {
    guard case .text(let text)? = values[name] else { return nil }
    return text
  }

  /// A whole number among the parameters.
  func integer(_ name: String) -> Int64? {
    guard case .integer(let number)? = values[name] else { return nil }
    return number
  }

  /// A truth value among the parameters.
  func flag(_ name: String) -> Bool? {
    guard case .boolean(let value)? = values[name] else { return nil }
    return value
  }

  /// A text in the body; empty where it is missing.
  func bodyText(_ name: String) -> String {
    guard case .text(let text)? = body[name] else { return "" }
    return text
  }

  /// A whole number in the body.
  func bodyInteger(_ name: String) -> Int? {
    guard case .integer(let number)? = body[name] else { return nil }
    return Int(number)
  }

  /// A truth value in the body; false where it is missing.
  func bodyFlag(_ name: String) -> Bool { body[name] == .boolean(true) }
}
