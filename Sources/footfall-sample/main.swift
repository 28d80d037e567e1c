import Foundation

// The demo's app; what it plays is decided in Plan/, this file only starts and ends it.

let console: Console
let options: Options
do throws(Options.Mistake) {
  switch try Options.parse(Array(CommandLine.arguments.dropFirst())) {
  case .help:
    print(Options.help)
    exit(0)
  case .run(let asked):
    options = asked
    console = Console(isQuiet: asked.isQuiet)
  }
} catch {
  Console(isQuiet: false).problem("\(error)")
  exit(2)
}

let app = SampleApp(options: options, console: console)
let playing = Task {
  do {
    return try await app.run()
  } catch {
    console.problem("\(error)")
    return 1 as Int32
  }
}

let signals = TerminationSignals { isFirst in
  // A first signal ends the demo after everything is sent, a second one at once.
  if isFirst { playing.cancel() } else { exit(1) }
}

let status = await playing.value
withExtendedLifetime(signals) {}
exit(status)
