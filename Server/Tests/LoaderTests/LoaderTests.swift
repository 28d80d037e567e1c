import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import IngestLog
import Loader
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Loading the log` {
  private func loader(
    _ log: IngestLog,
    _ store: any EventStore,
    _ folder: TemporaryFolder,
    feed: LiveFeed = LiveFeed(),
    report: @escaping @Sendable (String) -> Void = { _ in },
    erased: @escaping @Sendable () throws -> EraseList = { EraseList() }
  ) -> Loader {
    var settings = LoaderSettings()
    settings.firstRetrySeconds = 0.001
    settings.maxRetrySeconds = 0.01
    settings.intervalSeconds = 0
    settings.busyIntervalSeconds = 0
    return Loader(
      log: log,
      store: store,
      feed: feed,
      poisonFolder: PoisonFolder(path: folder.path + "/poison"),
      settings: settings,
      erased: erased,
      report: report
    )
  }

  @Test func `loads nothing while nobody can say what was erased`() throws {
    struct Unreadable: Error {}
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let store = try TestLibrary.open(in: folder.path)
    let asked = Lock(0)
    let loader = loader(
      log,
      store,
      folder,
      erased: {
        let count = asked.withLock { count in
          count += 1
          return count
        }
        guard count > 3 else { throw Unreadable() }
        return EraseList()
      }
    )
    log.add(TestRecords.request(0..<10))
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(asked.withLock { $0 } >= 4)
    #expect(loader.status.stored == 10 && loader.status.batches == 1)
    store.close()
    log.close()
  }

  @Test func `moves events to the store in the order of the log and goes on after a restart`()
    throws
  {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    for round in 0..<3 {
      let store = try TestLibrary.open(in: folder.path)
      let loader = loader(log, store, folder)
      try loader.start()
      log.add(TestRecords.request(round * 20..<round * 20 + 10))
      log.add(TestRecords.request(round * 20 + 10..<round * 20 + 20))
      #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
      loader.stop()
      #expect(loader.status.stored == 20)
      #expect(loader.status.lagBytes == 0)
      #expect(try store.sequences() == (0..<Int64(round * 20 + 20)).map(\.self))
      store.close()
    }
    log.close()
  }

  @Test func `counts what the store had already`() throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let store = try TestLibrary.open(in: folder.path)
    let loader = loader(log, store, folder)
    try loader.start()
    log.add(TestRecords.request(0..<10), TestRecords.request(5..<15))
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(loader.status.stored == 15)
    #expect(loader.status.duplicates == 5)
    log.close()
  }

  @Test func `tells the feed about the stored events of watched projects`() throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let feed = LiveFeed()
    let subscription = feed.subscribe(project: 2) {}
    let loader = loader(log, try TestLibrary.open(in: folder.path), folder, feed: feed)
    try loader.start()
    log.add(
      TestRecords.request(0..<2),
      TestRecords.request(7..<9, project: 2),
      TestRecords.request(8..<10, project: 2)
    )
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(subscription.take().events.map(\.sequence) == [7, 8, 9])
    log.close()
  }

  /// A store that fails before or after its commit, in every order of three steps.
  @Test(arguments: 0..<27)
  func `stores each event once whatever step fails`(combination: Int) throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let inner = try TestLibrary.open(in: folder.path)
    let kinds: [FailingStore.Step] = [.works, .failsBefore(.engine("no space")), .failsAfter]
    let steps = [combination % 3, combination / 3 % 3, combination / 9].map { kinds[$0] }
    let loader = loader(log, FailingStore(inner, steps), folder)
    log.add(TestRecords.request(0..<5))
    try loader.start()
    log.add(TestRecords.request(5..<10))
    log.add(TestRecords.request(10..<15))
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(try inner.sequences() == (0..<15).map(\.self))
    log.close()
  }

  @Test func `while the store fails the log grows and the status says why`() throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let inner = InMemoryEventStore()
    let reports = Lock<[String]>([])
    let failed = Monitor(0)
    let reason = StoreError.unavailable("the library is missing")
    inner.fail(with: reason)
    let loader = loader(log, inner, folder) { text in
      reports.withLock { $0.append(text) }
      failed.change { $0 += 1 }
    }
    try loader.start()
    log.add(TestRecords.request(0..<5))
    failed.wait { $0 > 0 ? () : nil }
    #expect(loader.status.problem == reason.description)
    #expect(loader.status.lagBytes > 0)
    log.add(TestRecords.request(5..<10))
    inner.fail(with: nil)
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(inner.events.map(\.sequence) == (0..<10).map(\.self))
    #expect(loader.status.problem == nil)
    // Said once, however often it was tried.
    #expect(reports.withLock { $0.count { $0.contains("missing") } } == 1)
    log.close()
  }

  @Test func `a record that cannot be read is set aside and stops nothing`() throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let store = try TestLibrary.open(in: folder.path)
    let loader = loader(log, store, folder)
    let poison: [UInt8] = [9, 9, 9]
    log.add(TestRecords.request(0..<5), poison, TestRecords.request(5..<10))
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(try store.sequences() == (0..<10).map(\.self))
    #expect(loader.status.poisonRecords == 1)
    let files = PosixFiles()
    let names = try files.list(folder.path + "/poison").filter { $0.hasSuffix(".record") }
    #expect(try names.map { try files.readAll(folder.path + "/poison/" + $0) } == [poison])
    log.close()
  }

  @Test(arguments: 0..<8)
  func `a record whose rows the store refuses is found and set aside alone`(place: Int) throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let inner = try TestLibrary.open(in: folder.path)
    let requests = (0..<8).map { TestRecords.request($0..<$0 + 1) }
    let store = FailingStore(inner, [.refusesRecord(containing: requests[place])])
    let loader = loader(log, store, folder)
    for request in requests { log.add(request) }
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(try inner.sequences() == (0..<8).filter { $0 != place }.map { Int64($0) })
    #expect(loader.status.poisonRecords == 1)
    log.close()
  }

  @Test func `another log is loaded into the same store from its start`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(in: folder.path)
    for (number, name) in ["first", "second", "first"].enumerated() {
      let log = try IngestLog(folder: folder.path + "/" + name)
      log.add(TestRecords.request(number * 10..<number * 10 + 10))
      let loader = loader(log, store, folder)
      try loader.start()
      #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
      loader.stop()
      #expect(loader.status.stored == 10)
      log.close()
    }
    #expect(try store.sequences() == (0..<30).map(\.self))
  }

  @Test(arguments: [true, false])
  func `what comes after the last segment was deleted is loaded, all of it`(
    isNoteDeleted: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(in: folder.path)
    let files = PosixFiles()
    for run in 0..<4 {
      // The third run comes upon a log without its last segment, the fourth upon one without any.
      for name in try run < 2 ? [] : files.list(folder.path + "/log")
      where name.hasSuffix(".journal") && (run == 3 || name.hasPrefix("000000000002-"))
        || isNoteDeleted && name == "journal.last"
      {
        try files.remove(folder.path + "/log/" + name)
      }
      let log = try IngestLog(folder: folder.path + "/log")
      _ = try log.goOn(beyond: store.position(ofLog: log.id) ?? .start)
      let loader = loader(log, store, folder)
      try loader.start()
      // More than before, so that a number given out twice would be half read.
      let first = run * 100
      for number in stride(from: first, to: first + 20 * (run + 1), by: 10) {
        log.add(TestRecords.request(number..<number + 10))
      }
      #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
      loader.stop()
      #expect(loader.status.stored == 20 * (run + 1))
      log.close()
    }
    store.close()
  }

  @Test func `of a log that was replaced by an older copy, what was added since is loaded`() throws
  {
    let folder = try TemporaryFolder()
    let store = InMemoryEventStore()
    let log = try IngestLog(folder: folder.path + "/log")
    log.add(TestRecords.request(0..<5))
    var batch = LoadBatch(log: log.id)
    batch.end = JournalPosition(segment: 99, offset: 0)
    _ = try store.load(batch)
    let loader = loader(log, store, folder)
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    #expect(store.events.count == 5)
    log.add(TestRecords.request(5..<8))
    #expect(log.durableEnd.segment == 100)
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    #expect(store.events.count == 8)
    loader.stop()
    log.close()
  }

  @Test func `tells of records that cannot be read any more, and loads the rest`() throws {
    let folder = try TemporaryFolder()
    var log = try IngestLog(folder: folder.path + "/log")
    for start in [0, 10, 20] { log.add(TestRecords.request(start..<start + 10)) }
    let end = log.durableEnd
    log.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/log")
    let name = try #require(names.first { $0.hasSuffix(".journal") })
    let path = folder.path + "/log/" + name
    var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
    bytes[Int(end.offset) / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    log = try IngestLog(folder: folder.path + "/log")
    let store = InMemoryEventStore()
    let lost = Lock([JournalGap]())
    let loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder.path + "/poison"),
      lost: { gaps in lost.withLock { $0 += gaps } }
    )
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 30))
    loader.stop()
    #expect(store.events.count == 20)
    #expect(lost.withLock { $0.map(\.reason) } == [.damaged])
    log.close()
  }

  @Test func `stops at once while it waits to try again`() throws {
    let folder = try TemporaryFolder()
    let log = try IngestLog(folder: folder.path + "/log")
    let store = UnavailableEventStore(reason: .unavailable("not here"))
    var settings = LoaderSettings()
    settings.firstRetrySeconds = 3_600
    settings.maxRetrySeconds = 3_600
    let failed = Monitor(false)
    let loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder.path + "/poison"),
      settings: settings,
      report: { _ in failed.change { $0 = true } }
    )
    try loader.start()
    failed.wait { $0 ? () : nil }
    loader.stop()
    #expect(loader.status.failures == 1)
    log.close()
  }
}
