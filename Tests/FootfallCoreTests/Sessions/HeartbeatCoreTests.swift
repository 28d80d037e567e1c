import FootfallCore
import Testing

@Suite struct `Heartbeat core` {
  @Test(arguments: [
    (0, 5), (14.9, 5), (15, 10), (64.9, 10), (65, 15), (179.9, 15), (180, 20), (299.9, 20),
    (300, 30), (7_000, 30),
  ])
  func `the older the session the rarer`(age: Double, interval: Double) {
    #expect(HeartbeatCore.intervalSeconds(age: age) == interval)
  }

  @Test func `the first two minutes of a session`() {
    var core = HeartbeatCore()
    #expect(core.receive(.started, at: 100).isEmpty)
    var beats: [Double] = []
    while let due = core.deadline, due < 220 {
      #expect(core.receive(.timePassed, at: due - 0.1).isEmpty)
      if core.receive(.timePassed, at: due) == [.beat] { beats.append(due - 100) }
    }
    #expect(beats == [5, 10, 15, 25, 35, 45, 55, 65, 80, 95, 110])
  }

  @Test func `a delivery restarts the interval`() {
    var core = HeartbeatCore()
    _ = core.receive(.started, at: 0)
    _ = core.receive(.delivered, at: 4)
    #expect(core.deadline == 9)
  }

  @Test func `no heartbeat while away, and a full interval after the return`() {
    var core = HeartbeatCore()
    _ = core.receive(.started, at: 0)
    _ = core.receive(.presence(isAway: true), at: 2)
    #expect(core.deadline == nil)
    _ = core.receive(.delivered, at: 3)
    #expect(core.deadline == nil)
    _ = core.receive(.presence(isAway: false), at: 20)
    #expect(core.deadline == 30)
  }

  @Test func `a session that ends says so once`() {
    var core = HeartbeatCore()
    #expect(core.receive(.ended, at: 0).isEmpty)
    _ = core.receive(.started, at: 0)
    #expect(core.receive(.ended, at: 3) == [.beat])
    #expect(core.receive(.ended, at: 4).isEmpty)
    #expect(core.deadline == nil)
  }
}
