import Foundation
import ServerApp

/// The `footfall` program: server and command line in one binary.
@main
enum Footfall {
  static func main() {
    StandardFiles.open()
    let words = Array(CommandLine.arguments.dropFirst())
    let runsOn = commands.contains { $0.runsOn && $0.name == words.first }
    exit(run(words, terminal: runsOn ? .unattended : .standard))
  }

  /// Runs one command line.
  ///
  /// - Returns: The exit status: 0 done, 1 it failed, 2 it was called wrongly.
  static func run(_ words: [String], terminal: Terminal) -> Int32 {
    guard let first = words.first else {
      terminal.error(help)
      return 2
    }
    switch first {
    case "--version", "version":
      terminal.out(Versions.summary)
      return 0
    case "--help", "-h", "help":
      return explain(words.dropFirst().first, terminal: terminal)
    default:
      return dispatch(first, Array(words.dropFirst()), terminal: terminal)
    }
  }

  private static func explain(_ name: String?, terminal: Terminal) -> Int32 {
    guard let name else {
      terminal.out(help)
      return 0
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      return unknown(name, terminal: terminal)
    }
    terminal.out(command.usage)
    return 0
  }

  private static func dispatch(_ name: String, _ words: [String], terminal: Terminal) -> Int32 {
    guard let command = commands.first(where: { $0.name == name }) else {
      return unknown(name, terminal: terminal)
    }
    guard !words.contains("--help"), !words.contains("-h") else {
      terminal.out(command.usage)
      return 0
    }
    // What a data folder holds is for its owner alone, whoever makes the file: the store's library, too.
    umask(0o077)
    do {
      try command.run(words, terminal)
      return 0
    } catch let error as UsageError {
      terminal.error(
        "footfall \(name): \(EventLine.printable(lines: "\(error)"))\n\n\(command.usage)"
      )
      return 2
    } catch {
      terminal.error("footfall: \(EventLine.printable(lines: "\(error)"))")
      return 1
    }
  }

  private static func unknown(_ name: String, terminal: Terminal) -> Int32 {
    terminal.error("footfall: “\(name)” is not a command.\n\n\(help)")
    return 2
  }

  static let commands: [Command] = [
    .serve, .demo, .project, .key, .user, .session, .signIn, .audit, .stream, .events, .people,
    .segment, .query, .sql, .erase, .job, .board, .alert, .catalogue, .readKey,
    .export, .importing, .doctor, .backup, .restore,
  ]

  private static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      "  " + command.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
        + command.summary
    }
    return """
      Footfall: product analytics that a team owns.

      Usage: footfall COMMAND [options]

      \(lines.joined(separator: "\n"))

      footfall help COMMAND explains one; footfall --version prints the versions.
      """
  }
}

/// One command of the program.
struct Command: Sendable {
  /// The word that calls it.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The whole explanation.
  let usage: String
  /// Whether it goes on when nobody reads what it prints.
  var runsOn = false
  /// Does it; throws `UsageError` for wrong words and any other error for a failure.
  let run: @Sendable ([String], Terminal) throws -> Void
}

/// Where a command prints.
struct Terminal: Sendable {
  /// Prints a line of the result.
  let out: @Sendable (String) -> Void
  /// Prints a line for the person.
  let error: @Sendable (String) -> Void

  /// Standard output and standard error, each line written at once; ends the program when nobody
  /// reads it, as in `footfall events | head`.
  static let standard = writing { exit(1) }

  /// The same for what runs on when its reader went away: a server outlives its log.
  static let unattended = writing {}

  private static func writing(orElse fail: @escaping @Sendable () -> Void) -> Terminal {
    @Sendable func write(_ line: String, to file: FileHandle) {
      do { try file.write(contentsOf: Data((line + "\n").utf8)) } catch { fail() }
    }
    return Terminal(
      out: { write($0, to: .standardOutput) },
      error: { write($0, to: .standardError) }
    )
  }
}
