#if os(Linux) || os(macOS)
import FootfallTesting
import Testing

@testable import FootfallSystem

/// Each test forks a child process of its own.
@Suite(.timeLimit(.minutes(5))) struct `Fork gate` {
  /// Two numbers that are equal whenever no thread is at work on them, behind a lock that nobody
  /// holds over a fork.
  typealias Pair = Lock<(Int, Int)>

  /// Works on the pair until a fork waits for that, and then some; gives up if none comes.
  private static func workUntilFork(_ pair: Pair, _ hasBegun: Monitor<Bool>) {
    pair.withLock { pair in
      pair.0 += 1
      hasBegun.change { $0 = true }
      var patience = 20_000_000
      while !ForkGate.isClosed, patience > 0 { patience -= 1 }
      for _ in 0..<200_000 where ForkGate.isClosed { patience += 1 }
      pair.1 += 1
    }
  }

  private static func fork(checking pair: Pair) -> Int32? {
    ForkedChild.run { pair.withLock { $0.0 == 1 && $0.1 == 1 ? 0 : 1 } }
  }

  @Test func `a fork waits for work that has begun`() async {
    await #expect(processExitsWith: .success) {
      let pair = Pair((0, 0))
      let hasBegun = Monitor(false)
      _ = ForkWatch.generation
      let worker = try SystemThread(name: "worker") {
        ForkGate.work { Self.workUntilFork(pair, hasBegun) }
      }
      _ = hasBegun.wait { $0 ? true : nil }
      #expect(Self.fork(checking: pair) == 0)
      worker.join()
    }
  }

  @Test func `a fork waits for a thread that is only being made, until it rests`() async {
    await #expect(processExitsWith: .success) {
      let pair = Pair((0, 0))
      let hasBegun = Monitor(false)
      _ = ForkWatch.generation
      let worker = try SystemThread(atWork: "worker") {
        Self.workUntilFork(pair, hasBegun)
        _ = ForkGate.rest { hasBegun.wait { $0 ? nil : true } }
      }
      #expect(Self.fork(checking: pair) == 0)
      hasBegun.change { $0 = false }
      worker.join()
      #expect(ForkedChild.run { 0 } == 0)
    }
  }

  @Test func `work begins only when a fork is over`() async {
    await #expect(processExitsWith: .success) {
      let steps = Lock<[String]>([])
      let (isWaiting, hasWorked) = (Monitor(false), Monitor(false))
      let registration = ForkWatch.register(
        ForkWatch.Handlers(
          prepare: {
            isWaiting.change { $0 = true }
            steps.withLock { $0.append("prepare") }
          },
          parent: { steps.withLock { $0.append("parent") } }
        )
      )
      let worker = try SystemThread(name: "worker") {
        _ = isWaiting.wait { $0 ? true : nil }
        ForkGate.work { steps.withLock { $0.append("work") } }
        hasWorked.change { $0 = true }
      }
      #expect(ForkedChild.run { 0 } == 0)
      _ = hasWorked.wait { $0 ? true : nil }
      worker.join()
      #expect(steps.withLock { $0 } == ["prepare", "parent", "work"])
      registration.cancel()
    }
  }

  @Test func `a thread at work may fork, and its child works on`() async {
    await #expect(processExitsWith: .success) {
      let code = ForkGate.work {
        ForkedChild.run {
          ForkGate.work { 0 } + (ForkedChild.run { ForkGate.work { 0 } } ?? 1)
        }
      }
      #expect(code == 0)
      #expect(ForkGate.rest { 1 } == 1)
    }
  }

  @Test func `work that takes too long holds a fork up no longer than the limit`() async {
    await #expect(processExitsWith: .success) {
      let (hasBegun, isOver) = (Monitor(false), Monitor(false))
      let worker = try SystemThread(name: "worker") {
        ForkGate.work {
          hasBegun.change { $0 = true }
          _ = isOver.wait { $0 ? true : nil }
        }
      }
      _ = hasBegun.wait { $0 ? true : nil }
      let code = ForkedChild.run { ForkGate.work { 0 } }
      #expect(code == 0)
      isOver.change { $0 = true }
      worker.join()
    }
  }
}
#endif
