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

  private func blank(_ text: String) -> @Sendable (UnsafeRawBufferPointer) -> [UInt8]? {
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

  @Test func `a segment that is removed meanwhile is passed over`() throws {
    for early in [true, false] {
      let files = MemoryFiles()
      let journal = try Journal(folder: "/log", files: files)
      for text in ["one", "two"] {
        try journal.append(Array(text.utf8))
        try journal.seal()
      }
      let segments = journal.segments.map(\.number)
      let isRemoved = Lock(false)
      let blank = blank("two")
      let count = try journal.rewrite { bytes in
        // Before the second segment is opened, or while it is read.
        let isNow = bytes.elementsEqual((early ? "one" : "two").utf8)
        if isNow,
          isRemoved.withLock({ done in
            defer { done = true }; return !done
          })
        {
          do { try journal.remove(segment: segments[1]) } catch { Issue.record(error) }
        }
        return blank(bytes)
      }
      #expect(count == 0)
      #expect(try payloads(journal) == ["one"])
      #expect(try !files.list("/log").contains { $0.hasSuffix(".new") })
    }
  }

  @Test func `two at once leave every payload`() throws {
    let files = MemoryFiles()
    let journal = try Journal(folder: "/log", files: files)
    let texts = (10..<90).map { "number \($0)" }
    for text in texts { try journal.append(Array(text.utf8)) }
    try journal.seal()
    let isReading = Monitor(false)
    let isSecondThrough = Monitor(false)
    let blank = blank("number 11")
    // The first has its draft on the disk, not in place, when the second begins.
    files.intercept { operation, path in
      guard operation == .sync, path.hasSuffix(".new") else { return nil }
      let isFirst = isReading.change { seen in
        defer { seen = true }
        return !seen
      }
      if isFirst { _ = isSecondThrough.wait(timeoutSeconds: 0.3) { $0 ? true : nil } }
      return nil
    }
    let first = try SystemThread(name: "first") {
      do { _ = try journal.rewrite(blank) } catch { Issue.record(error) }
    }
    _ = isReading.wait(timeoutSeconds: 60) { $0 ? true : nil }
    _ = try journal.rewrite(self.blank("number 12"))
    isSecondThrough.change { $0 = true }
    first.join()
    #expect(
      try payloads(journal)
        == texts.map { ["number 11", "number 12"].contains($0) ? "---------" : $0 }
    )
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
