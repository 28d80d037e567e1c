import DuckDBStore
import EventStore
import FootfallSystem
import Testing

@Suite struct `Writing all that is stored into a new file` {
  @Test func `is not seen by who asks meanwhile, on pages and in the console`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    defer { store.close() }
    // How often was asked, and whether that is over: a new file comes after every question.
    let asked = Monitor((count: 0, isOver: false))
    let rewritten = Lock(Result<Int, any Error>.success(0))
    let thread = try SystemThread(name: "rewriting") {
      let result = Result {
        var count = 0
        while asked.wait(until: { $0.isOver || $0.count >= count ? !$0.isOver : nil }) {
          try store.leaveNothing()
          count += 1
        }
        return count
      }
      rewritten.withLock { $0 = result }
    }
    do {
      defer {
        asked.change { $0.isOver = true }
        thread.join()
      }
      for _ in 0..<60 {
        let rows = try store.rows(SQL("SELECT count(*) FROM events"))
        #expect(rows == [Row([.integer(0)])])
        let query = ConsoleQuery(text: "SELECT 1 AS one", tables: [])
        #expect(try store.answer(query, cancellation: nil).rows == [["1"]])
        asked.change { $0.count += 1 }
      }
    }
    #expect(try rewritten.withLock { $0 }.get() > 1)
  }
}
