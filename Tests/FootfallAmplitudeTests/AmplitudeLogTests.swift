import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: logging` {
  /// How many lines come to the console when one of each of Amplitude's levels is said.
  private func count(_ level: LogLevelEnum) -> Int {
    let lines = Lock<[LogLine]>([])
    let log = ConsoleLogger(sink: { line in lines.withLock { $0.append(line) } })
    log.logLevel = level.rawValue
    log.error(message: "e")
    log.warn(message: "w")
    log.log(message: "l")
    log.debug(message: "d")
    return lines.withLock { $0.count }
  }

  @Test(
    "AMP-L8, AMP-L11: the console says as much as its level allows",
    arguments: [
      (.off, 0), (.error, 1), (.warn, 2), (.log, 3), (.debug, 4),
    ] as [(LogLevelEnum, Int)]
  )
  func levels(level: LogLevelEnum, lines: Int) {
    #expect(count(level) == lines)
  }

  @Test func `every level of a line is one of Amplitude's`() {
    #expect(
      FootfallPlatform.LogLevel.allCases.map { LogLevelEnum($0) }
        == [.debug, .debug, .log, .log, .warn, .error, .error]
    )
    #expect(LogLevelEnum.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test func `AMP-L9: a log of the app's own is told the level`() {
    let own = OwnLog()
    let app = AmplitudeApp(level: .error, log: own)
    #expect(own.logLevel == 1)
    withExtendedLifetime(app) {}
  }

  @Test func `AMP-L10: by default warnings are shown, and flushes are not`() async throws {
    let app = AmplitudeApp()
    app.amplitude.revenue(revenue: FootfallAmplitude.Revenue())
    app.client.track("a")
    _ = try await app.sent()
    #expect(app.lines.contains("Invalid revenue object, missing required fields"))
    #expect(!app.lines.contains { $0.contains("Start flushing") })
  }

  /// What the console says of three events that are sent, with the server's answer.
  private func lines(_ level: LogLevelEnum, answer status: Int) async -> [String] {
    let app = AmplitudeApp(level: level)
    await app.client.settle()
    app.script.then(.status(status))
    for name in ["a", "b", "c"] as [EventName] { app.client.track(name) }
    await app.client.flush()
    await app.client.settle()
    return app.lines
  }

  @Test func `AMP-L12: a flush is a log line, a request's result a detail, its failure an error`()
    async
  {
    let start = "Start flushing 3 events"
    #expect(await lines(.log, answer: 200) == [start])
    let all = await lines(.debug, answer: 200)
    #expect(all.first == start && all.count == 2)
    #expect(all.last?.contains("answered 200") == true)
    let failed = await lines(.error, answer: 500)
    #expect(failed.count == 1 && failed.first?.contains("500") == true)
  }

  @Test func `AMP-L15: a log of the app's own gets every line, whatever its level`() async throws {
    let own = OwnLog()
    let app = AmplitudeApp(level: .error, log: own)
    app.script.then(.status(500))
    app.client.track("a")
    app.amplitude.revenue(revenue: FootfallAmplitude.Revenue())
    _ = try await app.sent()
    let lines = own.lines
    #expect(lines.contains { $0.hasPrefix("error: ") && $0.contains("500") })
    #expect(lines.contains("warn: Invalid revenue object, missing required fields"))
    #expect(lines.contains("log: Start flushing 1 events"))
    #expect(lines.contains { $0.hasPrefix("debug: ") && $0.contains("answered 500") })
  }

  @Test func `a log of the app's own gets equal lines as often as they are said`() async throws {
    let own = OwnLog()
    let app = AmplitudeApp(log: own)
    for _ in 0..<3 { app.amplitude.revenue(revenue: FootfallAmplitude.Revenue()) }
    _ = try await app.sent()
    #expect(own.lines.count { $0.hasPrefix("warn: Invalid revenue") } == 3)
  }
}

/// A log of an app that prints everything.
private final class OwnLog: FootfallAmplitude.Logger, Sendable {
  typealias LogLevel = LogLevelEnum
  private let state = Lock<(level: Int, lines: [String])>((0, []))

  var logLevel: Int {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  var lines: [String] { state.withLock { $0.lines } }

  private func add(_ line: String) { state.withLock { $0.lines.append(line) } }

  func error(message: String) { add("error: \(message)") }
  func warn(message: String) { add("warn: \(message)") }
  func log(message: String) { add("log: \(message)") }
  func debug(message: String) { add("debug: \(message)") }
}
