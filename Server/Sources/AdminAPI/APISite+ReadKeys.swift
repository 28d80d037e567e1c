import Catalog
import HTTPServing

extension APISite {
  private static let keyNumber = APIRoute.Parameter.path(
    "read_key",
    .integer(1...Int64.max),
    "The key's number."
  )

  /// Calls on keys of Phase's read API.
  var readKeyRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/read-keys",
        "listReadKeys",
        "The keys of Phase's read API, oldest first, revoked ones included.",
        needs: .viewKeys,
        parameters: [.project],
        answer: .page("read_keys", of: .readKey, max: 1_000_000)
      ) { call in
        let keys = try self.catalog.phaseReadKeys(project: call.project)
        return ["read_keys": .list(keys.map { JSONValue($0, atMs: self.nowMs()) })]
      },
      APIRoute(
        .post,
        "/projects/{project}/read-keys",
        "createReadKey",
        "Makes a key that reads the project's reports under /public-api/v1; its text is told only now.",
        needs: .manageKeys,
        parameters: [.project],
        body: .object([
          APIField("name", .name),
          APIField(
            "days",
            .integer(1...3_650),
            "After how many days it ends; when it is revoked unless told.",
            isRequired: false
          ),
        ]),
        status: 201,
        answer: .object([
          APIField("read_key", .readKey),
          APIField("plaintext", .text(1...100), "The key's text, told only now."),
        ])
      ) { call in
        let made = try self.catalog.createPhaseReadKey(
          name: call.bodyText("name"),
          days: call.bodyInteger("days"),
          project: call.project,
          by: call.actor
        )
        return [
          "read_key": JSONValue(made.key, atMs: self.nowMs()), "plaintext": .text(made.plaintext),
        ]
      },
      APIRoute(
        .delete,
        "/projects/{project}/read-keys/{read_key}",
        "revokeReadKey",
        "Refuses a key of Phase's read API from now on.",
        needs: .manageKeys,
        parameters: [.project, Self.keyNumber],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.revokePhaseReadKey(
          call.integer("read_key") ?? 0,
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ]
  }
}

extension APISchema {
  fileprivate static let readKey = object([
    APIField("id", .integer(1...Int64.max)), APIField("name", .text(0...100)),
    APIField("prefix", .text(0...300), "Its first letters."),
    APIField("state", .choice(["active", "expired", "revoked"])), APIField("created_at", .time),
    APIField("expires_at", .nullable(.time), "Null for one that ends when it is revoked."),
    APIField("revoked_at", .nullable(.time)),
    APIField("used_at", .nullable(.time), "When it was used last, to the minute."),
  ])
}

extension JSONValue {
  fileprivate init(_ key: PhaseReadKey, atMs now: Int64) {
    self = [
      "id": .integer(key.id), "name": .text(key.name), "prefix": .text(key.prefix),
      "state": .text(key.state(atMs: now).rawValue), "created_at": .integer(key.createdAtMs),
      "expires_at": .optional(key.expiresAtMs), "revoked_at": .optional(key.revokedAtMs),
      "used_at": .optional(key.usedAtMs),
    ]
  }
}
