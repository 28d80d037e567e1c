import Catalog
import Foundation
import ServerApp

/// What the commands on projects, keys and users share.
enum CatalogueCommand {
  /// Opens the catalogue of the data folder that `--data` names; works while a server runs on it.
  static func open(_ arguments: Arguments) throws -> Catalog {
    let folder = folder(arguments)
    try folder.checkExisting()
    return try Catalog(path: folder.catalogue)
  }

  /// The data folder that `--data` names.
  static func folder(_ arguments: Arguments) -> DataFolder {
    DataFolder(path: arguments.options["data"] ?? "data")
  }

  /// Finds the project that `--project` names.
  static func project(_ arguments: Arguments, in catalog: Catalog) throws -> Project {
    try project(named: arguments.options["project"], in: catalog)
  }

  /// Finds a project by its number or its exact name; the only one there is needs no naming.
  static func project(named name: String?, in catalog: Catalog) throws -> Project {
    let all = try catalog.projects()
    guard let wanted = name else {
      if all.count == 1, let only = all.first { return only }
      let listed = all.map { "\($0.id) “\($0.name)”" }.joined(separator: ", ")
      throw UsageError(
        all.isEmpty
          ? "There is no project yet: footfall project create NAME."
          : "There are several projects; choose one with --project: \(listed)."
      )
    }
    let matches = all.filter { "\($0.id)" == wanted }
    let named = matches.isEmpty ? all.filter { $0.name == wanted } : matches
    guard let project = named.first else {
      throw UsageError("There is no project “\(wanted)”; footfall project list shows them.")
    }
    guard named.count == 1 else {
      throw UsageError("Several projects are called “\(wanted)”; name one by its number.")
    }
    return project
  }

  /// Calls one of a command's actions by its first word.
  static func choose(
    _ words: [String],
    _ actions: KeyValuePairs<String, ([String]) throws -> Void>
  ) throws {
    let known = actions.map(\.key)
    guard let word = words.first else {
      throw UsageError("It needs one of: \(known.joined(separator: ", ")).")
    }
    guard let action = actions.first(where: { $0.key == word })?.value else {
      throw UsageError("“\(word)” is not one of: \(known.joined(separator: ", ")).")
    }
    try action(Array(words.dropFirst()))
  }

  /// A moment as a local calendar day.
  static func day(_ ms: Int64) -> String {
    Date(timeIntervalSince1970: Double(ms) / 1_000).formatted(.iso8601.year().month().day())
  }
}

