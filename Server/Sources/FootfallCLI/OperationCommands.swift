import Catalog
import EventStore
import Foundation
import ServerApp

extension Command {
  /// `footfall doctor`: whether a data folder is well.
  static let doctor = Command(
    name: "doctor",
    summary: "Look a data folder over, load again what was set aside",
    usage: """
      Usage: footfall doctor [--deep] [--data DIR] [--share DIR] [--country-db FILE]
             footfall doctor --replay [--data DIR]

      Looks at the data folder, its permissions, the clock, the disk and how long it will do, the catalogue,
      the records that were set aside, the ingest log and the store, and prints a line about each; problems
      are marked with an exclamation mark and make it end with status 1. It changes nothing. A running
      server holds its log and store: its System page tells of them. --country-db names the file of places
      that the server is given, to see whether it can be read and how old it is.

      Opening the store shows only damage of what says where the rest lies, and of the log only the last
      segment is read. --deep reads both through, every value of every table and every record, and says what
      is damaged, where, and what to do; as with the rest, nothing is changed. It takes as long as reading the
      files does. The server must not run; of one that must, look over a copy (backup, restore).

      --replay hands the records that the store refused to the ingest log again, after an update of the
      program for example; the server must not run, and loads them with its next start. The System page
      does the same while it runs. What the store has already is left out.
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "share", "country-db"],
        switches: ["deep", "replay"]
      )
    )
    let isDeep = arguments.switches.contains("deep")
    guard !isDeep || !arguments.switches.contains("replay") else {
      throw UsageError("--deep looks and --replay changes; give one of them.")
    }
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
    let findings = isDeep ? examineDeeply(doctor, terminal) : doctor.examine()
    let width = findings.map(\.name.count).max() ?? 0
    for finding in findings {
      let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
      terminal.out("\(finding.isProblem ? "!" : " ") \(name)  \(finding.detail)")
    }
    let problems = findings.count(where: \.isProblem)
    guard problems == 0 else { throw ProblemsFound(count: problems) }
  }

  /// Looks at everything, and tells every tenth of what is read.
  private static func examineDeeply(_ doctor: Doctor, _ terminal: Terminal) -> [Finding] {
    var shown = ""
    return doctor.examineDeeply { what, fraction in
      let line = "Reading \(what), \(Int(fraction * 10) * 10) % …"
      guard line != shown else { return }
      shown = line
      terminal.error(line)
    }
  }

  /// `footfall backup`: a whole copy of a data folder.
  static let backup = Command(
    name: "backup",
    summary: "Copy a data folder, with a list to check the copy by",
    usage: """
      Usage: footfall backup FOLDER [--data DIR]
             footfall backup --verify FOLDER

      Copies the data folder into a new folder, with a list of all files and their SHA-256, and of what
      had been erased. A server that runs is asked and does it: it goes on taking events, and loads none
      while its store is copied; its process must be able to write the folder, which cannot lie in the
      data folder, but for its own backups/. --verify checks such a copy. The file master.key, under which AWS secrets are encrypted, is not copied: keep it elsewhere.
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
      : try backUp(CatalogueCommand.folder(arguments), to: path, arguments, terminal)
    let bytes = manifest.files.reduce(0) { $0 + $1.bytes }
    terminal.out(
      "\(Counted.text(manifest.files.count, "file")), \(Counted.text(bytes, "byte")): "
        + (isCheck ? "all as they were copied." : "copied to \(path).")
    )
  }

  private static func backUp(
    _ folder: DataFolder,
    to path: String,
    _ arguments: Arguments,
    _ terminal: Terminal
  ) throws -> Backup.Manifest {
    try Backup.checkPlace(path)
    do {
      return try Backup.make(of: folder, at: path) { terminal.error($0.file) }
    } catch let error as StartError {
      guard case .held(_, let pid) = error else { throw error }
      let server = try RunningServer(arguments, process: pid)
      let target = URL(fileURLWithPath: path).standardizedFileURL.path
      _ = try server.perform(
        .backup(folder: target),
        project: nil,
        unfinished: "\(target) is no whole backup. The server makes it anew when it starts again; "
          + "“footfall backup --verify \(target)” then says whether it is whole.",
        terminal
      )
      return try Backup.verify(target)
    }
  }

  /// `footfall restore`: a data folder from a backup.
  static let restore = Command(
    name: "restore",
    summary: "Make a data folder from a backup",
    usage: """
      Usage: footfall restore FOLDER [--erased OTHER] [--data DIR] [--share DIR]

      Checks a backup and makes a new data folder from it, which must not exist or be empty. Put master.key
      beside it where AWS clients are used. Then start the server as usual.

      A backup knows what had been erased when it was made, not what was erased later: that is in the
      restored folder again, unless --erased says what it was.

        --erased OTHER      a later backup, or the data folder itself where there still is one: what it
                            knows to have been erased is erased from the restored folder too, at once, or
                            by the server's start before it answers anybody. What was erased after that
                            list was made, and is in no list that is left, has to be erased again.
        --data DIR          the data folder to make (default ./data)
        --share DIR         the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "erased", "share"],
        positional: 1...1,
        word: "FOLDER"
      )
    )
    let settings = try Serving.settings(arguments)
    let folder = settings.data
    let other = arguments.options["erased"]
    let erased = try other.map { try Backup.erasures(at: $0) } ?? []
    let manifest = try Backup.restore(arguments.positional[0], to: folder, erased: erased) {
      terminal.error($0)
    }
    let made = Date(timeIntervalSince1970: Double(manifest.madeAtMs) / 1_000).formatted(.iso8601)
    terminal.out(
      "\(folder.path) is what it was at \(made): \(Counted.text(manifest.files.count, "file"))."
    )
    try eraseAgain(settings, terminal)
    terminal.out(
      other.map {
        "What was erased after the list in \($0) was made is in it: if anything was, erase it again."
      }
        ?? "What was erased after \(made) is in it again, for the backup cannot know of it: if anything was, "
        + "restore anew with --erased and a later backup or the old data folder, or erase it again."
    )
  }

  /// Erases from a restored folder what its list has and it had not erased yet.
  private static func eraseAgain(_ settings: ServerSettings, _ terminal: Terminal) throws {
    let open = try Catalog(path: settings.data.catalogue).erasures().count { $0.doneAtMs == nil }
    guard open > 0 else { return }
    let what = "\(Counted.text(open, "erasure")) that the backup had not seen done"
    do {
      try StoppedServer(settings).close()
      terminal.out("\(what): done in it now.")
    } catch {
      terminal.out(
        "\(what): done by the server's start before it answers anybody, and by commands that read events."
      )
      terminal.error("They could not be done now: \(error)")
    }
  }
}

/// What `footfall doctor` fails with.
struct ProblemsFound: Error, CustomStringConvertible {
  let count: Int

  var description: String {
    count == 1 ? "One line above is a problem." : "\(count) lines above are problems."
  }
}
