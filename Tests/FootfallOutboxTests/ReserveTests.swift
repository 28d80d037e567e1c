import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Room for a full disk` {
  let files = MemoryFiles()
  let limits = OutboxLimits(batchBytes: 100_000, reserveBytes: 200_000)
  let reserve = Subject.folder + "/reserve"

  /// Leaves no room beside what is there.
  private func fill() {
    files.setCapacity(files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) })
  }

  @Test func `the reserve is written with the first event, once, with bytes of its own`() throws {
    let outbox = try Subject.open(files, limits)
    #expect(files.bytes(reserve) == nil)
    try outbox.append(Subject.events(0..<1))
    let bytes = try #require(files.bytes(reserve))
    #expect(bytes.count == 200_000)
    #expect(Set(bytes.prefix(4_096)).count > 200)
    outbox.close()
    let again = try Subject.open(files, limits)
    try again.append(Subject.events(1..<2))
    #expect(files.bytes(reserve) == bytes)
  }

  @Test func `half a reserve is written anew`() throws {
    try Subject.open(files, limits).close()
    files.setBytes(reserve, [1, 2, 3])
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<1))
    #expect(files.bytes(reserve)?.count == 200_000)
  }

  @Test func `a backlog larger than the reserve leaves a full disk batch by batch`() throws {
    let outbox = try Subject.open(files, limits)
    for start in 0..<20 {
      try outbox.append(Subject.events(start * 100..<start * 100 + 100, padding: 1_000))
    }
    fill()
    #expect(throws: OutboxError.diskFull) { try outbox.append(Subject.events(9_000..<9_001)) }
    var sent: [Int] = []
    while outbox.unsealedEvents > 0 {
      try outbox.seal(includingRest: true)
      #expect(files.bytes(reserve) == nil)
      if outbox.unsealedEvents > 0 {
        // Nothing new takes the room that the next batch needs.
        #expect(throws: OutboxError.diskFull) { try outbox.append(Subject.events(9_001..<9_002)) }
      }
      while let batch = outbox.oldest {
        sent += Subject.numbers(try outbox.read(batch))
        try outbox.remove(batch)
      }
    }
    #expect(sent == Array(0..<2_000))
    try outbox.tidy(isThorough: true)
    try outbox.append(Subject.events(9_002..<9_003))
    #expect(files.bytes(reserve)?.count == 200_000)
    #expect(try Subject.numbers(outbox) == [9_002])
  }

  @Test func `a kill while the reserve is given up loses nothing`() throws {
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<300, padding: 1_000))
    fill()
    try outbox.seal(includingRest: true)
    let killed = files.copy()
    #expect(killed.bytes(reserve) == nil)
    let again = try Subject.open(killed, limits)
    var sent: [Int] = []
    while again.keptEvents > 0 {
      try again.seal(includingRest: true)
      guard let batch = again.oldest else { break }
      sent += Subject.numbers(try again.read(batch))
      try again.remove(batch)
    }
    #expect(sent == Array(0..<300))
  }

  @Test func `removing everything gives the reserve up as well`() throws {
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<3))
    try outbox.removeAll()
    #expect(files.bytes(reserve) == nil)
    try outbox.append(Subject.events(3..<4))
    #expect(files.bytes(reserve) != nil)
  }

  @Test func `a batch that cannot be removed is not sent again in this run`() throws {
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<3))
    try outbox.seal(includingRest: true)
    let batch = try #require(outbox.oldest)
    files.intercept { operation, path in
      operation == .remove && path.hasSuffix(".batch") ? .fail(5) : nil
    }
    #expect(throws: OutboxError.self) { try outbox.remove(batch) }
    #expect(outbox.oldest == nil && outbox.keptEvents == 0)
    files.intercept(nil)
    try outbox.removeAll()
    #expect(!files.paths.contains { $0.hasSuffix(".batch") })
  }
}
