import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite struct `Segments that somebody deleted` {
  private var noting: Journal.Configuration {
    var configuration = Journal.Configuration()
    configuration.notesLastSegment = true
    return configuration
  }

  /// Journals of four runs, a record and so a segment each; deletes some of them.
  private func files(
    _ configuration: Journal.Configuration,
    without numbers: Set<UInt64>,
    removing removed: [UInt64] = []
  ) throws -> MemoryFiles {
    let files = MemoryFiles()
    for run in 1...4 {
      let journal = try open(files, configuration, random: SeededRandom(UInt64(run)))
      try journal.append("run \(run)")
      if run == 4 { for number in removed { try journal.remove(segment: number) } }
      journal.close()
    }
    for name in try files.list(folder) {
      guard let name = SegmentName(name, .segment), numbers.contains(name.number) else { continue }
      files.setBytes(folder + "/" + name.fileName(.segment), nil)
    }
    return files
  }

  @Test(
    arguments: [
      ([], [], [], 0), ([2], [], [2...2], 0), ([2, 3], [], [2...3], 0), ([], [1, 2], [], 2),
      ([1], [], [], 1), ([4], [], [4...4], 0), ([3, 4], [], [3...4], 0),
      ([2, 4], [], [2...2, 4...4], 0),
      ([1, 2, 3, 4], [], [4...4], 0),
    ] as [(Set<UInt64>, [UInt64], [ClosedRange<UInt64>], UInt64)]
  )
  func `are missed, those that were removed are not`(
    deleted: Set<UInt64>,
    removed: [UInt64],
    missing: [ClosedRange<UInt64>],
    before: UInt64
  ) throws {
    let files = try files(noting, without: deleted, removing: removed)
    let journal = try open(files, noting)
    #expect(journal.recovery.missing == missing)
    #expect(journal.recovery.removed == before)
    #expect(try journal.append("next").segment == 5)
  }

  @Test func `a last one that was removed in order is not missed`() throws {
    let files = MemoryFiles()
    var journal = try open(files, noting)
    try journal.append("one")
    try journal.seal()
    try journal.remove(segment: 1)
    journal.close()
    journal = try open(files, noting)
    #expect(journal.recovery.missing == [])
    #expect(try journal.append("two").segment == 2)
    journal.close()
    #expect(try open(files, noting).recovery.missing == [])
  }

  @Test func `numbers up to a position that someone remembers are left out`() throws {
    let files = try files(Journal.Configuration(), without: [3, 4])
    var journal = try open(files)
    #expect(journal.recovery.missing == [])
    try journal.goOn(beyond: JournalPosition(segment: 1, offset: 90))
    try journal.goOn(beyond: JournalPosition(segment: 4, offset: 90))
    #expect(try journal.append("next").segment == 5)
    try journal.goOn(beyond: JournalPosition(segment: 4, offset: 90))
    #expect(try journal.append("more").segment == 5)
    try journal.goOn(beyond: JournalPosition(segment: 5, offset: 1 << 20))
    #expect(try journal.append("last").segment == 6)
    #expect(try journal.texts() == ["run 1", "run 2", "next", "more", "last"])
    journal.close()
    journal = try open(files)
    #expect(journal.recovery.missing == [3...4])
  }

  @Test func `a note of the last number that is damaged is as good as none`() throws {
    let files = try files(noting, without: [])
    files.setBytes(folder + "/journal.last", Array("footfall-journal-last 9 0\n".utf8))
    let journal = try open(files, noting)
    #expect(journal.recovery.missing == [])
    #expect(try journal.append("next").segment == 5)
  }
}
