/// Decides when to load and how much: at once after a quiet moment, in large batches under load, ever
/// less often while the store fails.
struct LoadPacing {
  private let settings: LoaderSettings
  private var lastBatchBytes = 0
  private var failures = 0
  /// How many bytes of the log the next batch takes; less after a row was refused.
  private(set) var batchBytes: Int

  init(_ settings: LoaderSettings) {
    self.settings = settings
    batchBytes = settings.maxBatchBytes
  }

  /// How long to gather before the next load, in seconds.
  ///
  /// - Parameters:
  ///   - waitingBytes: what is there to load.
  ///   - secondsSinceStart: the time since the last load began; nil before the first.
  /// - Returns: 0 to load at once.
  func pauseSeconds(waitingBytes: UInt64, secondsSinceStart: Double?) -> Double {
    guard let secondsSinceStart, waitingBytes < UInt64(settings.maxBatchBytes) else { return 0 }
    let interval =
      lastBatchBytes >= settings.busyBytes
      ? settings.busyIntervalSeconds : settings.intervalSeconds
    return max(0, interval - secondsSinceStart)
  }

  /// Takes note of a batch that was stored.
  mutating func stored(bytes: Int) {
    lastBatchBytes = bytes
    failures = 0
    // Back to full size step by step, so that one bad record does not cost a whole batch again.
    batchBytes = min(settings.maxBatchBytes, batchBytes.multipliedReportingOverflow(by: 2).0)
  }

  /// Takes note of a failure that may pass; returns how long to wait before trying again, in seconds.
  mutating func failed() -> Double {
    defer { failures += 1 }
    let doublings = Double(1 << min(failures, 20))
    return min(settings.maxRetrySeconds, settings.firstRetrySeconds * doublings)
  }

  /// Takes note that the store refused a row of a batch: the next one is half as large, in the end one
  /// record.
  mutating func refused(bytes: Int) {
    batchBytes = max(1, min(batchBytes, bytes) / 2)
  }
}
