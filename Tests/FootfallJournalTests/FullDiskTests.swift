import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite struct `A disk that refuses` {
  @Test func `a full disk refuses a record whole, and the journal works again with space`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("before")
    // Room for any part of the record leaves nothing of it behind.
    let used = files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) }
    for room in 0..<20 {
      files.setCapacity(used + room)
      #expect(throws: JournalError.diskFull, "room for \(room) bytes") {
        try journal.append("refused!")
      }
      #expect(try journal.texts() == ["before"])
      #expect(files.bytes(files.segmentPaths[0])?.count == Int(journal.end.offset))
    }
    files.setCapacity(.max)
    try journal.append("after")
    try journal.sync()
    #expect(try journal.texts() == ["before", "after"])
    #expect(journal.segments.count == 1)
  }

  @Test func `a full disk that cannot take a new segment loses nothing but the new record`() throws
  {
    let files = MemoryFiles()
    let journal = try open(files)
    let used = files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) }
    for room in 0..<76 {
      files.setCapacity(used + room)
      #expect(throws: JournalError.diskFull) { try journal.append("x") }
    }
    files.setCapacity(.max)
    try journal.append("after")
    #expect(try journal.texts() == ["after"])
    #expect(try open(files.copy()).texts() == ["after"])
  }

  @Test func `segments can be removed from a full disk to make space`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let number = try journal.append(String(repeating: "x", count: 500)).segment
    try journal.seal()
    files.setCapacity(0)
    #expect(throws: JournalError.diskFull) { try journal.append("refused") }
    files.setCapacity(files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) })
    try journal.remove(segment: number)
    try journal.append("fits now")
    #expect(try journal.texts() == ["fits now"])
  }

  @Test(arguments: [1, 5, 11, 13, 63])
  func `short writes are continued`(bytes: Int) throws {
    let files = MemoryFiles()
    files.intercept { operation, _ in operation == .write ? .short(bytes) : nil }
    let journal = try open(files)
    for number in 0..<5 { try journal.append("record \(number)") }
    journal.close()
    #expect(try open(files).texts() == (0..<5).map { "record \($0)" })
  }

  @Test func `a write that stops half way leaves no half frame in the middle`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("before")
    files.failWrites(after: 1, short: 7)
    #expect(throws: JournalError.self) { try journal.append("refused") }
    files.intercept(nil)
    try journal.append("after")
    journal.close()
    let again = try open(files)
    #expect(try again.texts() == ["before", "after"])
    #expect(again.recovery.gaps.isEmpty && again.recovery.tornTail == nil)
  }

  @Test func `where the half frame cannot be cut off, a new segment starts`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("durable")
    try journal.sync()
    try journal.append("written")
    files.failWrites(after: 1, short: 7, alsoFailing: .truncate)
    #expect(throws: JournalError.self) { try journal.append("refused") }
    files.intercept(nil)
    try journal.append("after")
    try journal.sync()
    #expect(journal.segments.count == 2)
    let (payloads, read) = try journal.everything()
    #expect(
      payloads.map { String(decoding: $0, as: UTF8.self) } == ["durable", "written", "after"]
    )
    #expect(read.gaps.isEmpty)
  }

  @Test func `a group is in the journal whole or not at all`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("before")
    let used = files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) }
    files.setCapacity(used + 30)
    let group = ["one", "two", "three"].map { Array($0.utf8) }
    #expect(throws: JournalError.diskFull) { try journal.append(group) }
    #expect(try journal.texts() == ["before"])
    files.setCapacity(.max)
    try journal.append(group)
    #expect(try journal.texts() == ["before", "one", "two", "three"])
  }

  @Test func `a read-only disk is called that, at opening and later`() throws {
    let files = MemoryFiles()
    files.setReadOnly(true)
    #expect(throws: JournalError.readOnly) { try open(files) }
    files.setReadOnly(false)
    let journal = try open(files)
    try journal.append("before")
    files.setReadOnly(true)
    #expect(throws: JournalError.readOnly) { try journal.append("refused") }
    #expect(try journal.texts() == ["before"])
    files.setReadOnly(false)
    try journal.append("after")
    #expect(try journal.texts() == ["before", "after"])
  }

  @Test func `a segment deleted under the journal is noticed by the next sync`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("one")
    files.setBytes(files.segmentPaths[0], nil)
    try journal.sync()
    journal.close()
    #expect(try open(files).texts() == ["one"])
  }
}

extension MemoryFiles {
  /// Cuts the next write short and fails those after it; `alsoFailing` fails every time.
  func failWrites(after count: Int, short: Int, alsoFailing other: SystemError.Operation? = nil) {
    let writes = Lock(0)
    intercept { operation, _ in
      if let other, operation == other { return .fail(Code.inputOutput) }
      guard operation == .write else { return nil }
      let number = writes.withLock { writes in
        writes += 1
        return writes
      }
      return number <= count ? .short(short) : .fail(Code.inputOutput)
    }
  }
}
