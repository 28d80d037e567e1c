import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Batches put aside` {
  let files = MemoryFiles()

  /// An outbox with two batches of five events, the first of which a version put aside.
  private func prepared(by library: String) throws -> Outbox {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<10))
    try outbox.seal(includingRest: true)
    try outbox.setAside(try #require(outbox.oldest), library: library)
    #expect(outbox.oldest?.number == 2)
    return outbox
  }

  @Test func `they are taken back for another version of the library, and for that alone`() throws {
    try prepared(by: "1").close()
    let same = try Subject.open(files)
    #expect(try same.takeBackAside(library: "1") == 0)
    #expect(same.oldest?.number == 2)
    same.close()
    let other = try Subject.open(files)
    #expect(try other.takeBackAside(library: "2") == 1)
    #expect(other.oldest?.number == 1)
    #expect(try Subject.numbers(other) == Array(0..<10))
    // That version fares no better, and says so in the place of the first.
    try other.setAside(try #require(other.oldest), library: "2")
    other.close()
    #expect(try Subject.open(files).takeBackAside(library: "2") == 0)
  }

  @Test func `where nobody knows who put them aside they are tried again`() throws {
    try prepared(by: "1").close()
    files.setBytes(Subject.folder + "/aside", nil)
    #expect(try Subject.open(files).takeBackAside(library: "1") == 1)
  }

  @Test func `one that cannot be moved is not sent again in this run`() throws {
    let outbox = try Subject.open(files)
    try outbox.append(Subject.events(0..<10))
    try outbox.seal(includingRest: true)
    files.intercept { operation, _ in operation == .rename ? .fail(5) : nil }
    #expect(throws: OutboxError.self) {
      try outbox.setAside(try #require(outbox.oldest), library: "1")
    }
    #expect(outbox.oldest?.number == 2)
    #expect(outbox.keptEvents == 10)
    files.intercept(nil)
    files.endProcess()
    #expect(try Subject.open(files).oldest?.number == 1)
  }

  @Test func `what could not be taken back is tried at the next start, whoever puts more aside`()
    throws
  {
    try prepared(by: "1").close()
    let second = try Subject.open(files)
    files.intercept { operation, path in
      operation == .rename && path.hasSuffix(".unsupported") ? .fail(5) : nil
    }
    #expect(throws: OutboxError.self) { try second.takeBackAside(library: "2") }
    files.intercept(nil)
    try second.setAside(try #require(second.oldest), library: "2")
    second.close()
    #expect(try Subject.open(files).takeBackAside(library: "2") == 2)
  }

  @Test func `a process that adopts them tries them again`() throws {
    let folder = OutboxFolder(
      path: Subject.folder,
      limits: Subject.small,
      files: files,
      random: Subject.random
    )
    let main = try folder.open()
    let second = try folder.open()
    try second.append(Subject.events(0..<5))
    try second.seal(includingRest: true)
    try second.setAside(try #require(second.oldest), library: "1")
    second.close()
    #expect(try folder.adopt(into: main) == 5)
    #expect(try Subject.numbers(main.read(try #require(main.oldest))) == Array(0..<5))
  }
}
