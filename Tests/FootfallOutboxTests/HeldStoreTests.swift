import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Held store` {
  let files = MemoryFiles()

  private func open(_ files: MemoryFiles) throws -> HeldStore {
    try HeldStore(clientFolder: "/app", files: files, random: Subject.random)
  }

  @Test func `what was added is there after a kill, until it is cleared`() throws {
    var held = try open(files)
    #expect(try held.all().isEmpty && held.damaged == 0)
    try held.append([1, 2])
    try held.append([3])
    files.endProcess()
    held = try open(files)
    #expect(try held.all() == [[1, 2], [3]])
    try held.append([4])
    #expect(try held.all() == [[1, 2], [3], [4]])
    try held.clear()
    #expect(try held.all().isEmpty)
    try held.append([5])
    files.endProcess()
    #expect(try open(files).all() == [[5]])
    #expect(files.paths.allSatisfy { $0.hasPrefix("/app/held/") })
  }

  @Test func `a damaged record is counted and costs no other`() throws {
    let held = try open(files)
    for number in 0..<3 { try held.append(Array("record \(number)".utf8)) }
    held.close()
    let path = try #require(files.paths.first { $0.hasSuffix(".journal") })
    var bytes = try #require(files.bytes(path))
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("d 1".utf8)) })
    bytes[place] ^= 1
    files.setBytes(path, bytes)
    let again = try open(files)
    #expect(try again.all() == [Array("record 0".utf8), Array("record 2".utf8)])
    #expect(again.damaged == 1)
  }

  @Test func `a kill at any call loses nothing that was added and brings nothing back`() throws {
    for call in 0...60 {
      let files = MemoryFiles()
      files.fail(after: call)
      var (kept, undecided): (Set<UInt8>, Set<UInt8>) = ([], [])
      do {
        let held = try open(files)
        for number in UInt8(0)..<6 {
          undecided = [number]
          try held.append([number])
          kept.insert(number)
          if number == 3 {
            undecided = kept
            kept = []
            try held.clear()
          }
          undecided = []
        }
      } catch {
        // That is the stop.
      }
      files.intercept(nil)
      files.endProcess()
      let found = Set(try open(files).all().compactMap(\.first))
      #expect(kept.isSubset(of: found), "call \(call)")
      #expect(found.isSubset(of: kept.union(undecided)), "call \(call)")
    }
  }

  @Test func `what is cleared may stay on disk until it is removed, and there is not much of it`()
    throws
  {
    let held = try open(files)
    for number in 0..<200 {
      try held.append(Array(repeating: UInt8(number), count: 4_000))
      try held.clear()
      let bytes = files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) }
      #expect(bytes < 300_000)
    }
    try held.append([7])
    #expect(try held.all() == [[7]])
    try held.clear()
    try held.removeAll()
    #expect(!files.paths.contains { $0.hasSuffix(".journal") })
  }

  @Test func `a full disk does not keep what is held from being cleared`() throws {
    let held = try open(files)
    try held.append([1])
    files.setCapacity(0)
    try held.clear()
    #expect(try held.all().isEmpty)
  }

  @Test func `what must not be merged with what is before is told apart`() throws {
    let held = try open(files)
    try held.append([[1], [2]])
    try held.append([[3], [4]], beginsSet: true)
    #expect(try held.sets() == [[[1], [2]], [[3], [4]]])
    try held.clear()
    #expect(try held.sets().isEmpty)
  }
}

@Suite struct `Held records of another process` {
  @Test func `a stop at any call while they are adopted loses none`() throws {
    for call in 0...120 {
      let files = MemoryFiles()
      let folder = OutboxFolder(
        path: "/app",
        limits: Subject.small,
        files: files,
        random: Subject.random
      )
      let first = try folder.open()
      let second = try folder.open()
      #expect(second.folder == "/app/second-1")
      let held = try HeldStore(
        clientFolder: second.folder,
        files: files,
        random: Subject.random
      )
      try held.append([[1], [2]])
      held.close()
      second.close()
      files.fail(after: call)
      do { _ = try folder.adopt(into: first) } catch {
        // That is the stop.
      }
      files.intercept(nil)
      files.endProcess()
      _ = try folder.adopt(into: try folder.open())
      let sets = try HeldStore(clientFolder: "/app", files: files, random: Subject.random).sets()
      // Once or, if it was stopped before the other's was cleared, twice; never in part.
      #expect(!sets.isEmpty && sets.allSatisfy { $0 == [[1], [2]] }, "call \(call)")
    }
  }
}
