import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite struct `The library log` {
  let clock = ManualClock()
  let lines = Lock<[LogLine]>([])

  func logger(_ level: LogLevel = .warning) -> Logger {
    Logger(
      level: level,
      sink: { [lines] line in lines.withLock { $0.append(line) } },
      monotonic: { [clock] in clock.monotonic }
    )
  }

  @Test(arguments: LogLevel.allCases)
  func `a line below the level is not even made`(level: LogLevel) {
    let logger = logger(level)
    var made = 0
    func message() -> String {
      made += 1
      return "line \(made)"
    }
    for each in LogLevel.allCases { logger.log(each, message()) }
    let expected = LogLevel.allCases.filter { $0 >= level }
    #expect(lines.withLock { $0.map(\.level) } == expected)
    #expect(made == expected.count)
  }

  @Test func `equal lines come once a minute, with a count of those held back`() {
    let logger = logger()
    for _ in 0..<5 { logger.warning("Upload failed.") }
    clock.advance(bySeconds: 59.9)
    logger.warning("Upload failed.")
    clock.advance(bySeconds: 0.2)
    logger.warning("Upload failed.")
    logger.warning("Another.")
    let texts = lines.withLock { $0.map(\.text) }
    #expect(texts == ["Upload failed.", "Upload failed. (5 more times)", "Another."])
  }

  @Test func `memory of lines is bounded`() {
    var filter = RepeatFilter()
    for number in 0..<1_000 {
      _ = filter.receive("line \(number)", atNanoseconds: UInt64(number))
    }
    let repeats = [999, 0].map { filter.receive("line \($0)", atNanoseconds: 1_000) }
    #expect(repeats == [nil, 0])
  }

  // AMP L8, L11: warn lets errors and warnings through, off nothing, debug all.
  @Test(
    arguments: [
      (LogLevel.warning, [.error, .warning]), (nil, []), (.error, [.error]),
      (.info, [.error, .warning, .info]), (.debug, [.error, .warning, .info, .debug]),
    ] as [(LogLevel?, [LogLevel])]
  )
  func `each level lets through what it names`(level: LogLevel?, expected: [LogLevel]) {
    let logger = Logger(level: level, sink: { [lines] line in lines.withLock { $0.append(line) } })
    logger.error("a")
    logger.warning("b")
    logger.info("c")
    logger.debug("d")
    #expect(lines.withLock { $0.map(\.level) } == expected)
  }

  // AMP L15: the app's logger judges for itself.
  @Test func `a sink that wants everything gets every line, repeats too`() {
    let logger = Logger(
      level: .trace,
      holdsRepeats: false,
      sink: { [lines] line in lines.withLock { $0.append(line) } }
    )
    for _ in 0..<3 { LogLevel.allCases.forEach { logger.log($0, "again") } }
    #expect(lines.withLock { $0.count } == 3 * LogLevel.allCases.count)
    #expect(lines.withLock { $0.allSatisfy { $0.repeats == 0 } })
  }

  @Test(
    arguments: [
      ("debug", .debug), ("ERROR", .error), ("info", .info), ("warn", .warning), ("off", nil),
      ("loud", .notice), ("", .notice), (nil, .notice),
    ] as [(String?, LogLevel?)]
  )
  func `the environment has the last word about the level`(value: String?, level: LogLevel?) {
    #expect(Logger.level(asked: value, otherwise: .notice) == level)
  }

  @Test func `without a word from the environment a logger can be silent`() {
    #expect(Logger.level(asked: nil, otherwise: nil) == nil)
    #expect(Logger.level(asked: "debug", otherwise: nil) == .debug)
  }
}
