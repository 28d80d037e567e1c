import FootfallJournal
import FootfallSystem

extension Benchmark {
  /// The journal with group sync against the disk's plain sequential rate, and its recovery.
  static let journal = Benchmark(
    name: "journal",
    summary: "group-synced records of 300 bytes, unsynced appends, recovery"
  ) {
    let scratch = try BenchFolder("journal")
    defer { scratch.remove() }
    // Interleaved, since a disk's speed drifts within minutes; the medians are compared.
    var plain: [Double] = []
    var grouped: [Double] = []
    for round in 0..<3 {
      plain.append(try JournalBench.plainRate(scratch.path + "/plain-\(round)"))
      grouped.append(try JournalBench.groupRate(scratch.path + "/grouped-\(round)"))
    }
    let recovery = try JournalBench.recoveryRate(scratch.path + "/grouped-0")
    return [
      Measurement(
        name: "journal.group_sync",
        value: grouped.median,
        unit: "events/s",
        reference: plain.median
      ),
      Measurement(
        name: "journal.lone_sync",
        value: try JournalBench.loneSyncMicroseconds(scratch.path + "/lone"),
        unit: "µs",
        reference: try JournalBench.plainSyncMicroseconds(scratch.path + "/lone-plain")
      ),
      Measurement(
        name: "journal.append_unsynced",
        value: try JournalBench.appendNanoseconds(scratch.path + "/unsynced"),
        unit: "ns"
      ),
      Measurement(name: "journal.recovery", value: recovery, unit: "MB/s"),
    ]
  }
}

private enum JournalBench {
  static let recordBytes = 300
  static let records = 600_000
  static var record: [UInt8] { (0..<recordBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

  /// Records a second that plain writes of 1 MiB with one sync at the end would carry.
  static func plainRate(_ path: String) throws -> Double {
    let block = [UInt8](repeating: 0x5a, count: 1 << 20)
    let blocks = records * recordBytes / block.count
    let file = try PosixFiles().open(path, .create)
    let start = MonotonicTime.now()
    for _ in 0..<blocks { try file.writeAll(block) }
    try file.sync()
    let seconds = MonotonicTime.now().seconds(since: start)
    try PosixFiles().remove(path)
    return Double(blocks * block.count / recordBytes) / seconds
  }

  /// Records a second that two threads get acknowledged as durable.
  static func groupRate(_ path: String) throws -> Double {
    let journal = try Journal(folder: path)
    let committer = try GroupCommitter(journal: journal, maxPendingBytes: 16 << 20)
    let failures = Lock(0)
    let start = MonotonicTime.now()
    let threads = try (0..<2).map { index in
      try SystemThread(name: "submit \(index)") {
        let record = record
        for _ in 0..<(records / 2) {
          // Each submission has bytes of its own, as a request's would be.
          let copy = [UInt8](unsafeUninitializedCapacity: recordBytes) { buffer, count in
            count = buffer.update(fromContentsOf: record)
          }
          while !committer.submit(
            copy,
            completion: { outcome in
              if case .failure = outcome { failures.withLock { $0 += 1 } }
            }
          ) {
            committer.drain()
          }
        }
      }
    }
    for thread in threads { thread.join() }
    committer.stop()
    let seconds = MonotonicTime.now().seconds(since: start)
    journal.close()
    let failed = failures.withLock { $0 }
    return Double(records - failed) / seconds
  }

  static func loneSyncMicroseconds(_ path: String) throws -> Double {
    let journal = try Journal(folder: path)
    let record = record
    return try microseconds {
      try journal.append(record)
      try journal.sync()
    }
  }

  static func plainSyncMicroseconds(_ path: String) throws -> Double {
    let file = try PosixFiles().open(path, .create)
    let record = record
    return try microseconds {
      try file.writeAll(record)
      try file.sync()
    }
  }

  private static func microseconds(_ body: () throws -> Void) throws -> Double {
    try (0..<200).map { _ in
      let start = MonotonicTime.now()
      try body()
      return MonotonicTime.now().seconds(since: start) * 1e6
    }.median
  }

  static func appendNanoseconds(_ path: String) throws -> Double {
    let journal = try Journal(folder: path)
    let record = record
    let count = 100_000
    let start = MonotonicTime.now()
    try record.withUnsafeBytes { bytes in
      for _ in 0..<count { try journal.append(bytes) }
    }
    return MonotonicTime.now().seconds(since: start) * 1e9 / Double(count)
  }

  /// Megabytes a second that opening checks, from the page cache.
  static func recoveryRate(_ path: String) throws -> Double {
    var configuration = Journal.Configuration()
    configuration.scansAllSegments = true
    let start = MonotonicTime.now()
    let journal = try Journal(folder: path, configuration: configuration)
    let seconds = MonotonicTime.now().seconds(since: start)
    return Double(journal.recovery.payloadBytes) / 1e6 / seconds
  }
}
