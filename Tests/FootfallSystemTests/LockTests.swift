import FootfallSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Locks and threads` {
  private struct Refusal: Error {}

  @Test func `a lock lets one thread in at a time`() throws {
    let count = Lock(0)
    let threads = try (0..<8).map { _ in
      try SystemThread(name: "counting") {
        for _ in 0..<10_000 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test func `a lock is free again after its body threw`() {
    let lock = Lock(1)
    #expect(throws: Refusal.self) {
      try lock.withLock { value throws(Refusal) in
        value = 2
        throw Refusal()
      }
    }
    #expect(lock.withLock { $0 } == 2)
  }

  @Test func `what a lock holds goes with it`() {
    final class Probe: Sendable {}
    weak var probe: Probe?
    do {
      let lock = Lock(Probe())
      probe = lock.withLock { $0 }
      #expect(probe != nil)
    }
    #expect(probe == nil)
  }

  @Test func `a monitor wakes those who wait for its change`() throws {
    let monitor = Monitor(0)
    let thread = try SystemThread(name: "a name longer than the system keeps") {
      for _ in 0..<100 { monitor.change { $0 += 1 } }
    }
    #expect(monitor.wait { $0 == 100 ? "done" : nil } == "done")
    thread.join()
    thread.join()
  }

  @Test(arguments: [0, -1, 0.001])
  func `a bounded wait gives up`(seconds: Double) {
    let monitor = Monitor(0)
    #expect(monitor.wait(timeoutSeconds: seconds) { $0 == 1 ? true : nil } == nil)
    #expect(monitor.wait(timeoutSeconds: .infinity) { $0 == 0 ? true : nil } == true)
  }

  @Test func `a thread that nobody joins still runs to its end`() throws {
    let monitor = Monitor(false)
    _ = try SystemThread(name: "alone") { monitor.change { $0 = true } }
    monitor.wait { $0 ? () : nil }
  }
}

@Suite struct `Monotonic time` {
  @Test func `it does not run backwards`() {
    var last = MonotonicTime.now()
    for _ in 0..<1_000 {
      let now = MonotonicTime.now()
      #expect(now >= last)
      last = now
    }
  }

  @Test(
    arguments: [
      (1_000_000_000, 1.5, 2_500_000_000), (1_000_000_000, -0.25, 750_000_000),
      (1_000_000_000, -2, 0), (5, .infinity, 9_000_000_000_000_000_005), (.max, 1, .max),
    ] as [(UInt64, Double, UInt64)]
  )
  func `moving it never leaves its range`(start: UInt64, seconds: Double, end: UInt64) {
    let moved = MonotonicTime(nanoseconds: start).advanced(bySeconds: seconds)
    #expect(moved.nanoseconds == end)
  }

  @Test func `distances have a sign`() {
    let (early, late) = (MonotonicTime(nanoseconds: 1), MonotonicTime(nanoseconds: 500_000_001))
    #expect(late.seconds(since: early) == 0.5)
    #expect(early.seconds(since: late) == -0.5)
  }
}
