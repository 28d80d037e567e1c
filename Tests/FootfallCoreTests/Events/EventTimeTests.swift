import FootfallCore
import Testing

@Suite struct `Event times` {
  static let now: Int64 = 1_764_581_400_000
  static let limit: Int64 = 3_650 * 86_400 * 1_000

  @Test(arguments: [
    (now - 60_000, EventTime.at(now - 60_000)), (now - limit, .at(now - limit)),
    (now - limit - 1, .tooOld), (now, .at(now)), (now + 3_600_000, .at(now)), (-.max, .tooOld),
  ])
  func `the past is kept up to 3,650 days and the future is now`(
    requested: Int64,
    expected: EventTime
  ) {
    #expect(EventTime(requested: requested, now: Self.now, limits: EventLimits()) == expected)
  }
}
