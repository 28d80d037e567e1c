import Catalog
import EventRecord
import EventStore
import FootfallSystem
import Foundation
import Ingest
import IngestLog
import Synchronization
import Testing

@testable import ServerApp

@Suite struct `Housekeeping` {
  private static let day: Int64 = 86_400_000
  private static let now: Int64 = 1_796_117_400_000

  private static func events(_ ages: [(name: String, days: Int64)]) -> [StoredEvent] {
    ages.enumerated().map { number, event in
      StoredEvent(
        key: EventKey(high: 1, low: UInt64(number)),
        project: 1,
        name: event.name,
        timestampMs: now - event.days * day,
        id: "\(event.name) \(event.days)"
      )
    }
  }

  private func keeper(
    _ fixture: FolderFixture,
    _ store: InMemoryEventStore,
    _ reports: Lock<[String]> = Lock([]),
    slice: Int = 2,
    slices: Int = 100,
    nowMs: @escaping @Sendable () -> Int64 = { now }
  ) throws -> (Housekeeper, Catalog) {
    let catalog = try Catalog(path: fixture.data.catalogue)
    var settings = Housekeeper.Settings()
    settings.slice = slice
    settings.slices = slices
    settings.pauseSeconds = 0
    let keeper = Housekeeper(
      catalog: catalog,
      store: store,
      log: try IngestLog(folder: fixture.path + "/log"),
      usage: UsageMeter(),
      data: fixture.data,
      settings: settings,
      nowMs: nowMs,
      report: { line in reports.withLock { $0.append(line) } }
    )
    return (keeper, catalog)
  }

  @Test func `removes what no rule keeps, a name by its own time, and notes it`() throws {
    let fixture = try FolderFixture()
    let store = InMemoryEventStore(
      Self.events([
        ("A", 5), ("A", 31), ("A", 29), ("B", 31), ("B", 8), ("B", 6), ("C", 31), ("C", 399),
        ("C", 401), ("A", 32), ("A", 33),
      ])
    )
    let (keeper, catalog) = try keeper(fixture, store)
    keeper.applyRetention()
    #expect(store.events.count == 11)
    #expect(try catalog.retentionRun(project: 1) == nil)
    try catalog.setRules(
      ProjectRules(
        retentionDays: 30,
        names: [.init(name: "B", days: 7), .init(name: "C", days: 400)]
      ),
      project: 1
    )
    keeper.applyRetention()
    #expect(store.events.map(\.id) == ["A 5", "A 29", "B 6", "C 31", "C 399"])
    #expect(try catalog.retentionRun(project: 1)?.removed == 6)
    #expect(keeper.removed.load(ordering: .relaxed) == 6)
    keeper.applyRetention()
    #expect(try catalog.retentionRun(project: 1)?.removedInTotal == 6)
  }

  @Test func `a start under a wrong clock removes nothing, and is said`() throws {
    let fixture = try FolderFixture()
    let store = InMemoryEventStore(Self.events([("A", 1), ("A", 29), ("A", 31)]))
    let reports = Lock([String]())
    let now = Lock(Self.now)
    let (keeper, catalog) = try keeper(fixture, store, reports) { now.withLock { $0 } }
    try catalog.setRules(ProjectRules(retentionDays: 30), project: 1)
    keeper.applyRetention()
    #expect(store.events.map(\.id) == ["A 1", "A 29"])
    now.withLock { $0 += 400 * Self.day }
    keeper.applyRetention()
    keeper.applyRetention()
    #expect(store.events.map(\.id) == ["A 1", "A 29"])
    #expect(reports.withLock { $0.count } == 1)
    #expect(reports.withLock { $0.first?.contains("Set the clock") } == true)
    let findings = Doctor(ServerSettings(data: fixture.data), nowMs: now.withLock { $0 }).examine()
    #expect(findings.first { $0.name == "Retention" }?.isProblem == true)
    now.withLock { $0 = Self.now + Self.day * 2 }
    keeper.applyRetention()
    #expect(store.events.map(\.id) == ["A 1"])
    #expect(reports.withLock { $0.count } == 2)
  }

