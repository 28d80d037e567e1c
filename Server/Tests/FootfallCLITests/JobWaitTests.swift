import FootfallSystem
import Testing

@testable import FootfallCLI

/// What is seen at a second, and what comes of it.
private struct Look {
  var second: Double
  var process: Bool?
  var pulse: Int64?
  var verdict: JobWait.Verdict = .wait
}

@Suite struct `Waiting for a job` {
  private func check(_ looks: [Look], _ location: SourceLocation = #_sourceLocation) {
    var wait = JobWait()
    let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    for look in looks {
      let verdict = wait.look(
        isProcessThere: look.process,
        pulse: look.pulse,
        at: start.advanced(bySeconds: look.second)
      )
      #expect(verdict == look.verdict, "at \(look.second) s", sourceLocation: location)
    }
  }

  @Test func `goes on while the server beats, whether its process is seen or not`() {
    for process in [true, false, nil] {
      check((0..<100).map { Look(second: Double($0) * 4, process: process, pulse: Int64($0)) })
    }
  }

  @Test func `ends five seconds after the last beat of a process that is gone`() {
    check([
      Look(second: 0, process: true, pulse: 1), Look(second: 2, process: false, pulse: 2),
      Look(second: 6.9, process: false, pulse: 2),
      Look(second: 7, process: false, pulse: 2, verdict: .ended),
    ])
  }

  @Test func `ends when there is neither a process nor a beat`() {
    check([
      Look(second: 0, process: false), Look(second: 4.9, process: false),
      Look(second: 5, process: false, verdict: .ended),
    ])
  }

  @Test func `goes on when another process takes over in time`() {
    check([
      Look(second: 0, process: false, pulse: 1), Look(second: 4, process: false, pulse: 2),
      Look(second: 8, process: false, pulse: 3),
    ])
  }

  @Test func `ends after a minute of silence of a process that is there, or may be`() {
    for process in [true, nil] {
      check([
        Look(second: 0, process: process, pulse: 1), Look(second: 59, process: process, pulse: 1),
        Look(second: 60, process: process, pulse: 1, verdict: .silent(seconds: 60)),
      ])
    }
  }

  @Test func `goes on with a server that never beats as long as its process is not gone`() {
    for process in [true, nil] {
      check([Look(second: 0, process: process), Look(second: 3_600, process: process)])
    }
  }

  @Test func `takes a clock that was set back for a beat like any other`() {
    check([
      Look(second: 0, process: nil, pulse: 100), Look(second: 59, process: nil, pulse: 50),
      Look(second: 118, process: nil, pulse: 50),
      Look(second: 119, process: nil, pulse: 50, verdict: .silent(seconds: 60)),
    ])
  }
}
