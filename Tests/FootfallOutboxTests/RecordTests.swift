import FootfallJournal
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Outbox records` {
  let files = MemoryFiles()

  @Test func `the newest note is there after a relaunch, with or without events`() throws {
    var outbox = try Subject.open(files)
    #expect(outbox.note == nil)
    try outbox.append([
      OutboxRecord(events: Subject.events(0..<2), note: Subject.note("a")),
      OutboxRecord(events: [], note: Subject.note("b")),
      OutboxRecord(events: Subject.events(2..<3)),
    ])
    #expect(Subject.note(of: outbox) == "b")
    outbox.close()
    outbox = try Subject.open(files)
    #expect(Subject.note(of: outbox) == "b")
    #expect(try Subject.numbers(outbox) == [0, 1, 2])
  }

  @Test func `the note outlives a tidy journal until it is said to be elsewhere`() throws {
    var outbox = try Subject.open(files)
    try outbox.append([OutboxRecord(events: Subject.events(0..<5), note: Subject.note("a"))])
    try outbox.seal(includingRest: true)
    for batch in outbox.batches { try outbox.remove(batch) }
    try outbox.tidy(isThorough: true)
    outbox.close()
    outbox = try Subject.open(files)
    #expect(Subject.note(of: outbox) == "a" && outbox.keptEvents == 0)
    outbox.forgetNote()
    try outbox.tidy(isThorough: true)
    outbox.close()
    outbox = try Subject.open(files)
    #expect(outbox.note == nil)
    #expect(files.paths.allSatisfy { !$0.hasSuffix(".journal") })
  }

  @Test func `the note is carried on while old segments go`() throws {
    var outbox = try Subject.open(files, OutboxLimits(batchEvents: 100))
    try outbox.append([OutboxRecord(events: Subject.events(0..<1), note: Subject.note("first"))])
    for start in stride(from: 1, to: 12_001, by: 1_000) {
      try outbox.append(Subject.events(start..<start + 1_000, padding: 1_000))
      while try !outbox.seal(includingRest: false) || outbox.batches.count > 2 {
        try outbox.remove(try #require(outbox.oldest))
      }
    }
    let segments = files.paths.filter { $0.hasSuffix(".journal") }
    #expect(segments.count < 4)
    outbox.close()
    outbox = try Subject.open(files)
    #expect(Subject.note(of: outbox) == "first")
  }

  @Test func `batches never mix what their events have in common`() throws {
    var outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<3))
    outbox.commonContent = Array("4.1".utf8)
    try outbox.append(Subject.events(3..<10))
    outbox.close()
    outbox = try Subject.open(files)
    outbox.commonContent = Array("4.2".utf8)
    try outbox.append(Subject.events(10..<12))
    let contents = try Subject.contents(outbox)
    #expect(contents.map(\.number) == Array(0..<12))
    let expected =
      Array(repeating: "", count: 3) + Array(repeating: "4.1", count: 7) + ["4.2", "4.2"]
    #expect(contents.map(\.content) == expected)
    #expect(outbox.batches.map(\.events) == [3, 5, 2, 2])
  }

  @Test func `a run without common content does not inherit that of the last`() throws {
    var outbox = try Subject.open(files)
    outbox.commonContent = Array("4.1".utf8)
    try outbox.append(Subject.events(0..<2))
    outbox.close()
    outbox = try Subject.open(files)
    try outbox.append(Subject.events(2..<3))
    #expect(try Subject.contents(outbox).map(\.content) == ["4.1", "4.1", ""])
  }

  @Test func `a batch ends inside of a record where it is full, over a relaunch too`() throws {
    var outbox = try Subject.open(files, OutboxLimits(batchEvents: 5, batchesAhead: 1))
    try outbox.append([OutboxRecord(events: Subject.events(0..<12), note: Subject.note("x"))])
    var found: [Int] = []
    while outbox.keptEvents > 0 {
      try outbox.seal(includingRest: true)
      let batch = try #require(outbox.oldest)
      found += Subject.numbers(try outbox.read(batch))
      try outbox.remove(batch)
      #expect(outbox.keptEvents == 12 - found.count)
      outbox.close()
      outbox = try Subject.open(files, OutboxLimits(batchEvents: 5, batchesAhead: 1))
    }
    #expect(found == Array(0..<12))
  }

  @Test func `events that do not start like JSON are kept as they are`() throws {
    let outbox = try Subject.open(files)
    let odd: [[UInt8]] = [[0x4d, 1], [0x43], Array("S0123456789abcdef".utf8), [0x52, 0, 0], []]
    try outbox.append(odd)
    #expect(outbox.unsealedEvents == 5)
    outbox.close()
    let again = try Subject.open(files)
    try again.seal(includingRest: true)
    let batch = try again.read(try #require(again.oldest))
    #expect(batch.count == 5)
    #expect(batch.events == Array(odd.joined(separator: SealedBatch.separator)))
  }

  @Test func `a mark is read as it was written, and a later version's is none`() throws {
    var mark = SealingMark()
    mark.newest = 9
    mark.unsealedEvents = 3
    mark.unsealedBytes = 44
    mark.cursor = SealingCursor(
      place: SealingPlace(end: .init(segment: 2, offset: 300), left: 4),
      content: [1, 2]
    )
    let from = SealingCursor(place: .start, content: [])
    mark.unsettled = [UnsettledBatch(number: 8, from: from, events: 5, bytes: 60)]
    let frame = mark.frame
    #expect(frame.withUnsafeBytes { SealingMark($0) } == mark)
    for length in 0..<frame.count - 32 {
      #expect(frame[..<length].withUnsafeBytes { SealingMark($0) } != mark)
    }
    var later = frame
    later[1] = 2
    #expect(later.withUnsafeBytes { SealingMark($0) } == nil)
  }
}
