import FootfallJournal
import Foundation
import IngestLog
import Testing

@testable import ServerApp

@Suite struct `What damage of the log means` {
  /// Reads a log of two segments, of which the second has a wrong bit unless that is nil.
  private static func look(
    damagedAt offset: ((Int) -> Int)?
  ) throws -> (reading: LogReading, recovery: JournalRecovery, end: JournalPosition) {
    let folder = NSTemporaryDirectory() + "footfall-deep-" + UUID().uuidString
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    var end = JournalPosition.start
    for _ in 0..<2 {
      let log = try IngestLog(folder: folder, keepsItself: false)
      for _ in 0..<3 { _ = log.submit([UInt8](repeating: 7, count: 100)) { _ in } }
      log.drain()
      end = log.durableEnd
      log.close()
    }
    if let offset { try damage(folder, offset) }
    let log = try IngestLog(lookingInto: folder)
    defer { log.close() }
    return (try log.readThrough(), log.recovery, end)
  }

  private static func damage(_ folder: String, _ offset: (Int) -> Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let last = try #require(names.filter { $0.hasSuffix(".journal") }.max())
    let url = URL(fileURLWithPath: folder + "/" + last)
    var bytes = try Data(contentsOf: url)
    bytes[offset(bytes.count)] ^= 1
    try bytes.write(to: url)
  }

  @Test func `depends on how far the store is`() throws {
    let (reading, _, end) = try Self.look { _ in 64 + 20 }
    let loaded = try #require(LogDamage.all(in: reading, loadedUpTo: end).first)
    #expect(loaded.segment == 2 && loaded.loaded.count == 1 && loaded.lost.isEmpty)
    #expect(loaded.text(file: "/data/log/2").hasPrefix("/data/log/2 is damaged: "))
    #expect(loaded.text(file: "f").contains(" at 64 (damaged). The store has the events"))
    for known in [nil, JournalPosition(segment: 2, offset: 64)] {
      let lost = try #require(LogDamage.all(in: reading, loadedUpTo: known).first)
      #expect(lost.loaded.isEmpty && lost.lost.count == 1)
      #expect(lost.text(file: "f").contains("those events are lost. Restore the data folder"))
    }
  }

  @Test func `is none of an end that was never finished, but of one that was loaded`() throws {
    let (reading, _, end) = try Self.look { $0 - 1 }
    #expect(LogDamage.all(in: reading, loadedUpTo: nil).isEmpty)
    let torn = try #require(reading.tornTail)
    #expect(LogDamage.all(in: reading, loadedUpTo: torn.position).isEmpty)
    #expect(LogDamage.all(in: reading, loadedUpTo: end).map(\.loaded) == [[torn]])
  }

  @Test func `leaves a damaged store to a backup alone`() throws {
    let damaged = try Self.look { _ in 64 + 20 }
    #expect(!StoreRemedy(log: (damaged.recovery, damaged.reading)).isLogWhole)
    #expect(StoreRemedy(log: nil).text.hasPrefix("Restore the data folder from a backup; "))
    let whole = try Self.look(damagedAt: nil)
    let remedy = StoreRemedy(log: (whole.recovery, whole.reading))
    #expect(remedy.isLogWhole && remedy.text.contains("makes it anew from the log"))
  }
}
