import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import IngestLog
import Loader
import Testing

/// What the child processes do; they are killed or end by themselves.
private enum Child {
  /// Loads a growing log until it is killed: after `microseconds`, at whatever it does then.
  static func loadUntilKilled(in folder: String, microseconds: UInt64) throws {
    let log = try IngestLog(folder: folder + "/log")
    let store = try TestLibrary.open(in: folder)
    var settings = LoaderSettings()
    settings.intervalSeconds = 0
    let loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder + "/poison"),
      settings: settings
    )
    var next = try log.sequences().count
    try loader.start()
    let start = MonotonicTime.now()
    let killer = try SystemThread(name: "killer") {
      while MonotonicTime.now().nanoseconds - start.nanoseconds < microseconds * 1_000 {}
      kill(getpid(), SIGKILL)
    }
    while true {
      log.add(TestRecords.request(next..<next + 100))
      next += 100
    }
    killer.join()
  }

  /// Loads while no file may grow beyond 1 MiB, then without a limit.
  static func loadThroughFullDisk(in folder: String) throws {
    signal(SIGXFSZ, SIG_IGN)
    var logSettings = IngestLog.Settings()
    logSettings.maxSegmentBytes = 256 << 10
    logSettings.maxRecordBytes = 64 << 10
    let log = try IngestLog(folder: folder + "/log", settings: logSettings)
    let store = try TestLibrary.open(in: folder)
    for start in stride(from: 0, to: 40_000, by: 100) {
      _ = log.submit(TestRecords.request(start..<start + 100)) { _ in }
    }
    log.drain()
    let failed = Monitor(0)
    var settings = LoaderSettings()
    settings.firstRetrySeconds = 0.001
    settings.maxRetrySeconds = 0.001
    let loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder + "/poison"),
      settings: settings,
      report: { _ in failed.change { $0 += 1 } }
    )
    setFileSizeLimit(1 << 20)
    try loader.start()
    failed.wait { $0 > 0 ? () : nil }
    setFileSizeLimit(rlim_t.max)
    guard loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 50) else { exit(3) }
    loader.stop()
    guard try store.sequences() == (0..<40_000).map(\.self) else { exit(4) }
    store.close()
    log.close()
    exit(0)
  }

  private static func setFileSizeLimit(_ bytes: rlim_t) {
    var limit = rlimit()
    #if canImport(Darwin)
    getrlimit(RLIMIT_FSIZE, &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(RLIMIT_FSIZE, &limit)
    #else
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }
}

extension IngestLog {
  /// The sequence numbers of all events in the log.
  fileprivate func sequences() throws -> [Int64] {
    var records: [[UInt8]] = []
    _ = try read(from: .start) { bytes, _ in records.append(Array(bytes)) }
    return try records.flatMap { try RecordReader.events(of: $0).map(\.sequence) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Kills and full disks` {
  @Test func `after kills at any moment every event of the log is in the store once`() async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path
    for round in 0..<8 {
      let microseconds = UInt64(20_000 + 17_000 * round)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, microseconds = microseconds as UInt64] in
        try Child.loadUntilKilled(in: path, microseconds: microseconds)
      }
    }
    let log = try IngestLog(folder: path + "/log")
    let store = try TestLibrary.open(in: path)
    let loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: path + "/poison")
    )
    try loader.start()
    #expect(loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 60))
    loader.stop()
    let expected = try log.sequences()
    #expect(!expected.isEmpty)
    #expect(try store.sequences() == expected)
    #expect(expected == expected.indices.map { Int64($0) })
    #expect(loader.status.poisonRecords == 0)
    store.close()
    log.close()
  }

  @Test func `after the disk was full everything is loaded without a restart`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Child.loadThroughFullDisk(in: path)
    }
  }
}
