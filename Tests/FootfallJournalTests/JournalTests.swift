import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite struct `A journal` {
  @Test func `what is appended is read back in order, with the positions append gave`() throws {
    let journal = try open(MemoryFiles())
    var given: [JournalPosition] = []
    for text in ["one", "", "three"] { given.append(try journal.append(text)) }
    var read: [(String, JournalPosition)] = []
    let result = try journal.read(from: .start, upTo: journal.end) { payload, next in
      read.append((String(decoding: payload, as: UTF8.self), next))
    }
    #expect(read.map(\.0) == ["one", "", "three"])
    #expect(read.map(\.1) == given)
    #expect(result.reachedEnd && result.frames == 3 && result.gaps.isEmpty)
    #expect(result.next == journal.end)
  }

  @Test func `reading goes up to the durable end unless told otherwise`() throws {
    let journal = try open(MemoryFiles())
    try journal.append("durable")
    try journal.sync()
    try journal.append("written")
    var texts: [String] = []
    let read = try journal.read(from: .start) { payload, _ in
      texts.append(String(decoding: payload, as: UTF8.self))
    }
    #expect(texts == ["durable"])
    #expect(read.reachedEnd && read.next == journal.durableEnd)
    #expect(journal.durableEnd < journal.end)
  }

  @Test func `reading on from each position gives the rest`() throws {
    let journal = try open(MemoryFiles(), Journal.Configuration(segments: 200))
    for number in 0..<20 { try journal.append("record \(number)") }
    #expect(journal.segments.count > 2)
    var next = JournalPosition.start
    var texts: [String] = []
    var calls = 0
    while true {
      let read = try journal.read(from: next, upTo: journal.end, maxBytes: 1) { payload, _ in
        texts.append(String(decoding: payload, as: UTF8.self))
      }
      next = read.next
      calls += 1
      if read.reachedEnd { break }
    }
    #expect(texts == (0..<20).map { "record \($0)" })
    #expect(calls >= 20)
  }

  @Test func `a journal opened again has its id, its records, and appends behind them`() throws {
    let files = MemoryFiles()
    var journal: Journal? = try open(files)
    let id = try #require(journal?.id)
    try journal?.append("before")
    let end = try #require(journal?.end)
    journal = nil
    let again = try open(files, random: SeededRandom(8))
    #expect(again.id == id)
    #expect(again.recovery.frames == 1 && again.recovery.tornTail == nil)
    #expect(again.end == end && again.durableEnd == end)
    #expect(try again.append("after") > end)
    #expect(try again.texts() == ["before", "after"])
  }

  @Test func `the id survives the loss of its file`() throws {
    let files = MemoryFiles()
    var journal: Journal? = try open(files)
    try journal?.append("x")
    let id = journal?.id
    journal = nil
    files.setBytes(folder + "/journal.id", nil)
    #expect(try open(files, random: SeededRandom(9)).id == id)
  }

  @Test func `sealing syncs, and the next record opens a segment`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.seal()
    #expect(journal.segments.isEmpty)
    try journal.append("one")
    try journal.seal()
    #expect(journal.durableEnd == journal.end)
    #expect(journal.segments.map(\.isSealed) == [true])
    try journal.append("two")
    #expect(journal.segments.map(\.isSealed) == [true, false])
    #expect(try journal.texts() == ["one", "two"])
  }

  @Test func `removed segments leave the others, and their numbers do not come back`() throws {
    let files = MemoryFiles()
    var journal: Journal? = try open(files)
    for text in ["one", "two", "three"] {
      try journal?.append(text)
      try journal?.seal()
    }
    let numbers = try #require(journal?.segments.map(\.number))
    for number in numbers { try journal?.remove(segment: number) }
    try journal?.remove(segment: 99)
    #expect(journal?.segments.isEmpty == true)
    #expect(try journal?.texts() == [])
    journal = nil
    let again = try open(files, random: SeededRandom(8))
    #expect(try again.append("four").segment > numbers[2])
    #expect(try again.texts() == ["four"])
    try again.sync()
    #expect(files.paths.filter { $0.hasSuffix(".retired") }.isEmpty)
  }

  @Test func `the segment that is written cannot be removed`() throws {
    let journal = try open(MemoryFiles())
    let number = try journal.append("one").segment
    #expect(throws: JournalError.notSealed(segment: number)) {
      try journal.remove(segment: number)
    }
  }

  @Test func `a record over the limit is refused and the journal stays as it was`() throws {
    var configuration = Journal.Configuration()
    configuration.maxPayloadBytes = 10
    let journal = try open(MemoryFiles(), configuration)
    #expect(throws: JournalError.tooLarge(bytes: 11, limit: 10)) {
      try journal.append(String(repeating: "x", count: 11))
    }
    try journal.append(String(repeating: "x", count: 10))
    #expect(try journal.texts().count == 1)
  }

  @Test func `too much that waits for a sync is synced by the next append`() throws {
    var configuration = Journal.Configuration()
    configuration.maxUnsyncedBytes = 100
    let files = MemoryFiles()
    let journal = try open(files, configuration)
    let syncs = files.count(of: .sync)
    try journal.append(String(repeating: "x", count: 60))
    #expect(files.count(of: .sync) == syncs)
    try journal.append(String(repeating: "x", count: 60))
    #expect(files.count(of: .sync) == syncs + 1)
  }

  @Test func `a closed journal refuses everything and frees its folder`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    journal.close()
    #expect(throws: JournalError.closed) { try journal.append("two") }
    #expect(throws: JournalError.closed) { try journal.sync() }
    #expect(throws: JournalError.closed) { try journal.everything() }
    #expect(try open(files).texts() == ["one"])
  }

  @Test func `a folder written by a newer format is refused and left alone`() throws {
    let files = MemoryFiles()
    var journal: Journal? = try open(files)
    try journal?.append("one")
    journal = nil
    let path = try #require(files.segmentPaths.first)
    let name = try #require(SegmentName(String(path.dropFirst(folder.count + 1)), .segment))
    var header = SegmentHeader(number: name.number, salt: name.salt, id: JournalID(high: 1, low: 2))
    header.version = 2
    let bytes = header.bytes + (files.bytes(path) ?? []).dropFirst(64) + [1, 2, 3]
    files.setBytes(path, bytes)
    #expect(throws: JournalError.newerFormat(found: 2, supported: 1)) { try open(files) }
    #expect(files.bytes(path) == bytes)
  }

  @Test func `two journals on one folder: the second learns who holds it`() throws {
    let files = MemoryFiles(process: 77)
    let first = try open(files)
    #expect(throws: JournalError.locked(pid: 77)) { try open(files) }
    first.close()
    _ = try open(files)
  }
}

extension Journal.Configuration {
  init(segments bytes: Int) {
    self.init()
    maxSegmentBytes = bytes
  }
}
