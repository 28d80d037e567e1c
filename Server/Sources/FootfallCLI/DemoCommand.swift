import Foundation
import ServerApp

extension Command {
  /// `footfall demo`: the server together with a sample app that uses the real SDK.
  static let demo = Command(
    name: "demo",
    summary: "Run the server with a sample app that sends events",
    usage: """
      Usage: footfall demo [options]

      Runs the server and, beside it, footfall-sample: an app that uses the SDK like any other. It plays
      90 days of about 200 people, then goes on live until you press Ctrl-C. Its events go to a project
      of their own, “Demo”; a second start does not repeat the history.

      \(Serving.usage(folder: Demo.folder))
        --sample FILE       the sample program (default: footfall-sample near this program)
        --people N          how many people (default 200)
        --days N            how many days of history (default 90)
      """,
    runsOn: true
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: Serving.options.union(["sample", "people", "days"]),
        switches: Serving.switches
      )
    )
    let people = try arguments.integer("people", in: 1...10_000, default: 200)
    let days = try arguments.integer("days", in: 0...3_650, default: 90)
    var settings = try Serving.settings(arguments, folder: Demo.folder)
    settings.firstProject = Demo.project
    let program = try Demo.program(named: arguments.options["sample"])

    let stop = StopSignal()
    let log = try Serving.log(arguments, terminal)
    let server = try Server(settings, accessLog: log.accessLog, problemLog: { log.warn($0) })
    try server.start()
    Serving.announce(server, settings, log: log, terminal: terminal)
    let sample = Process()
    sample.executableURL = URL(fileURLWithPath: program)
    sample.arguments = [
      "--endpoint", server.localAddress, "--key", try server.key(ofProject: Demo.project),
      "--people", "\(people)", "--days", "\(days)", "--data", settings.data.path + "/sample",
    ]
    sample.terminationHandler = { process in
      guard process.terminationStatus != 0, process.terminationReason == .exit else { return }
      terminal.error(
        "Warning: the sample app ended with status \(process.terminationStatus); the server goes on."
      )
    }
    try sample.run()
    stop.wait()
    terminal.out("Stopping: finishing what was received …")
    if sample.isRunning { sample.terminate() }
    sample.waitUntilExit()
    server.stop()
    terminal.out("Stopped.")
  }
}

/// What the demo is made of.
enum Demo {
  /// The project that the sample app sends to.
  static let project = "Demo"
  /// Where it keeps its data unless told otherwise: not where a real server would.
  static let folder = "demo-data"

  /// Finds the sample program: the named file, or the first `footfall-sample` near this program.
  static func program(named name: String?) throws(UsageError) -> String {
    let files = FileManager.default
    if let name {
      guard files.isExecutableFile(atPath: name) else {
        throw UsageError("--sample: there is no program at \(name).")
      }
      return name
    }
    guard let found = candidates(beside: Serving.executable).first(where: files.isExecutableFile)
    else {
      throw UsageError(
        "The sample app was not found beside \(Serving.executable). Build it with "
          + "“swift build --product footfall-sample” in the repository's root, or name it with --sample."
      )
    }
    return found
  }

  /// Installed, the two lie side by side; in a checkout each package has its build folder.
  static func candidates(beside executable: String) -> [String] {
    let folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let configuration = folder.lastPathComponent
    var found = [folder.appendingPathComponent("footfall-sample").path]
    var above = folder
    while above.path != "/" {
      above.deleteLastPathComponent()
      found.append(above.appendingPathComponent(".build/\(configuration)/footfall-sample").path)
    }
    return found
  }
}
