import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Sealing ahead` {
  let files = MemoryFiles()
  let limits = OutboxLimits(batchEvents: 5, keptEvents: 40, batchesAhead: 2)

  @Test func `only a few batches wait, and each that goes makes room for the next`() throws {
    let outbox = try Subject.open(files, OutboxLimits(batchEvents: 5, batchesAhead: 2))
    try outbox.append(Subject.events(0..<23))
    let end = outbox.writtenEnd
    var found: [Int] = []
    try outbox.seal(includingRest: true)
    while let batch = outbox.oldest {
      #expect(outbox.batches.count <= 2)
      #expect(outbox.isSealed(through: end) == (outbox.unsealedEvents == 0))
      found += Subject.numbers(try outbox.read(batch))
      try outbox.remove(batch)
      if outbox.wantsSealing { try outbox.seal(includingRest: false) }
    }
    #expect(
      found == Array(0..<23),
      "what was due with the first call is sealed with the later ones"
    )
    #expect(outbox.keptEvents == 0)
  }

  @Test func `what was not due waits for a full batch`() throws {
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<7))
    try outbox.seal(includingRest: false)
    #expect(outbox.unsealedEvents == 2 && !outbox.wantsSealing)
    try outbox.remove(try #require(outbox.oldest))
    #expect(!outbox.wantsSealing)
  }

  @Test func `the caps drop the oldest events that are in no batch as well, counted exactly`()
    throws
  {
    var outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<57))
    try outbox.seal(includingRest: false)
    #expect(outbox.batches.count == 2)
    #expect(try outbox.enforceCaps(sparing: 1) == 17, "five in a batch, and twelve in none")
    #expect(outbox.keptEvents == 40)
    outbox.close()
    outbox = try Subject.open(files, Subject.small)
    #expect(outbox.keptEvents == 40)
    #expect(try Subject.numbers(outbox) == Array(0..<5) + Array(22..<57))
  }

  @Test func `the cap on bytes holds for events in no batch`() throws {
    let outbox = try Subject.open(
      files,
      OutboxLimits(batchEvents: 5, keptBytes: 10_000, batchesAhead: 2)
    )
    try outbox.append(Subject.events(0..<200, padding: 100))
    try outbox.seal(includingRest: true)
    let dropped = try outbox.enforceCaps(sparing: nil)
    #expect(outbox.keptBytes <= 10_000 && outbox.keptBytes > 9_500)
    #expect(outbox.keptEvents == 200 - dropped)
  }

  @Test func `of 501 batches of one event 500 remain, and the first is gone`() throws {
    let outbox = try Subject.open(files, OutboxLimits(keptBatches: 500, batchesAhead: .max))
    for number in 0..<501 {
      try outbox.append(Subject.events(number..<number + 1))
      try outbox.seal(includingRest: true)
    }
    #expect(try outbox.enforceCaps(sparing: nil) == 1)
    #expect(outbox.batches.count == 500)
    #expect(try Subject.numbers(outbox) == Array(1..<501))
  }

  @Test func `a kill while part of a batch is settled leaves the whole batch`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<5))
    try outbox.seal(includingRest: true)
    let batch = try outbox.read(try #require(outbox.oldest))
    #expect(!batch.bytes(of: 0..<2).isEmpty)
    files.endProcess()
    let again = try Subject.open(files)
    #expect(try again.read(try #require(again.oldest)) == batch)
  }

  @Test func `a batch whose file vanished is told as damaged, and can be removed`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<5))
    try outbox.seal(includingRest: true)
    let batch = try #require(outbox.oldest)
    files.setBytes(outbox.path(of: batch.fileName), nil)
    #expect(throws: OutboxError.damaged("Batch \(batch.fileName) is gone; its 5 events are lost."))
    {
      try outbox.read(batch)
    }
    files.endProcess()
    #expect(
      try Subject.numbers(try Subject.open(files)) == Array(0..<5),
      "the journal has them yet"
    )
  }
}
