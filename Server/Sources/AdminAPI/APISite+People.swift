import HTTPServing
import Catalog

extension APISite {
  /// Calls on who may sign in, where they are signed in, and who changed what.
  var peopleRoutes: [APIRoute] {
    let name = APIRoute.Parameter.path("name", .name, "The person's name.")
    return [
      APIRoute(
        .get,
        "/users",
        "listUsers",
        "Who may sign in to the dashboard.",
        needs: .manageUsers,
        answer: .page("users", of: .user, max: 100_000)
      ) { _ in ["users": .list(try self.catalog.users().map { JSONValue($0) })] },
      APIRoute(
        .post,
        "/users",
        "createUser",
        "Adds someone; they sign in by a link, see createSignInLink.",
        needs: .manageUsers,
        body: .object([APIField("name", .name), APIField("role", .role)]),
        status: 201,
        answer: .user,
        problems: [409]
      ) { call in
        JSONValue(
          try self.catalog.createUser(
            name: call.bodyText("name"),
            role: Role(rawValue: call.bodyText("role")) ?? .viewer,
            by: call.actor
          )
        )
      },
      APIRoute(
        .put,
        "/users/{name}",
        "changeUser",
        "Changes what someone may do.",
        needs: .manageUsers,
        parameters: [name],
        body: .object([APIField("role", .role)]),
        answer: .user,
        problems: [409]
      ) { call in
        let name = call.text("name") ?? ""
        try self.catalog.setRole(
          Role(rawValue: call.bodyText("role")) ?? .viewer,
          ofUser: name,
          by: call.actor
        )
        guard let user = try self.catalog.users().first(where: { $0.name == name }) else {
          throw APIProblem.notFound
        }
        return JSONValue(user)
      },
      APIRoute(
        .delete,
        "/users/{name}",
        "removeUser",
        "Takes someone's access away.",
        needs: .manageUsers,
        parameters: [name],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        try self.catalog.removeUser(call.text("name") ?? "", by: call.actor)
        return .null
      },
      APIRoute(
        .post,
        "/users/{name}/sign-in-link",
        "createSignInLink",
        "Makes a link that signs someone in once, within an hour.",
        needs: .manageUsers,
        parameters: [name],
        status: 201,
        answer: .object([
          APIField("path", .text(1...200), "Below the server's address; told only now.")
        ])
      ) { call in
        let token = try self.catalog.createSignInLink(
          user: call.text("name") ?? "",
          by: call.actor
        )
        return ["path": .text("/sign-in/\(token)")]
      },
    ] + watchRoutes
  }

  private var watchRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/sessions",
        "listSessions",
        "Where people are signed in.",
        needs: .manageUsers,
        answer: .page("sessions", of: .session, max: 1_000_000)
      ) { _ in ["sessions": .list(try self.catalog.sessions().map { JSONValue($0) })] },
      APIRoute(
        .delete,
        "/sessions/{session}",
        "endSession",
        "Signs someone out.",
        needs: .manageUsers,
        parameters: [.path("session", .sessionID, "As listed.")],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.endSession(call.text("session") ?? "", by: call.actor)
        return .null
      },
      APIRoute(
        .get,
        "/audit",
        "listAudit",
        "Who changed what, newest first.",
        needs: .viewAudit,
        parameters: [
          .query("project", .projectNumber, "Only changes of this project."),
          .query("before", .integer(1...Int64.max), "The “next” of the page before."), .limit,
        ],
        answer: .object([
          APIField("entries", .list(.entry, max: 1_000)),
          APIField("next", .nullable(.integer(1...Int64.max))),
        ])
      ) { call in
        let limit = Int(call.integer("limit") ?? 100)
        let entries = try self.catalog.audit(
          project: call.integer("project").map { UInt32(clamping: $0) },
          before: call.integer("before"),
          limit: limit
        )
        return [
          "entries": .list(entries.map { JSONValue($0) }),
          "next": .optional(entries.count == limit ? entries.last?.id : nil),
        ]
      },
    ]
  }
}
