import FootfallCore
import Testing

@Suite struct `When a client tells of its own work` {
  private static func core(draw: Double = 0.25) -> SelfReportCore {
    var core = SelfReportCore(rules: SelfReportCore.Rules(everySeconds: 300), draw: draw)
    _ = core.receive(.choice(isOn: true, rate: 0.5), at: 0)
    return core
  }

  private static func numbers(_ delivered: Int, lost: Int = 0) -> SelfReportCore.Numbers {
    var dropped = DropCounts()
    dropped.count(.tooLarge, lost)
    return SelfReportCore.Numbers(delivered: delivered, dropped: dropped)
  }

  @Test func `nothing waits for time until there is something to tell`() {
    var core = Self.core()
    #expect(core.receive(.counted(Self.numbers(0)), at: 1).isEmpty)
    #expect(core.deadline == nil)
    _ = core.receive(.counted(Self.numbers(1)), at: 10)
    _ = core.receive(.counted(Self.numbers(2)), at: 20)
    #expect(core.deadline == 310)
    #expect(core.receive(.timePassed, at: 309).isEmpty)
    #expect(core.receive(.timePassed, at: 310) == [.send(Self.numbers(2), rate: 0.5)])
    #expect(core.deadline == nil)
  }

  @Test func `what was told is not told again, and what was not taken is`() {
    var core = Self.core()
    _ = core.receive(.counted(Self.numbers(2, lost: 1)), at: 0)
    #expect(
      core.receive(.timePassed, at: 300) == [.send(Self.numbers(2, lost: 1), rate: 0.5)]
    )
    _ = core.receive(.counted(Self.numbers(3, lost: 1)), at: 301)
    #expect(core.deadline == nil, "one report at a time")
    _ = core.receive(.answered(isTaken: false), at: 302)
    #expect(
      core.receive(.timePassed, at: 602) == [.send(Self.numbers(3, lost: 1), rate: 0.5)]
    )
    _ = core.receive(.answered(isTaken: true), at: 603)
    #expect(core.deadline == nil)
    _ = core.receive(.counted(Self.numbers(4, lost: 3)), at: 700)
    #expect(
      core.receive(.timePassed, at: 1_000) == [.send(Self.numbers(1, lost: 2), rate: 0.5)]
    )
  }

  @Test(arguments: [(0.49, true), (0.5, false), (0.99, false)])
  func `of all processes the part that the rate says reports`(draw: Double, reports: Bool) {
    var core = Self.core(draw: draw)
    _ = core.receive(.counted(Self.numbers(1)), at: 0)
    #expect((core.deadline != nil) == reports)
  }

  @Test(arguments: [
    SelfReportCore.Input.choice(isOn: false, rate: 1), .choice(isOn: true, rate: 0),
    .collecting(false), .terminate,
  ])
  func `nothing more is told once it is not wanted, and what is on its way is cut off`(
    input: SelfReportCore.Input
  ) {
    var core = Self.core()
    _ = core.receive(.counted(Self.numbers(1)), at: 0)
    _ = core.receive(.timePassed, at: 300)
    #expect(core.receive(input, at: 301) == [.cancel])
    _ = core.receive(.counted(Self.numbers(9)), at: 302)
    #expect(core.deadline == nil && !core.isReporting)
  }
}
