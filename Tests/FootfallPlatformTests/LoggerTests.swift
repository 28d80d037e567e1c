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
}