  @Test(
    arguments: [
      // Days that the clock shows one after the other, and the days that are gone by.
      ([0, 1, 3, 5], [0, 1, 3, 5]), ([0, 400, 1], [0, 0, 1]), ([0, -400, -399], [0, -400, -399]),
      ([0, 400, 400, 401, 402], [0, 0, 0, 401, 402]), ([0, 400, 500, 501], [0, 0, 0, 501]),
      ([0, 400, 402, 404], [0, 0, 402, 404]), ([0, 400, 403, 404], [0, 0, 0, 404]),
      ([0, -400, 0, 1], [0, -400, -400, 1]), ([0, 400, 2, 401, 402], [0, 0, 2, 2, 402]),
    ] as [([Int64], [Int64])]
  )
  func `the retention follows a clock that leaps ahead after a day`(
    shown: [Int64],
    goneBy: [Int64]
  ) {
    var clock = RetentionClock(trustedMs: Self.now)
    let times = shown.map { clock.receive(nowMs: Self.now + $0 * Self.day) }
    #expect(times == goneBy.map { Self.now + $0 * Self.day })
  }

  @Test func `before it kept a time, the retention goes by the last day of a server`() throws {
    let fixture = try FolderFixture()
    let catalog = try Catalog(path: fixture.data.catalogue)
    #expect(try RetentionClock(of: catalog, nowMs: 5).trustedMs == 5)
    try catalog.noteDisk(bytes: 1)
    let today = try #require(try catalog.diskDays(fromDay: 0).last?.day)
    var clock = try RetentionClock(of: catalog, nowMs: (today + 400) * Self.day)
    #expect(clock.trustedMs == (today + 1) * Self.day - 1)
    #expect(clock.receive(nowMs: (today + 400) * Self.day) == clock.trustedMs)
    try clock.keep(in: catalog)
    #expect(try RetentionClock(of: catalog, nowMs: 0) == clock)
  }

  @Test func `one run is bounded, the next goes on`() throws {
    let fixture = try FolderFixture()
    let store = InMemoryEventStore(Self.events((0..<10).map { ("A", 40 + $0) }))
    let (keeper, catalog) = try keeper(fixture, store, slice: 2, slices: 3)
    try catalog.setRules(ProjectRules(retentionDays: 30), project: 1)
    keeper.applyRetention()
    #expect(store.events.count == 4)
    keeper.applyRetention()
    #expect(store.events.isEmpty)
  }

  @Test func `a store that fails is told of once, and tried again`() throws {
    let fixture = try FolderFixture()
    let store = InMemoryEventStore(Self.events([("A", 40)]))
    let reports = Lock([String]())
    let (keeper, catalog) = try keeper(fixture, store, reports)
    try catalog.setRules(ProjectRules(retentionDays: 30), project: 1)
    store.fail(with: .unavailable("it is away"))
    keeper.applyRetention()
    keeper.applyRetention()
    store.fail(with: nil)
    keeper.applyRetention()
    #expect(store.events.isEmpty)
    let told = reports.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.first?.contains("it is away") == true)
    #expect(told.last == "The retention of events works again.")
  }

  @Test(
    arguments: [
      ([DiskDay(day: 1, bytes: 100), DiskDay(day: 11, bytes: 1_100)], 100, 50),
      ([DiskDay(day: 1, bytes: 100), DiskDay(day: 2, bytes: 101)], 1, 5_000),
      ([DiskDay(day: 1, bytes: 100)], nil, nil), ([], nil, nil),
      ([DiskDay(day: 1, bytes: 100), DiskDay(day: 2, bytes: 90)], nil, nil),
      ([DiskDay(day: 1, bytes: 0), DiskDay(day: 9, bytes: 4)], 1, 5_000),
    ] as [([DiskDay], Int64?, Int64?)]
  )
  func `a forecast follows the days that are known`(
    days: [DiskDay],
    perDay: Int64?,
    left: Int64?
  ) {
    let forecast = DiskForecast(days, freeBytes: 5_000)
    #expect(forecast.bytesPerDay == perDay)
    #expect(forecast.daysLeft == left)
  }

  @Test(arguments: [(0, false), (80, false), (81, true), (200, true)])
  func `the log is short of room over four fifths of its cap`(waiting: UInt64, isShort: Bool) {
    #expect(LogRoom(unloadedBytes: waiting, maxBytes: 100).isShort == isShort)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1_023, "1023 bytes"), (1_536, "1.5 KiB"), (16 << 30, "16 GiB"),
      (.max, "16384 PiB"),
    ] as [(UInt64, String)]
  )
  func `sizes are written for people`(bytes: UInt64, text: String) {
    #expect(Bytes.text(bytes) == text)
  }
}
