import FootfallSystem
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
      let count = Lock(0)
      files.intercept { _, _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return number <= call ? nil : .fail(5)
      }
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
}
