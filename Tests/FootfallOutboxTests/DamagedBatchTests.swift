import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Damaged batch` {
  private let files = MemoryFiles()
  private let events = ["{\"n\":1}", "{\"n\":2}", "{\"n\":3}"].map { Array($0.utf8) }

  private func open() throws -> Outbox {
    try Outbox(
      folder: "/outbox",
      limits: OutboxLimits(batchEvents: 2),
      files: files,
      random: { 7 }
    )
  }

  /// A batch of two events, and one event in the journal.
  private func prepared() throws -> Outbox {
    let outbox = try open()
    try outbox.append(events)
    try outbox.seal(includingRest: false)
    #expect(outbox.unsealedEvents == 1)
    return outbox
  }

  private var all: [[UInt8]] { [events[0] + SealedBatch.separator + events[1], events[2]] }

  @Test func `while the journal has its events it is sealed again`() throws {
    let outbox = try prepared()
    let batch = try #require(outbox.oldest)
    outbox.close()
    let path = outbox.path(of: batch.fileName)
    let bytes = try #require(files.bytes(path))
    let disk = files.copy()
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0xff
      let files = disk.copy()
      files.setBytes(path, damaged)
      let again = try Outbox(
        folder: "/outbox",
        limits: OutboxLimits(batchEvents: 2),
        files: files,
        random: { 7 }
      )
      try again.seal(includingRest: true)
      #expect(try again.batches.map { try again.read($0).events } == all, "byte \(place)")
    }
  }

  @Test func `later it costs its own events and none that were written after it`() throws {
    let outbox = try prepared()
    try outbox.settle()
    let batch = try #require(outbox.oldest)
    outbox.close()
    let path = outbox.path(of: batch.fileName)
    let bytes = try #require(files.bytes(path))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0xff
      files.setBytes(path, damaged)
      let again = try open()
      #expect(again.unsealedEvents == 1, "byte \(place)")
      #expect(again.oldest == batch)
      #expect(throws: OutboxError.self) { try again.read(batch) }
      again.close()
    }
    files.setBytes(path, bytes)
    let whole = try open()
    try whole.seal(includingRest: true)
    #expect(try whole.batches.map { try whole.read($0).events } == all)
  }
}
