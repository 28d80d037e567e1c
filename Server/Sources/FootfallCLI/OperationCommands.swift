import Foundation
import ServerApp

extension Command {
  /// `footfall doctor`: whether a data folder is well.
  static let doctor = Command(
    name: "doctor",
    summary: "Look a data folder over, load again what was set aside",
    usage: """
      Usage: footfall doctor [--replay] [--data DIR] [--share DIR]

      Looks at the data folder, its permissions, the clock, the disk and how long it will do, the catalogue,
      the records that were set aside, the ingest log and the store, and prints a line about each; problems
      are marked with an exclamation mark and make it end with status 1. It changes nothing. A running
      server holds its log and store: its System page tells of them.

      --replay hands the records that the store refused to the ingest log again, after an update of the
      program for example; the server must not run, and loads them with its next start. The System page
      does the same while it runs. What the store has already is left out.
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "share"], switches: ["replay"])
    )
    let doctor = Doctor(try Serving.settings(arguments))
    if arguments.switches.contains("replay") {
      let count = try doctor.replay()
      terminal.out(
        count == 0
          ? "Nothing was set aside."
          : "\(count) record\(count == 1 ? "" : "s") handed to the ingest log; the next start loads them."
      )
      return
    }
    let findings = doctor.examine()
    let width = findings.map(\.name.count).max() ?? 0
    for finding in findings {
      let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
      terminal.out("\(finding.isProblem ? "!" : " ") \(name)  \(finding.detail)")
    }
    let problems = findings.count(where: \.isProblem)
    guard problems == 0 else { throw ProblemsFound(count: problems) }
  }

  /// `footfall backup`: a whole copy of a data folder.
  static let backup = Command(
    name: "backup",
    summary: "Copy a data folder, with a list to check the copy by",
    usage: """
      Usage: footfall backup FOLDER [--data DIR]
             footfall backup --verify FOLDER

      Copies the data folder of a server that does not run into a new folder, with a list of all files and
      their SHA-256. --verify checks such a copy. The file master.key, under which AWS secrets are
      encrypted, is not copied: keep it elsewhere. With a file system that takes snapshots, a snapshot of
      the whole data folder is a good backup, too, also while the server runs.
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data"],
        switches: ["verify"],
        positional: 1...1,
        word: "FOLDER"
      )
    )
    let path = arguments.positional[0]
    let isCheck = arguments.switches.contains("verify")
    let manifest =
      isCheck
      ? try Backup.verify(path) { terminal.error($0) }
      : try Backup.make(of: CatalogueCommand.folder(arguments), at: path) { terminal.error($0) }
    let bytes = manifest.files.reduce(0) { $0 + $1.bytes }
    terminal.out(
      "\(manifest.files.count) files, \(bytes) bytes: "
        + (isCheck ? "all as they were copied." : "copied to \(path).")
    )
  }

  /// `footfall restore`: a data folder from a backup.
  static let restore = Command(
    name: "restore",
    summary: "Make a data folder from a backup",
    usage: """
      Usage: footfall restore FOLDER [--data DIR]

      Checks a backup and makes a new data folder from it, which must not exist or be empty. Put master.key
      beside it where AWS clients are used. Then start the server as usual.
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data"], positional: 1...1, word: "FOLDER")
    )
    let folder = CatalogueCommand.folder(arguments)
    let manifest = try Backup.restore(arguments.positional[0], to: folder) { terminal.error($0) }
    let made = Date(timeIntervalSince1970: Double(manifest.madeAtMs) / 1_000).formatted(.iso8601)
    terminal.out("\(folder.path) is what it was at \(made): \(manifest.files.count) files.")
  }
}

/// What `footfall doctor` fails with.
struct ProblemsFound: Error, CustomStringConvertible {
  let count: Int

  var description: String {
    count == 1 ? "One line above is a problem." : "\(count) lines above are problems."
  }
}
