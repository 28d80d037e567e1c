import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import Testing

@Suite struct `Removing old events` {
  private static let day: Int64 = 86_400_000
  private static let now: Int64 = 1_796_117_400_000

  @Test(arguments: [
    ExpiredEvents(project: 1, beforeMs: now - 30 * day),
    ExpiredEvents(project: 1, beforeMs: now - 30 * day, otherNames: ["A", "B"]),
    ExpiredEvents(project: 1, beforeMs: now - 10 * day, name: "B"),
    ExpiredEvents(project: 3, beforeMs: now),
  ])
  func `takes what the rule says, as much as was allowed`(expired: ExpiredEvents) throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    defer { store.close() }
    var batch = LoadBatch(log: JournalID(high: 1, low: 1))
    for number in 0..<60 {
      batch.add(
        id: "event-\(number)",
        ownMs: Self.now - Int64(number) * Self.day,
        project: number % 5 == 0 ? 2 : 1,
        name: ["A", "B", "C"][number % 3]
      )
    }
    _ = try store.load(batch)
    let before = try store.storedEvents()
    let memory = InMemoryEventStore(before)
    let count = before.count { expired.holds($0) }
    var removed: [Int] = []
    repeat {
      removed.append(try store.remove(expired, limit: 7))
      #expect(try memory.remove(expired, limit: 7) == removed.last)
    } while removed.last == 7
    #expect(removed.reduce(0, +) == count)
    #expect(removed.allSatisfy { $0 <= 7 })
    let left = before.filter { !expired.holds($0) }
    #expect(try store.storedEvents() == left)
    #expect(memory.events == left)
    // What is sent again is not stored again while the store is open.
    var again = LoadBatch(log: JournalID(high: 1, low: 2))
    again.add(id: "event-59", ownMs: Self.now - 59 * Self.day, project: 1, name: "C")
    #expect(try store.load(again).stored == 0)
  }
}