extension Command {
  /// `footfall project`: makes and lists projects.
  static let project = Command(
    name: "project",
    summary: "Create and list projects",
    usage: """
      Usage: footfall project create NAME [--time-zone ZONE] [--data DIR]
             footfall project list [--data DIR]
             footfall project config NAME [show | set FILE | clear] [--data DIR]

      A project is an app, or a family of apps, whose events belong together. Its days are counted in
      its time zone, an IANA name such as Europe/Berlin (default UTC). A new project gets a key. config
      shows or changes the settings that its apps get when they ask for their configuration: a JSON
      object of up to 64 KiB (- reads it from standard input). Everything works while the server runs.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { words in
          let arguments = try Arguments(
            words,
            shape: Arguments.Shape(options: ["data", "time-zone"], positional: 1...1, word: "NAME")
          )
          let catalog = try CatalogueCommand.open(arguments)
          let project = try catalog.createProject(
            name: arguments.positional[0],
            timeZone: arguments.options["time-zone"] ?? "UTC"
          )
          let key = try catalog.createKey(project: project.id, kind: .ingest, label: "First app")
          terminal.out("Project \(project.id) “\(project.name)”. Its apps send with the key")
          terminal.out(key.plaintext)
        },
        "list": { words in
          let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data"]))
          for project in try CatalogueCommand.open(arguments).projects() {
            terminal.out("\(project.id)\t\(project.name)\t\(project.timeZone)")
          }
        },
        "config": { try RemoteSettingsCommand.run($0, terminal) },
      ]
    )
  }

  /// `footfall key`: makes, adopts, lists and revokes keys.
  static let key = Command(
    name: "key",
    summary: "Create, adopt, list and revoke keys",
    usage: """
      Usage: footfall key create [--kind ingest|secret] [--label TEXT] [--project P] [--data DIR]
             footfall key add VALUE --kind amplitude|simpledatalogs|phase|aws [--label TEXT] …
             footfall key list [--project P] [--data DIR]
             footfall key revoke NUMBER [--project P] [--data DIR]

      create makes a key: “ingest” for apps (it can only send), “secret” for reading and administering
      (it is shown once and kept as a hash). add adopts a key that apps ship already, so that they keep
      their vendor's SDK and change only the address. revoke works within a second. --project takes a
      number or a name, and is not needed while there is one project.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try createKey($0, terminal) },
        "add": { try adoptKey($0, terminal) },
        "list": { try listKeys($0, terminal) },
        "revoke": { try revokeKey($0, terminal) },
      ]
    )
  }

  private static func createKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project", "kind", "label"])
    )
    let kind = try arguments.choice("kind", of: ["ingest", "secret"], default: "ingest")
    let catalog = try CatalogueCommand.open(arguments)
    let key = try catalog.createKey(
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      kind: kind == "secret" ? .secret : .ingest,
      label: arguments.options["label"] ?? ""
    )
    terminal.out(key.plaintext)
    if kind == "secret" {
      terminal.error("This key is shown once; keep it out of apps and repositories.")
    }
  }

  private static func adoptKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "kind", "label"],
        positional: 1...1,
        word: "VALUE"
      )
    )
    let adopted = KeyKind.allCases.filter(\.isAdopted)
    let name = try arguments.choice("kind", of: adopted.map(\.rawValue), default: "")
    guard let kind = KeyKind(rawValue: name) else {
      throw UsageError("--kind is needed: \(adopted.map(\.rawValue).joined(separator: ", ")).")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let key = try catalog.adoptKey(
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      kind: kind,
      value: arguments.positional[0],
      label: arguments.options["label"] ?? ""
    )
    terminal.out("Key \(key.id) (\(key.hint)) is adopted.")
  }

  private static func listKeys(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for key in try catalog.keys(project: project.id) {
      let state = key.revokedAtMs.map { "revoked \(CatalogueCommand.day($0))" } ?? "working"
      terminal.out(
        "\(key.id)\t\(key.kind.rawValue)\t\(key.value ?? key.hint)\t\(state)\t\(key.label)"
      )
    }
  }

  private static func revokeKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project"], positional: 1...1, word: "NUMBER")
    )
    guard let number = Int64(arguments.positional[0]) else {
      throw UsageError(
        "revoke takes a key's number, the first column of “footfall key list”, not “\(arguments.positional[0])”."
      )
    }
    let catalog = try CatalogueCommand.open(arguments)
    try catalog.revokeKey(
      number,
      project: try CatalogueCommand.project(arguments, in: catalog).id
    )
    terminal.out("Key \(number) is refused from now on.")
  }

  /// `footfall sign-in`: a fresh one-time address for the dashboard.
  static let signIn = Command(
    name: "sign-in",
    summary: "Print a one-time sign-in address for the dashboard",
    usage: """
      Usage: footfall sign-in [--user NAME] [--address URL] [--data DIR]

      Prints an address that signs the user in once, within an hour: for the first visit, or when access
      is lost. --address is the server's, as people reach it (default: where it runs or ran last).
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "user", "address"])
    )
    let catalog = try CatalogueCommand.open(arguments)
    guard let user = try arguments.options["user"] ?? catalog.users().first?.name else {
      throw UsageError("Nobody may sign in yet: start the server once, it makes the owner.")
    }
    let folder = CatalogueCommand.folder(arguments)
    let address =
      try arguments.options["address"] ?? folder.lastAddress() ?? "http://127.0.0.1:4001"
    let token = try catalog.createSignInLink(user: user)
    terminal.out(
      "\(address.hasSuffix("/") ? String(address.dropLast()) : address)/sign-in/\(token)"
    )
  }
}
