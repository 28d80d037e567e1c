import FootfallOutbox
import FootfallTesting
import Testing

@Suite struct `Outbox folder` {
  let files = MemoryFiles()

  private func folder() -> OutboxFolder {
    OutboxFolder(
      path: Subject.folder,
      limits: Subject.small,
      files: files,
      random: Subject.random
    )
  }

  @Test func `a second and a third process work in folders of their own`() throws {
    let first = try folder().open()
    let second = try folder().open()
    let third = try folder().open()
    #expect(first.folder == Subject.folder)
    #expect(second.folder == Subject.folder + "/second-1")
    #expect(third.folder == Subject.folder + "/second-2")
    #expect(try folder().adopt(into: second) == 0, "only the main folder adopts")
  }

  @Test func `what other processes left is adopted when their locks are free`() throws {
    let main = try folder().open()
    let second = try folder().open()
    let third = try folder().open()
    try main.append(Subject.events(0..<2))
    try second.append(Subject.events(10..<17))
    try second.seal(includingRest: false)
    try third.append(Subject.events(20..<23))
    #expect(try folder().adopt(into: main) == 0, "both are still running")
    second.close()
    #expect(try folder().adopt(into: main) == 7)
    third.close()
    #expect(try folder().adopt(into: main) == 3)
    #expect(try folder().adopt(into: main) == 0)
    #expect(try Subject.numbers(main) == Array(10..<17) + Array(20..<23) + [0, 1])
    main.close()
    let again = try folder().open()
    #expect(try Subject.numbers(again) == Array(10..<17) + Array(20..<23) + [0, 1])
  }

  @Test func `a stop at any call while adopting loses nothing and doubles nothing`() throws {
    for call in 0...80 {
      let files = MemoryFiles()
      let folder = OutboxFolder(
        path: Subject.folder,
        limits: Subject.small,
        files: files,
        random: Subject.random
      )
      var main = try folder.open()
      let second = try folder.open()
      try main.append(Subject.events(0..<2))
      try second.append(Subject.events(10..<22))
      second.close()
      files.fail(after: call)
      do { _ = try folder.adopt(into: main) } catch {
        // That is the stop.
      }
      files.intercept(nil)
      files.endProcess()
      main = try folder.open()
      _ = try folder.adopt(into: main)
      #expect(try Subject.numbers(main).sorted() == [0, 1] + Array(10..<22), "call \(call)")
    }
  }

  @Test func `a power cut right after adopting loses nothing`() throws {
    let main = try folder().open()
    try main.append(Subject.events(0..<5))
    try main.seal(includingRest: true)
    try main.sync()
    let second = try folder().open()
    try second.append(Subject.events(10..<17))
    try second.seal(includingRest: true)
    second.close()
    #expect(try folder().adopt(into: main) == 7)
    files.losePower()
    let again = try folder().open()
    _ = try folder().adopt(into: again)
    #expect(try Subject.numbers(again).sorted() == Array(0..<5) + Array(10..<17))
  }

  @Test func `a lock of another program's process is respected`() throws {
    files.setBytes(Subject.folder + "/x", [])
    let main = try folder().open()
    let lock = try #require(files.paths.first { $0.contains("/journal/") && $0.hasSuffix("lock") })
    main.close()
    files.lockElsewhere(lock, process: 99)
    #expect(throws: OutboxError.locked(pid: 99)) { try Subject.open(files) }
    #expect(try folder().open().folder == Subject.folder + "/second-1")
  }
}
