import Catalog
import Foundation

extension Command {
  /// `footfall user`: who may sign in.
  static let user = Command(
    name: "user",
    summary: "Add, list and remove people, and change what they may do",
    usage: """
      Usage: footfall user add NAME [--role viewer|editor|owner] [--address URL] [--data DIR]
             footfall user list [--data DIR]
             footfall user role NAME --role viewer|editor|owner [--data DIR]
             footfall user remove NAME [--data DIR]

      People who may sign in to the dashboard: viewers look, editors also change projects and their keys,
      owners also make projects, add people and read the audit log. add prints an address that signs the
      new person in once, within an hour (viewer unless told otherwise); “footfall sign-in --user NAME”
      makes another, also when access is lost. Everything works while the server runs.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "add": { words in
          let arguments = try named(words, options: ["data", "role", "address"])
          let role = try CatalogueCommand.role(arguments, default: .viewer)
          let catalog = try CatalogueCommand.open(arguments)
          // A wrong address must not leave someone behind who cannot be told how to sign in.
          let site = try SiteAddress.of(arguments)
          let user = try catalog.createUser(
            name: arguments.positional[0],
            role: role,
            by: .commandLine
          )
          let name = EventLine.printable(user.name)
          terminal.out("\(name) may sign in as \(user.role.rawValue), the first time at")
          terminal.out(
            try CatalogueCommand.signInAddress(user: user.name, at: site, in: catalog)
          )
        },
        "list": { words in
          let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data"]))
          for user in try CatalogueCommand.open(arguments).users() {
            let password = user.hasPassword ? "password" : "no password"
            let added = CatalogueCommand.day(user.createdAtMs)
            let name = EventLine.printable(user.name)
            terminal.out("\(name)\t\(user.role.rawValue)\t\(password)\tadded \(added)")
          }
        },
        "role": { words in
          let arguments = try named(words, options: ["data", "role"])
          guard arguments.options["role"] != nil else { throw UsageError("--role is needed.") }
          let role = try CatalogueCommand.role(arguments, default: .viewer)
          let name = arguments.positional[0]
          try CatalogueCommand.open(arguments).setRole(role, ofUser: name, by: .commandLine)
          terminal.out("\(EventLine.printable(name)) is \(role.rawValue) from now on.")
        },
        "remove": { words in
          let arguments = try named(words, options: ["data"])
          let name = arguments.positional[0]
          try CatalogueCommand.open(arguments).removeUser(name, by: .commandLine)
          terminal.out(
            "\(EventLine.printable(name)) may not sign in any more and is signed out everywhere."
          )
        },
      ]
    )
  }

  private static func named(_ words: [String], options: Set<String>) throws -> Arguments {
    try Arguments(
      words,
      shape: Arguments.Shape(options: options, positional: 1...1, word: "NAME")
    )
  }

  /// `footfall session`: where people are signed in.
  static let session = Command(
    name: "session",
    summary: "List and end sessions of the dashboard",
    usage: """
      Usage: footfall session list [--user NAME] [--data DIR]
             footfall session end ID [--data DIR]
             footfall session end --user NAME [--data DIR]

      Lists the sessions of the dashboard that have not ended, and ends one of them, or all of a person.
      It is in effect with the next request.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "list": { words in
          let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "user"]))
          let catalog = try CatalogueCommand.open(arguments)
          for session in try catalog.sessions(user: arguments.options["user"]) {
            terminal.out(
              "\(session.id)\t\(EventLine.printable(session.user))\t"
                + "since \(CatalogueCommand.day(session.createdAtMs))\t"
                + "until \(CatalogueCommand.day(session.expiresAtMs))\t"
                + EventLine.printable(session.browser)
            )
          }
        },
        "end": { words in
          let arguments = try Arguments(
            words,
            shape: Arguments.Shape(options: ["data", "user"], positional: 0...1)
          )
          let catalog = try CatalogueCommand.open(arguments)
          let id = arguments.positional.first
          guard (id == nil) != (arguments.options["user"] == nil) else {
            throw UsageError("Name one session by its ID, or a person with --user.")
          }
          let ended =
            try id.map { [$0] } ?? catalog.sessions(user: arguments.options["user"]).map(\.id)
          for id in ended { try catalog.endSession(id, by: .commandLine) }
          terminal.out("\(ended.count) session\(ended.count == 1 ? "" : "s") ended.")
        },
      ]
    )
  }

  /// `footfall audit`: who changed what.
  static let audit = Command(
    name: "audit",
    summary: "Print who changed what",
    usage: """
      Usage: footfall audit [--project P] [--limit N] [--data DIR]

      Prints the latest changes of projects, keys, rules and people, and every sign-in, newest first:
      when, who, what, the project's number, and details. No entry holds a secret. --limit is 50 unless
      told otherwise, at most 1000.
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project", "limit"])
    )
    let limit = try arguments.integer("limit", in: 1...1_000, default: 50)
    let catalog = try CatalogueCommand.open(arguments)
    let project = try arguments.options["project"].map {
      try CatalogueCommand.project(named: $0, in: catalog).id
    }
    for entry in try catalog.audit(project: project, limit: limit) {
      let time = Date(timeIntervalSince1970: Double(entry.atMs) / 1_000).formatted(.iso8601)
      terminal.out(
        EventLine.printable(
          "\(time)  \(entry.actor)  \(entry.action)  "
            + "\(entry.project.map { "project \($0)" } ?? "-")  \(entry.detail)"
        )
      )
    }
  }
}
