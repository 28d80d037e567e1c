#if os(Linux) || os(macOS)
import FootfallTesting
import Testing

@testable import FootfallSystem

/// Each test forks a child process of its own.
@Suite(.timeLimit(.minutes(5))) struct `Fork watch` {
  @Test func `the generation grows in the child and in its child`() async {
    await #expect(processExitsWith: .success) {
      let before = ForkWatch.generation
      let code = ForkedChild.run {
        let own = ForkWatch.generation
        let grandchild = ForkedChild.run { ForkWatch.generation == own + 1 ? 0 : 1 }
        return own == before + 1 && grandchild == 0 ? 0 : 1
      }
      #expect(code == 0)
      #expect(ForkWatch.generation == before)
    }
  }

  @Test func `handlers run around the fork, in their order, until they are taken back`() async {
    await #expect(processExitsWith: .success) {
      let steps = Lock<[String]>([])
      let registrations = ["1", "2"].map { name in
        ForkWatch.register(
          ForkWatch.Handlers(
            prepare: { steps.withLock { $0.append("prepare \(name)") } },
            parent: { steps.withLock { $0.append("parent \(name)") } },
            child: { steps.withLock { $0.append("child \(name)") } }
          )
        )
      }
      let prepared = ["prepare 2", "prepare 1"]
      let code = ForkedChild.run {
        steps.withLock { $0 } == prepared + ["child 1", "child 2"] ? 0 : 1
      }
      #expect(code == 0)
      #expect(steps.withLock { $0 } == prepared + ["parent 1", "parent 2"])
      registrations.forEach { $0.cancel() }
      #expect(ForkedChild.run { steps.withLock { $0.count } == 4 ? 0 : 1 } == 0)
    }
  }

  @Test func `a lock that is held over the fork is free and its state whole in the child`() async {
    await #expect(processExitsWith: .success) {
      let pair = Lock((0, 0))
      let isOver = Lock(false)
      let registration = ForkWatch.register(
        ForkWatch.Handlers(
          prepare: { pair.holdForFork() },
          parent: { pair.releaseInParent() },
          child: { pair.renewInChild() }
        )
      )
      let busy = try (0..<2).map { _ in
        try SystemThread(name: "busy") {
          while !isOver.withLock({ $0 }) {
            pair.withLock { pair in
              pair.0 += 1
              pair.1 += 1
            }
          }
        }
      }
      for _ in 0..<50 {
        #expect(ForkedChild.run { pair.withLock { $0.0 == $0.1 ? 0 : 1 } } == 0)
      }
      isOver.withLock { $0 = true }
      busy.forEach { $0.join() }
      registration.cancel()
    }
  }

  @Test func `a monitor that the parent's threads wait for works in the child`() async {
    await #expect(processExitsWith: .success) {
      let monitor = Monitor(0)
      let registration = ForkWatch.register(
        ForkWatch.Handlers(
          prepare: { monitor.holdForFork() },
          parent: { monitor.releaseInParent() },
          child: { monitor.renewInChild() }
        )
      )
      let waiting = Monitor(0)
      let waiters = try (0..<4).map { _ in
        try SystemThread(name: "waiter") {
          waiting.change { $0 += 1 }
          _ = monitor.wait { $0 < 0 ? true : nil }
        }
      }
      _ = waiting.wait { $0 == 4 ? true : nil }
      for _ in 0..<20 {
        let code = ForkedChild.run {
          do {
            let thread = try SystemThread(name: "child") {
              for _ in 0..<10 { monitor.change { $0 += 1 } }
            }
            _ = monitor.wait { $0 == 10 ? true : nil }
            thread.join()
            return 0
          } catch {
            return 1
          }
        }
        #expect(code == 0)
      }
      monitor.change { $0 = -1 }
      waiters.forEach { $0.join() }
      registration.cancel()
    }
  }
}
#endif
