import FootfallCore
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite(.timeLimit(.minutes(5))) struct `App lifecycle` {
  @Test(
    arguments: [
      (.foreground, .active), (.inactive, .inactive), (.background, .background), (.asleep, nil),
      (.awake, nil), (.memoryWarning, nil), (.terminating, nil),
    ] as [(AppPhase, Presence?)]
  )
  func `only coming and going changes the presence`(phase: AppPhase, presence: Presence?) {
    #expect(phase.presence == presence)
  }

  @Test func `who observes late is told where the app is`() {
    let lifecycle = ManualLifecycle()
    for phase in [AppPhase.background, .asleep, .awake, .memoryWarning] {
      lifecycle.announce(phase)
    }
    let told = Lock<[AppPhase]>([])
    lifecycle.start { phase, _ in told.withLock { $0.append(phase) } }
    #expect(told.withLock { $0 } == [.background])
  }

  @Test func `granted time is given back at its limit`() async {
    let clock = ManualClock()
    let given = Lock(0)
    let time = BackgroundTime { given.withLock { $0 += 1 } }
    let bounded = time.bounded { await clock.sleep($0) }
    await clock.waitForSleepers()
    clock.advance(bySeconds: 19.9)
    #expect(given.withLock { $0 } == 0)
    clock.advance(bySeconds: 0.2)
    while given.withLock({ $0 }) == 0, !Task.isCancelled { await Task.yield() }
    bounded.finish()
  }

  @Test func `time given back early leaves nobody waiting for its limit`() async {
    let clock = ManualClock()
    let lifecycle = ManualLifecycle()
    let bounded = lifecycle.askForTime().bounded { await clock.sleep($0) }
    await clock.waitForSleepers()
    #expect(lifecycle.openGrants == 1)
    bounded.finish()
    bounded.finish()
    #expect(lifecycle.openGrants == 0)
    #expect(lifecycle.askedForTime == 1)
    while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
  }

  @Test func `input ages by the clock`() {
    let clock = ManualClock()
    let activity = ManualUserActivity(clock)
    #expect(activity.millisecondsSinceInput() == nil)
    activity.touch()
    clock.advance(bySeconds: 9.9)
    #expect(activity.millisecondsSinceInput() == 9_900)
    #expect(UnknownActivity().millisecondsSinceInput() == nil)
  }
}
