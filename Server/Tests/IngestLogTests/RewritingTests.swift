import FootfallJournal
import FootfallSystem
import FootfallTesting
import Testing

@Suite struct `Rewriting a journal` {
  private func payloads(_ journal: Journal) throws -> [String] {
    var found: [String] = []
    _ = try journal.read(from: .start) { bytes, _ in
      found.append(String(decoding: bytes, as: UTF8.self))
    }
    return found
  }

  private func blank(_ text: String) -> (UnsafeRawBufferPointer) -> [UInt8]? {
    { bytes in
      bytes.elementsEqual(text.utf8) ? Array(repeating: UInt8(ascii: "-"), count: bytes.count) : nil
    }
  }

  @Test func `payloads are replaced, positions and the rest stay`() throws {
    let files = MemoryFiles()
    let journal = try Journal(folder: "/log", files: files)
    var ends: [JournalPosition] = []
    for text in ["one", "two", "three"] { ends.append(try journal.append(Array(text.utf8))) }
    try journal.seal()
    #expect(try journal.rewrite(blank("two")) == 1)
    #expect(try journal.rewrite(blank("two")) == 0)
    #expect(try payloads(journal) == ["one", "---", "three"])
    var found: [JournalPosition] = []
    _ = try journal.read(from: .start) { _, end in found.append(end) }
    #expect(found == ends)
    journal.close()
    let again = try Journal(folder: "/log", files: files)
    #expect(again.recovery.gaps.isEmpty)
    #expect(try payloads(again) == ["one", "---", "three"])
  }

  @Test func `a payload of another length is not taken, and what is open is left alone`() throws {
    let journal = try Journal(folder: "/log", files: MemoryFiles())
    try journal.append(Array("one".utf8))
    #expect(try journal.rewrite(blank("one")) == 0)
    try journal.seal()
    #expect(try journal.rewrite { _ in [1] } == 0)
    #expect(try payloads(journal) == ["one"])
  }

  /// The disk fails from each of its calls on; what is there afterwards is the old or the new, whole.
  @Test(arguments: 0..<12)
  func `a failure at any moment leaves every payload`(call: Int) throws {
    let files = MemoryFiles()
    let journal = try Journal(folder: "/log", files: files)
    for text in ["one", "two"] { try journal.append(Array(text.utf8)) }
    try journal.seal()
    let calls = Lock(0)
    files.intercept { _, _ in
      calls.withLock { calls in
        calls += 1
        return calls > call ? .fail(5) : nil
      }
    }
    do { _ = try journal.rewrite(blank("two")) } catch { #expect(calls.withLock { $0 } > call) }
    files.intercept(nil)
    journal.close()
    let again = try Journal(folder: "/log", files: files)
    #expect(try !files.list("/log").contains { $0.hasSuffix(".new") })
    let found = try payloads(again)
    #expect(found == ["one", "two"] || found == ["one", "---"])
    #expect(try again.rewrite(blank("two")) == (found.last == "two" ? 1 : 0))
    #expect(try payloads(again) == ["one", "---"])
  }
}
