import FootfallCore
import Testing

@Suite struct `Activity core` {
  enum Step {
    case front
    case away
    case key
    /// The machine sleeps for so many seconds.
    case sleep(Int64)
    case track(ActivityCore.Stamp?)
    case dated
  }

  static func stamp(_ isActive: Bool, _ engaged: Int64) -> Step {
    var core = ActivityCore(inputMilliseconds: nil)
    let start = Moment(wallMilliseconds: 0, steadyMilliseconds: 0, awakeMilliseconds: 0)
    core.receive(.presence(.active), at: start)
    var end = start
    end.awakeMilliseconds = engaged
    if !isActive { core.receive(.presence(.background), at: end) }
    return .track(core.stamp(at: end))
  }

  @Test func `SDL 53: the worked timeline`() {
    // Seconds since 09:00:00, and what happens then.
    let timeline: [(Int64, Step)] = [
      (0, .front), (4, Self.stamp(true, 4_000)), (9, Self.stamp(true, 5_000)), (10, .away),
      (60, Self.stamp(false, 1_000)), (70, Self.stamp(false, 0)), (75, .key),
      (80, Self.stamp(true, 0)), (82, .dated), (86, Self.stamp(false, 0)), (90, .front),
      (93, Self.stamp(true, 3_000)), (100, .sleep(1_800)), (1_905, Self.stamp(true, 12_000)),
      (1_910, Self.stamp(true, 5_000)),
    ]
    var core = ActivityCore(
      awayFrom: .inactive,
      inputMilliseconds: ActivityCore.macInputMilliseconds
    )
    var slept: Int64 = 0
    for (second, step) in timeline {
      let now = Moment(
        wallMilliseconds: second * 1_000,
        steadyMilliseconds: second * 1_000 + 5,
        awakeMilliseconds: (second - slept) * 1_000 + 9
      )
      switch step {
      case .front: core.receive(.presence(.active), at: now)
      case .away: core.receive(.presence(.inactive), at: now)
      case .key: core.receive(.userInput(millisecondsAgo: 0), at: now)
      case .sleep(let seconds): slept += seconds
      case .track(let expected): #expect(core.stamp(at: now) == expected, "at \(second) s")
      case .dated: #expect(core.stamp(isBackDated: true, at: now) == nil)
      }
    }
  }

  @Test(
    arguments: [
      (true, 9_900, true), (true, 10_000, true), (true, 10_100, false), (false, 9_900, false),
      (false, 10_100, false),
    ] as [(Bool, Int64, Bool)]
  )
  func `SDL 116: on a Mac the user is active for ten seconds after input`(
    isMac: Bool,
    ago: Int64,
    isActive: Bool
  ) {
    var core = ActivityCore(
      awayFrom: isMac ? .inactive : .background,
      inputMilliseconds: isMac ? ActivityCore.macInputMilliseconds : nil
    )
    let now = Moment(wallMilliseconds: 0, steadyMilliseconds: 50_000, awakeMilliseconds: 50_000)
    core.receive(.presence(.background), at: now)
    core.receive(.userInput(millisecondsAgo: ago), at: now)
    #expect(core.stamp(at: now)?.isActive == isActive)
    #expect(core.stamp(at: now)?.engagedMilliseconds == 0)
  }

  @Test func `a property of the caller's own wins over the stamp`() {
    var core = ActivityCore()
    let now = Moment(wallMilliseconds: 0, steadyMilliseconds: 0, awakeMilliseconds: 0)
    core.receive(.presence(.active), at: now)
    let stamped = core.stamp(at: now)?.properties.merging(["app_state": "background", "n": 1])
    #expect(stamped == ["app_state": "background", "engaged_ms": 0, "n": 1])
  }

  @Test func `the first event counts from the first moment in front`() {
    var core = ActivityCore()
    var now = Moment(wallMilliseconds: 0, steadyMilliseconds: 0, awakeMilliseconds: 1_000)
    #expect(core.stamp(at: now)?.engagedMilliseconds == 0)
    now.awakeMilliseconds = 5_000
    core.receive(.presence(.active), at: now)
    core.receive(.presence(.active), at: now)
    now.awakeMilliseconds = 5_250
    #expect(core.stamp(at: now)?.engagedMilliseconds == 250)
  }
}
