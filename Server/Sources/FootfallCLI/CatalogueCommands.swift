import Catalog
import Foundation
import ServerApp

/// What the commands on projects, keys and users share.
enum CatalogueCommand {
  /// Opens the catalogue of the data folder that `--data` names; works while a server runs on it.
  static func open(_ arguments: Arguments) throws -> Catalog {
    let folder = folder(arguments)
    try folder.checkExisting()
    try folder.checkCatalogue()
    return try Catalog(path: folder.catalogue)
  }

  /// The data folder that `--data` names.
  static func folder(_ arguments: Arguments) -> DataFolder {
    DataFolder(path: arguments.options["data"] ?? "data")
  }

  /// Reads a command about one thing of a project, which it names by its number.
  ///
  /// - Parameters:
  ///   - words: what was written after the command.
  ///   - options: those it knows beside `--data` and `--project`.
  ///   - switches: the switches besides.
  ///   - word: what the number is called in its usage.
  ///   - thing: what it is the number of, as in “a board”.
  ///   - command: the command whose `list` shows numbers.
  /// - Returns: what was written, the number, the catalogue and the project.
  /// - Throws: `UsageError` for words it does not know and for what is no number, and why there is no project.
  static func numbered(
    _ words: [String],
    _ options: Set<String>,
    switches: Set<String> = [],
    word: String,
    of thing: String,
    _ command: String
  ) throws -> (arguments: Arguments, number: Int64, catalog: Catalog, project: Project) {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: options.union(["data", "project"]),
        switches: switches,
        positional: 1...1,
        word: word
      )
    )
    guard let number = Int64(arguments.positional[0]) else {
      throw UsageError("\(word) is \(thing)'s number; footfall \(command) list shows them.")
    }
    let catalog = try open(arguments)
    return (arguments, number, catalog, try project(arguments, in: catalog))
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

  /// The text of a file, or of standard input for `-`; of a longer one, a byte more than is allowed.
  static func read(_ path: String, maxBytes: Int) throws -> String {
    let file: FileHandle
    if path == "-" {
      file = .standardInput
    } else {
      guard let opened = FileHandle(forReadingAtPath: path) else {
        throw UsageError("The file \(path) cannot be read.")
      }
      file = opened
    }
    let data = try file.read(upToCount: maxBytes + 1) ?? Data()
    guard let text = String(data: data, encoding: .utf8) else {
      throw UsageError("\(path) is not text in UTF-8.")
    }
    return text
  }

  /// The role that `--role` names.
  static func role(_ arguments: Arguments, default role: Role) throws(UsageError) -> Role {
    let name = try arguments.choice(
      "role",
      of: Role.allCases.map(\.rawValue),
      default: role.rawValue
    )
    return Role(rawValue: name) ?? role
  }

  /// The address that signs a user in once, at the server as people reach it.
  static func signInAddress(
    user: String,
    at site: String,
    in catalog: Catalog
  ) throws -> String {
    "\(site)/sign-in/\(try catalog.createSignInLink(user: user, by: .commandLine))"
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
      Usage: footfall project create NAME [--time-zone ZONE] [--pinpoint] [--data DIR]
             footfall project list [--data DIR]
             footfall project set NAME [--name NAME] [--time-zone ZONE] [--week mon|tue|...|sun]
                                       [--currency CODE|none] [--rates "EUR 1.10, GBP 1.27"|none]
                                       [--revenue amount|price] [--data DIR]
             footfall project config NAME [show | set FILE | clear] [--data DIR]
             footfall project pinpoint NAME [--app-id ID] [--region REGION] [--data DIR]
             footfall project rules NAME [--keep DAYS|forever] [--keep-name NAME=DAYS|NAME=default]
                                         [--quota EVENTS|none] [--data DIR]

      A project is an app, or a family of apps, whose events belong together. Its days are counted in
      its time zone, an IANA name such as Europe/Berlin (default UTC). A new project gets a key. set changes
      its name and how its numbers are reckoned unless a question says otherwise: where days and weeks
      begin, the currency revenue is told in, and whether a purchase comes to price times quantity or to
      the price alone, as AWS's own report had it; without an option it shows them. config
      shows or changes the settings that its apps get when they ask for their configuration: a JSON
      object of up to 64 KiB (- reads it from standard input). pinpoint shows the project's Pinpoint
      application, which it gets now if it has none: a new one, or with --app-id the one that its apps
      name already; it also prints the awsconfiguration.json of the AWS SDK for iOS, for a region of your
      choice (default us-east-1). create --pinpoint does the same for a new project and makes an AWS key.
      list prints number, name, time zone, whether any key works, and applications. rules shows or changes
      how long its events are kept, events of one name for another time, and how many a day (UTC) it may
      send; older events are removed for good. After the clock leaps ahead by more than two days, as it does
      over a long stop, that waits until a server has seen the new time for a day. Everything works while
      the server runs.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try ProjectCommand.create($0, terminal) },
        "list": { try ProjectCommand.list($0, terminal) },
        "set": { try ProjectSettingCommand.run($0, terminal) },
        "config": { try RemoteSettingsCommand.run($0, terminal) },
        "pinpoint": { try ProjectCommand.pinpoint($0, terminal) },
        "rules": { try ProjectRulesCommand.run($0, terminal) },
      ]
    )
  }

  /// `footfall key`: makes, adopts, lists and revokes keys.
  static let key = Command(
    name: "key",
    summary: "Create, adopt, list, replace and revoke keys",
    usage: """
      Usage: footfall key create [--kind ingest|secret] [--role viewer|editor|owner] [--test]
                                 [--label TEXT] [--project P] [--data DIR]
             footfall key add VALUE --kind amplitude|simpledatalogs|phase [--test] [--label TEXT] …
             footfall key add [ID --secret-file FILE] --kind aws [--allow ACTIONS] [--resource RESOURCES] …
             footfall key list [--project P] [--data DIR]
             footfall key rotate NUMBER [--overlap HOURS] [--project P] [--data DIR]
             footfall key revoke NUMBER [--project P] [--data DIR]

      create makes a key: “ingest” for apps (it can only send), “secret” for reading and administering
      (it is shown once and kept as a hash). --role says what a secret key may do: a viewer reads its
      project, an editor (default) also changes it, an owner administers the whole server. What is sent
      with a --test key are test events, which charts leave out. rotate makes a key that takes another's
      place; both work for --overlap hours (default 24). add adopts a key that apps ship already, so that
      they keep their vendor's SDK and change only the address. For AWS clients it makes an access key,
      whose secret is shown once, or takes over the one with that ID, whose secret it reads from FILE (-
      for standard input). Without more the key may do everything in its project; --allow and --resource
      narrow that as AWS's policies do, patterns separated by commas:
      --allow mobiletargeting:PutEvents,mobiletargeting:UpdateEndpoint --resource 'apps/0123*'.
      revoke works within a second. --project takes a
      number or a name, and is not needed while there is one project.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try createKey($0, terminal) },
        "add": { try adoptKey($0, terminal) },
        "list": { try listKeys($0, terminal) },
        "rotate": { try rotateKey($0, terminal) },
        "revoke": { try revokeKey($0, terminal) },
      ]
    )
  }

  private static func createKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "kind", "role", "label"],
        switches: ["test"]
      )
    )
    let kind = try arguments.choice("kind", of: ["ingest", "secret"], default: "ingest")
    let role = try CatalogueCommand.role(arguments, default: .editor)
    guard kind == "secret" || arguments.options["role"] == nil else {
      throw UsageError("--role is for secret keys: add --kind secret.")
    }
    guard kind == "ingest" || !arguments.switches.contains("test") else {
      throw UsageError("--test is for keys that send, not for secret ones.")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let key = try catalog.createKey(
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      kind: kind == "secret" ? .secret : .ingest,
      label: arguments.options["label"] ?? "",
      role: role,
      isTest: arguments.switches.contains("test"),
      by: .commandLine
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
        options: ["data", "project", "kind", "label", "secret-file", "allow", "resource"],
        switches: ["test"],
        positional: 0...1,
        word: "VALUE"
      )
    )
    let adopted = KeyKind.allCases.filter { $0.isAdopted || $0 == .aws }
    let name = try arguments.choice("kind", of: adopted.map(\.rawValue), default: "")
    guard let kind = KeyKind(rawValue: name) else {
      throw UsageError("--kind is needed: \(adopted.map(\.rawValue).joined(separator: ", ")).")
    }
    if kind == .aws { return try AWSKeyCommand.add(arguments, terminal) }
    for option in ["secret-file", "allow", "resource"] where arguments.options[option] != nil {
      throw UsageError("--\(option) is for keys of kind aws.")
    }
    guard let value = arguments.positional.first else { throw UsageError("VALUE is missing.") }
    let catalog = try CatalogueCommand.open(arguments)
    let key = try catalog.adoptKey(
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      kind: kind,
      value: value,
      label: arguments.options["label"] ?? "",
      isTest: arguments.switches.contains("test"),
      by: .commandLine
    )
    terminal.out("Key \(key.id) (\(key.hint)) is adopted.")
  }

  private static func listKeys(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let rights = try catalog.awsRights(project: project.id)
    for key in try catalog.keys(project: project.id) {
      let state =
        key.revokedAtMs.map { "revoked \(CatalogueCommand.day($0))" }
        ?? key.endsAtMs.map { "until \(CatalogueCommand.day($0))" } ?? "working"
      let kind =
        key.kind.rawValue + (key.role.map { " (\($0.rawValue))" } ?? "")
        + (key.isTest ? " (test)" : "")
      terminal.out(
        "\(key.id)\t\(kind)\t\(key.value ?? key.hint)\t\(state)\t"
          + EventLine.printable(key.label)
          + (rights[key.id].map(AWSKeyCommand.text) ?? "")
      )
    }
  }

  private static func keyNumber(_ arguments: Arguments) throws(UsageError) -> Int64 {
    guard let number = Int64(arguments.positional[0]) else {
      throw UsageError(
        "It takes a key's number, the first column of “footfall key list”, not “\(arguments.positional[0])”."
      )
    }
    return number
  }

  private static func rotateKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "overlap"],
        positional: 1...1,
        word: "NUMBER"
      )
    )
    let hours = try arguments.integer("overlap", in: 0...9_600, default: 24)
    let number = try keyNumber(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    let made = try catalog.rotateKey(
      number,
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      overlap: .seconds(hours * 3_600),
      by: .commandLine
    )
    terminal.out(made.plaintext)
    terminal.error("Key \(number) works for \(hours) more hours; key \(made.key.id) from now on.")
  }

  private static func revokeKey(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project"], positional: 1...1, word: "NUMBER")
    )
    let number = try keyNumber(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    let before = try catalog.revokeKey(
      number,
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      by: .commandLine
    )
    terminal.out(
      before.map {
        "Key \(number) was revoked already, on \(CatalogueCommand.day($0)): nothing was changed."
      } ?? "Key \(number) is refused from now on."
    )
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
    let site = try SiteAddress.of(arguments)
    guard let user = try arguments.options["user"] ?? catalog.users().first?.name else {
      throw UsageError("Nobody may sign in yet: start the server once, it makes the owner.")
    }
    terminal.out(try CatalogueCommand.signInAddress(user: user, at: site, in: catalog))
  }
}
