import ServerApp

extension Command {
  /// `footfall serve`: the server until a signal ends it.
  static let serve = Command(
    name: "serve",
    summary: "Run the server",
    usage: """
      Usage: footfall serve [options]

      Runs the server: it receives events, keeps them and shows them. The first start makes a project,
      a key for its apps and a one-time address for the dashboard. Ctrl-C, SIGTERM or the end of its
      terminal (SIGHUP, unless started by nohup) stops it gracefully: what was answered with 202 is on disk.

      \(Serving.usage(folder: "data"))
      """,
    runsOn: true
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: Serving.options, switches: Serving.switches)
    )
    let settings = try Serving.settings(arguments)
    let log = try Serving.log(arguments, terminal)
    let stop = StopSignal()
    let server = try Server(settings, accessLog: log.accessLog, problemLog: { log.warn($0) })
    try server.start()
    Serving.announce(server, settings, log: log, terminal: terminal)
    stop.wait()
    terminal.out("Stopping: finishing what was received …")
    server.stop()
    terminal.out("Stopped.")
  }
}
