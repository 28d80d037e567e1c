import DuckDBStore
import EventStore
import FootfallSystem
import Testing

@Suite struct `Limits on queries` {
  private let endless = SQL(
    "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"
  )

  @Test(.timeLimit(.minutes(5)))
  func `a statement that takes too long is stopped and the reader serves the next`() throws {
    let folder = try TemporaryFolder()
    var options = DuckDBOptions()
    options.queryTimeLimitSeconds = 0.05
    options.readers = 1
    let store = try TestLibrary.open(folder, options: options)
    for _ in 0..<3 {
      #expect(throws: StoreError.timedOut(seconds: 0.05)) { try store.rows(endless) }
    }
    #expect(try store.rows(SQL("SELECT 1")) == [Row([.integer(1)])])
  }

  @Test(.timeLimit(.minutes(5)))
  func `a statement that needs too much memory says the limit and what to do, not settings`() throws
  {
    let folder = try TemporaryFolder()
    var options = DuckDBOptions()
    options.memoryLimitBytes = 64 << 20
    let store = try TestLibrary.open(folder, options: options)
    let large = SQL("SELECT len(list(range || 'a text that takes room')) FROM range(20000000)")
    let error = try #require(throws: StoreError.self) { try store.rows(large) }
    guard case .needsMemory(let limit?) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(limit.hasSuffix("MiB"))
    #expect(error.description.contains(limit) && !error.description.contains("SET "))
    #expect(throws: ConsoleProblem(error.description)) {
      try store.answer(ConsoleQuery(text: large.text, tables: []), cancellation: nil)
    }
    #expect(try store.rows(SQL("SELECT 1")) == [Row([.integer(1)])])
  }

  @Test(.timeLimit(.minutes(5)))
  func `a cancelled statement is stopped`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let before = Cancellation()
    before.cancel()
    #expect(throws: StoreError.cancelled) { try store.rows(endless, cancellation: before) }

    let during = Cancellation()
    let outcome = Lock<StoreError?>(nil)
    let thread = try SystemThread(name: "query") {
      do {
        _ = try store.rows(endless, cancellation: during)
      } catch {
        outcome.withLock { $0 = error as? StoreError }
      }
    }
    during.cancel()
    thread.join()
    #expect(outcome.withLock { $0 } == .cancelled)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a statement whose answer nobody wants any more is stopped`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let asked = Lock(0)
    // Wanted when it starts, and not any more when that is asked for the third time.
    let leaving = Cancellation(while: {
      asked.withLock {
        $0 += 1
        return $0 < 3
      }
    })
    #expect(throws: StoreError.cancelled) { try store.rows(endless, cancellation: leaving) }
    #expect(asked.withLock { $0 } >= 3)
    #expect(try store.rows(SQL("SELECT 1")) == [Row([.integer(1)])])
  }

  @Test(.timeLimit(.minutes(5)))
  func `closing does not wait for the end of a long statement`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let outcome = Lock<StoreError?>(nil)
    let started = Monitor(false)
    let thread = try SystemThread(name: "query") {
      started.change { $0 = true }
      do {
        _ = try store.rows(endless)
      } catch {
        outcome.withLock { $0 = error as? StoreError }
      }
    }
    started.wait { $0 ? () : nil }
    store.close()
    thread.join()
    #expect(outcome.withLock { $0 } == .closed)
  }

  @Test(.timeLimit(.minutes(5)))
  func `more questions than readers wait for their turn`() throws {
    let folder = try TemporaryFolder()
    var options = DuckDBOptions()
    options.readers = 2
    let store = try TestLibrary.open(folder, options: options)
    let answers = Lock(0)
    let threads = try (0..<8).map { _ in
      try SystemThread(name: "query") {
        do {
          for _ in 0..<20 where try store.rows(SQL("SELECT 1")).count == 1 {
            answers.withLock { $0 += 1 }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(answers.withLock { $0 } == 160)
  }
}
