import FootfallSystem
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct `A pool of handlers` {
  @Test func `runs as many jobs at once as it has threads, and the others after them`() throws {
    let pool = HandlerPool(maxQueued: 100)
    try pool.start(threads: 3)
    let running = Monitor((now: 0, ended: 0, isReleased: false))
    for _ in 0..<10 {
      let isTaken = pool.run {
        running.change { $0.now += 1 }
        running.wait { $0.isReleased ? () : nil }
        running.change {
          $0.now -= 1
          $0.ended += 1
        }
      }
      #expect(isTaken)
    }
    let all: Void? = running.wait(timeoutSeconds: 30) { $0.now == 3 ? () : nil }
    #expect(all != nil)
    running.change { $0.isReleased = true }
    pool.stop()
    #expect(running.withLock { $0.ended } == 10)
  }

  @Test func `takes no more than may wait, and none once it is stopped`() throws {
    let pool = HandlerPool(maxQueued: 2)
    let ended = Lock(0)
    let job: @Sendable () -> Void = { ended.withLock { $0 += 1 } }
    #expect([pool.run(job), pool.run(job), pool.run(job)] == [true, true, false])
    try pool.start(threads: 2)
    pool.stop()
    #expect(ended.withLock { $0 } == 2)
    #expect(!pool.run(job))
  }
}
