import HTTPServing
import Catalog

extension APISite {
  /// Calls on keys.
  var keyRoutes: [APIRoute] {
    let key = APIRoute.Parameter.path("key", .integer(1...Int64.max), "The key's number.")
    return [
      APIRoute(
        .get,
        "/projects/{project}/keys",
        "listKeys",
        "A project's keys, oldest first, revoked ones included.",
        needs: .viewKeys,
        parameters: [.project],
        answer: .page("keys", of: .key, max: 1_000_000)
      ) { call in
        ["keys": .list(try self.catalog.keys(project: call.project).map { JSONValue($0) })]
      },
      APIRoute(
        .post,
        "/projects/{project}/keys",
        "createKey",
        "Makes a key. Its text is in the answer; a secret key's is told only now.",
        needs: .manageKeys,
        parameters: [.project],
        body: .object([
          APIField("kind", .choice(["ingest", "secret"])),
          APIField("label", .label, isRequired: false),
          APIField("role", .role, "Of a secret key; editor unless told.", isRequired: false),
          APIField("test", .boolean, "Of a key that sends.", isRequired: false),
        ]),
        status: 201,
        answer: .madeKey
      ) { try self.createKey($0) },
      APIRoute(
        .post,
        "/projects/{project}/keys/adopt",
        "adoptKey",
        "Takes over a key that apps already ship.",
        needs: .manageKeys,
        parameters: [.project],
        body: .object([
          APIField("kind", .choice(KeyKind.allCases.filter(\.isAdopted).map(\.rawValue))),
          APIField("value", .text(4...200)), APIField("label", .label, isRequired: false),
          APIField("test", .boolean, isRequired: false),
        ]),
        status: 201,
        answer: .key,
        problems: [409]
      ) { call in
        JSONValue(
          try self.catalog.adoptKey(
            project: call.project,
            kind: KeyKind(rawValue: call.bodyText("kind")) ?? .amplitude,
            value: call.bodyText("value"),
            label: call.bodyText("label"),
            isTest: call.bodyFlag("test"),
            by: call.actor
          )
        )
      },
      APIRoute(
        .post,
        "/projects/{project}/keys/{key}/rotate",
        "rotateKey",
        "Makes a key that takes another's place; both work for the overlap.",
        needs: .manageKeys,
        parameters: [.project, key],
        body: .object([
          APIField(
            "overlap_seconds",
            .integer(0...34_560_000),
            "A day unless told.",
            isRequired: false
          )
        ]),
        status: 201,
        answer: .madeKey,
        problems: [409]
      ) { call in
        let id = call.integer("key") ?? 0
        let seconds = call.bodyInteger("overlap_seconds") ?? 86_400
        try self.check(call, mayEnd: id, isNow: seconds < 3_600)
        return JSONValue(
          try self.catalog.rotateKey(
            id,
            project: call.project,
            overlap: .seconds(seconds),
            by: call.actor
          )
        )
      },
      APIRoute(
        .delete,
        "/projects/{project}/keys/{key}",
        "revokeKey",
        "Refuses a key from now on.",
        needs: .manageKeys,
        parameters: [.project, key],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        let id = call.integer("key") ?? 0
        try self.check(call, mayEnd: id, isNow: true)
        try self.catalog.revokeKey(id, project: call.project, by: call.actor)
        return .null
      },
    ]
  }

  private func createKey(_ call: APICall) throws -> JSONValue {
    let isSecret = call.bodyText("kind") == "secret"
    let role = Role(rawValue: call.bodyText("role"))
    guard isSecret || role == nil else {
      throw APIProblem.invalid("role", "Only a secret key has a role.")
    }
    guard !isSecret || !call.bodyFlag("test") else {
      throw APIProblem.invalid("test", "A secret key sends nothing.")
    }
    if role == .owner, let own = call.holder?.role, own != .owner {
      throw APIProblem.forbidden(own)
    }
    return JSONValue(
      try catalog.createKey(
        project: call.project,
        kind: isSecret ? .secret : .ingest,
        label: call.bodyText("label"),
        role: role ?? .editor,
        isTest: call.bodyFlag("test"),
        by: call.actor
      )
    )
  }

  /// Keeps a key from ending itself, which locks its program out, and one that may do more.
  private func check(_ call: APICall, mayEnd id: Int64, isNow: Bool) throws {
    guard let key = try catalog.keys(project: call.project).first(where: { $0.id == id }) else {
      throw APIProblem.notFound
    }
    if key.role == .owner, let own = call.holder?.role, own != .owner {
      throw APIProblem.forbidden(own)
    }
    guard call.holder?.keyID != id || !isNow else {
      throw APIProblem.conflict(
        "This is the key of this very call: end it with another one, or replace it with an overlap of an hour or more."
      )
    }
  }
}
