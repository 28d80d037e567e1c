import Catalog
import Foundation

/// `footfall key add --kind aws`: makes an access key, or takes one over.
enum AWSKeyCommand {
  static func add(_ arguments: Arguments, _ terminal: Terminal) throws {
    func list(_ name: String) -> [String] {
      (arguments.options[name] ?? "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    let rights = AWSRights(actions: list("allow"), resources: list("resource"))
    let label = arguments.options["label"] ?? ""
    let file = arguments.options["secret-file"]
    guard let id = arguments.positional.first else {
      guard file == nil else { throw UsageError("--secret-file needs the ID of its key.") }
      let catalog = try CatalogueCommand.open(arguments)
      let key = try catalog.createAWSKey(
        project: try CatalogueCommand.project(arguments, in: catalog).id,
        label: label,
        rights: rights,
        by: .commandLine
      )
      return show(key, terminal)
    }
    guard let file else {
      throw UsageError(
        "--secret-file is needed, and - reads standard input: a secret on the command line would be "
          + "seen by everyone on this machine."
      )
    }
    let secret = try CatalogueCommand.read(file, maxBytes: 1_024)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let catalog = try CatalogueCommand.open(arguments)
    let key = try catalog.adoptAWSKey(
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      id: id,
      secret: secret,
      label: label,
      rights: rights,
      by: .commandLine
    )
    terminal.out("Key \(key.id) (\(key.hint)) is adopted.")
  }

  /// Prints a new key as AWS's tools keep theirs.
  static func show(_ key: CreatedKey, _ terminal: Terminal) {
    terminal.out("aws_access_key_id = \(key.key.value ?? "")")
    terminal.out("aws_secret_access_key = \(key.plaintext)")
    terminal.error("The secret is shown once; keep it out of repositories.")
  }

  /// Rights as a column of a list; empty for a key that may do everything.
  static func text(_ rights: AWSRights) -> String {
    guard rights != .all else { return "" }
    func text(_ patterns: [String]) -> String {
      patterns.isEmpty ? "*" : patterns.joined(separator: ",")
    }
    return "\t\(text(rights.actions)) on \(text(rights.resources))"
  }
}
