import FootfallCore
import FootfallPlatform
import Testing

@testable import FootfallEngine

@Suite struct `Gathering of events` {
  private let gathering = Gathering(seconds: 0.009)

  @Test func `an event that comes while the thread sleeps waits for others, for as long as may be`()
  {
    for ago in [0, 0.003, 5] {
      #expect(gathering.rest(isSomethingWaiting: false, takenSecondsAgo: ago) == 0.009)
    }
  }

  @Test(
    arguments: [
      (0, 0.009), (0.0005, 0.0085), (0.006, 0.003), (0.009, 0), (0.25, 0), (-1, 0.009),
    ]
  )
  func `an event that came during a step has waited for as long as that took`(
    ago: Double,
    rest: Double
  ) {
    let found = gathering.rest(isSomethingWaiting: true, takenSecondsAgo: ago)
    #expect(abs(found - rest) < 1e-9)
    // Whenever it came after the taking: it waited for `ago` at most, and for `found` at most from here.
    #expect(min(max(0, ago), 0.009) + found <= 0.009 + 1e-9)
  }

  @Test func `nothing gathers where it is not to`() {
    let none = Gathering(seconds: 0)
    #expect(none.rest(isSomethingWaiting: true, takenSecondsAgo: 0) == 0)
    #expect(none.rest(isSomethingWaiting: false, takenSecondsAgo: 0) == 0)
  }
}
