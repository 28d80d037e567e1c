import FootfallCore
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `The outbox` {
  let files = MemoryFiles()

  @Test func `full batches are sealed and the rest waits in the journal`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<12))
    let isDone = try outbox.seal(includingRest: false)
    #expect(isDone)
    #expect(outbox.batches.map(\.events) == [5, 5])
    #expect(outbox.unsealedEvents == 2)
    #expect(outbox.keptEvents == 12)
    try outbox.seal(includingRest: true)
    #expect(outbox.batches.map(\.events) == [5, 5, 2])
    #expect(try Subject.numbers(outbox) == Array(0..<12))
  }

  @Test func `a batch never goes over its bytes, but a single event may`() throws {
    let limits = OutboxLimits(batchEvents: 50, batchBytes: 250, batchesAhead: .max)
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<6, padding: 60))
    try outbox.append([Subject.event(6, padding: 400)])
    try outbox.append([Subject.event(7)])
    #expect(try Subject.numbers(outbox) == Array(0..<8))
    #expect(outbox.batches.map(\.events) == [3, 3, 1, 1])
    for batch in outbox.batches where batch.events > 1 { #expect(batch.bytes <= 250) }
  }

  @Test func `a seal can be done in steps`() throws {
    let outbox = try Subject.open(files, Subject.small)
    try outbox.append(Subject.events(0..<5_000, padding: 200))
    var steps = 0
    while try !outbox.seal(includingRest: true, atMost: 10) { steps += 1 }
    #expect(steps > 3)
    #expect(try Subject.numbers(outbox) == Array(0..<5_000))
  }

  @Test func `the bytes of a batch are the same on every reading and after a relaunch`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<5))
    try outbox.seal(includingRest: true)
    let batch = try #require(outbox.oldest)
    let first = try outbox.read(batch)
    #expect(try outbox.read(batch) == first)
    outbox.close()
    let again = try Subject.open(files)
    #expect(again.oldest == batch)
    #expect(try again.read(batch) == first)
  }

  @Test func `parts of a batch are cut between events and join to the whole`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<5))
    try outbox.seal(includingRest: true)
    let batch = try outbox.read(try #require(outbox.oldest))
    #expect(Array(batch.bytes(of: 0..<5)) == batch.events)
    #expect(Array(batch.bytes(of: 2..<3)) == Subject.event(2))
    for middle in 1..<5 {
      let parts = [batch.bytes(of: 0..<middle), batch.bytes(of: middle..<5)]
      #expect(Array(parts.joined(separator: Array(",\n".utf8))) == batch.events)
    }
    #expect(batch.bytes(of: 5..<5).isEmpty)
    #expect(batch.bytes(of: 3..<9).isEmpty)
  }

  @Test func `beyond the cap the oldest batches go, but not the one in flight`() throws {
    let outbox = try Subject.open(
      files,
      OutboxLimits(batchEvents: 5, keptEvents: 20, batchesAhead: .max)
    )
    try outbox.append(Subject.events(0..<32))
    try outbox.seal(includingRest: true)
    #expect(try outbox.enforceCaps(sparing: 1) == 15)
    #expect(try Subject.numbers(outbox) == Array(0..<5) + Array(20..<32))
    #expect(try outbox.enforceCaps(sparing: nil) == 0)
  }

  @Test func `the cap on bytes counts as well, over a relaunch too`() throws {
    var outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<20, padding: 100))
    try outbox.seal(includingRest: true)
    let bytes = outbox.keptBytes
    outbox.close()
    outbox = try Subject.open(
      files,
      OutboxLimits(batchEvents: 5, keptBytes: bytes - 1, batchesAhead: .max)
    )
    #expect(outbox.keptBytes == bytes)
    #expect(try outbox.enforceCaps(sparing: nil) == 5)
    #expect(try Subject.numbers(outbox) == Array(5..<20))
  }

  @Test func `a batch put aside is not sent again, counts, and stays aside`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<10))
    try outbox.seal(includingRest: true)
    try outbox.setAside(try #require(outbox.oldest), library: "1")
    #expect(outbox.oldest?.number == 2)
    #expect(outbox.keptEvents == 10)
    #expect(files.paths.contains { $0.hasSuffix(".unsupported") })
    outbox.close()
    let again = try Subject.open(files)
    #expect(again.oldest?.number == 2)
    #expect(again.keptEvents == 10)
  }

  @Test func `once all is delivered nothing of it stays on the disk`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<12))
    try outbox.seal(includingRest: true)
    for batch in outbox.batches { try outbox.remove(batch) }
    try outbox.tidy(isThorough: true)
    #expect(outbox.keptEvents == 0)
    let rest = files.paths.compactMap { files.bytes($0) }
    #expect(!rest.contains { String(decoding: $0, as: UTF8.self).contains("\"id\"") })
    outbox.close()
    #expect(try Subject.numbers(try Subject.open(files)).isEmpty)
  }

  @Test func `removing everything removes it from journal and batches`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<12))
    try outbox.seal(includingRest: false)
    try outbox.removeAll()
    #expect(outbox.keptEvents == 0)
    let rest = files.paths.compactMap { files.bytes($0) }
    #expect(!rest.contains { String(decoding: $0, as: UTF8.self).contains("\"id\"") })
    try outbox.append(Subject.events(20..<22))
    #expect(try Subject.numbers(outbox) == [20, 21])
    outbox.close()
    #expect(try Subject.numbers(try Subject.open(files)) == [20, 21])
  }

  @Test func `files of others are left alone and mentioned once`() throws {
    _ = try Subject.open(files)
    let names = ["notes.txt", "1-2-3.batch", "000000000001-0-9.batch", "x-1-1.batch", ".batch"]
    for name in names { files.setBytes(Subject.folder + "/batches/" + name, [1]) }
    files.endProcess()
    let outbox = try Subject.open(files)
    #expect(outbox.batches.isEmpty)
    #expect(outbox.findings.count == 1)
    for name in names { #expect(files.bytes(Subject.folder + "/batches/" + name) == [1]) }
  }

  @Test func `every flipped bit of a batch file is noticed`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<2))
    try outbox.seal(includingRest: true)
    let batch = try #require(outbox.oldest)
    let path = outbox.path(of: batch.fileName)
    let bytes = try #require(files.bytes(path))
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << bit
        files.setBytes(path, damaged)
        #expect(throws: OutboxError.self) { try outbox.read(batch) }
      }
    }
    for length in bytes.indices {
      files.setBytes(path, Array(bytes[..<length]))
      #expect(throws: OutboxError.self) { try outbox.read(batch) }
    }
  }

  @Test func `a batch missing from the disk is no obstacle to removing it`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<5))
    try outbox.seal(includingRest: true)
    let batch = try #require(outbox.oldest)
    files.setBytes(outbox.path(of: batch.fileName), nil)
    #expect(throws: OutboxError.self) { try outbox.read(batch) }
    try outbox.remove(batch)
    #expect(outbox.keptEvents == 0)
  }

  @Test func `a full disk refuses events whole and takes them again later`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<3))
    files.setCapacity(0)
    #expect(throws: OutboxError.diskFull) { try outbox.append(Subject.events(3..<6)) }
    #expect(throws: OutboxError.diskFull) { try outbox.seal(includingRest: true) }
    #expect(outbox.keptEvents == 3)
    files.setCapacity(.max)
    try outbox.append(Subject.events(6..<9))
    #expect(try Subject.numbers(outbox) == [0, 1, 2, 6, 7, 8])
  }
}
