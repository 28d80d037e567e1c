import DuckDBStore
import EventStore
import FootfallJournal
import Foundation
import Testing

@Suite struct `Reading a store's whole file` {
  /// What the file is made of after two headers; DuckDB keeps a checksum of each.
  private static let headerBytes = 3 * 4_096
  private static let blockBytes = 256 * 1_024

  private static func read(
    _ folder: TemporaryFolder,
    progress: (String, Double) -> Void = { _, _ in }
  ) throws -> StoreReading {
    try StoreInspection.readThrough(
      path: folder.path + "/events.duckdb",
      library: TestLibrary.path(),
      progress: progress
    )
  }

  /// A store with events and a table of more rows than are read at once.
  private static func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    var random = RandomEvents(seed: 5)
    _ = try store.load(random.batch(log: JournalID(high: 3, low: 4), start: .start))
    _ = try store.rows(
      SQL("CREATE TABLE \"more\"\"\" AS SELECT i, hash(i) AS h FROM range(1100000) rows(i)")
    )
    store.close()
    return folder
  }

  @Test func `that is sound counts all of it and changes nothing`() throws {
    let folder = try Self.filled()
    let path = folder.path + "/events.duckdb"
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    var told: [Double] = []
    let reading = try Self.read(folder) { _, fraction in told.append(fraction) }
    #expect(reading.damages.isEmpty && reading.moreDamages == 0 && !reading.isCutShort)
    #expect(reading.rows > 1_100_000 && reading.tables > 8)
    #expect(told.first == 0 && told == told.sorted() && told.allSatisfy { $0 < 1 })
    #expect(told.count > reading.tables / 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["events.duckdb"])
  }

  @Test func `with one bit wrong in any block tells the table, the column and the rows`() throws {
    let folder = try Self.filled()
    let url = URL(fileURLWithPath: folder.path + "/events.duckdb")
    let whole = try Data(contentsOf: url)
    let rows = try Self.read(folder).rows
    let blocks = (whole.count - Self.headerBytes) / Self.blockBytes
    var (inside, places) = ([Int](), Set<String>())
    for block in 0..<blocks {
      let place = Self.headerBytes + block * Self.blockBytes + 100_000
      var bytes = whole
      bytes[place] ^= 1
      try bytes.write(to: url)
      do {
        let reading = try Self.read(folder)
        for damage in reading.damages {
          places.insert("\(damage.table).\(damage.column ?? "?")")
          #expect(damage.reason.contains("Corrupt database file"), "\(damage)")
          #expect(damage.rows.map { $0.count <= 122_880 } ?? true, "\(damage)")
        }
        // Nothing lies in a block that is free.
        #expect(reading.damages.isEmpty == (reading.rows == rows), "block \(block)")
        if !reading.damages.isEmpty { inside.append(place) }
      } catch let error as StoreError {
        // One of the few that opening reads.
        #expect(error.description.contains("Corrupt database file"))
      }
      #expect(try Data(contentsOf: url) == bytes)
    }
    #expect(inside.count > blocks / 2)
    #expect(places.contains("more\".h"), "\(places)")
    #expect(places.contains { $0.hasPrefix("events.") && !$0.hasSuffix("?") }, "\(places)")

    // After one damage it goes on, and tells the first places of much of it.
    var bytes = whole
    for place in inside { bytes[place] ^= 1 }
    try bytes.write(to: url)
    let reading = try Self.read(folder)
    #expect(reading.damages.count == 10)
    #expect(reading.moreDamages > 0)
    #expect(!reading.isCutShort)
  }
}
