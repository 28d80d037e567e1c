package import FootfallPlatform
import FootfallSystem

/// What is done when a process without an interface ends.
package struct ProcessEndRules: Sendable, Equatable {
  /// Whether what waits in memory is written when `exit` is called or `main` returns.
  ///
  /// Holds the end up by a few milliseconds as a rule, and by 5 s at most.
  package var storesAtExit = true
  /// How long the end may be held up in all to send what is stored, in seconds; 0 to send nothing.
  package var sendsAtExitSeconds = 0.0
  /// Whether SIGTERM and SIGINT count as the end too.
  package var catchesSignals = false

  /// Writes at exit, sends nothing, and leaves signals alone.
  package init() {}

  var ways: ProcessEndWays {
    var ways: ProcessEndWays = []
    if storesAtExit || sendsAtExitSeconds > 0 { ways.insert(.exit) }
    if catchesSignals { ways.insert(.signals) }
    return ways
  }
}

/// Who tells of the process's end, and what is done then.
package struct ProcessEndWatch: Sendable {
  /// Who tells.
  package var source: any ProcessEnd
  /// What is done.
  package var rules: ProcessEndRules

  /// A watch from its parts.
  package init(_ source: any ProcessEnd, _ rules: ProcessEndRules = ProcessEndRules()) {
    self.source = source
    self.rules = rules
  }
}

extension Engine {
  /// Has what waits written before the process ends, also when it ends before the engine's thread has
  /// done anything.
  func watchEnd(_ watch: ProcessEndWatch?) {
    guard let watch, !watch.rules.ways.isEmpty else { return }
    let (ending, clocks) = (
      Ending(inbox: inbox, waits: waits, writeSeconds: Ending.programWriteSeconds), clocks
    )
    let seconds = watch.rules.sendsAtExitSeconds
    let registration = watch.source.register(
      for: watch.rules.ways,
      limitSeconds: max(seconds, Ending.programWriteSeconds)
    ) {
      ending.run(sendSeconds: seconds, at: clocks.moment)
    }
    endRegistration.withLock { $0 = registration }
  }
}
