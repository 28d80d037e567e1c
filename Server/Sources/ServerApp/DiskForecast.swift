import Catalog

/// When the disk will be full if the data goes on growing as it did.
struct DiskForecast: Equatable {
  /// Bytes a day, over the days that are known; nil while there is only one, or when it shrank.
  let bytesPerDay: Int64?
  /// Whole days until nothing is free; nil while that cannot be told.
  let daysLeft: Int64?

  /// The forecast from the sizes of the last days, oldest first, and what is free now.
  init(_ days: [DiskDay], freeBytes: UInt64) {
    guard let first = days.first, let last = days.last, last.day > first.day,
      last.bytes > first.bytes
    else {
      bytesPerDay = nil
      daysLeft = nil
      return
    }
    let perDay = max(1, (last.bytes - first.bytes) / (last.day - first.day))
    bytesPerDay = perDay
    daysLeft = Int64(clamping: freeBytes) / perDay
  }
}
