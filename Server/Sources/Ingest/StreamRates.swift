/// How much each shard has taken in the current second.
///
/// A value: it is told of a record and says whether the shard takes it.
struct StreamRates {
  private struct Shard: Hashable {
    let stream: Int64
    let index: Int
  }

  private struct Second {
    var number: Int64
    var records = 0
    var bytes = 0
  }

  private var seconds: [Shard: Second] = [:]
  private static let maxShards = 100_000

  /// Takes a record, unless it is over one of the limits; 0 is no limit.
  ///
  /// The first record of a second is taken whatever its size: one that is never taken would never
  /// arrive.
  mutating func admit(
    bytes: Int,
    stream: Int64,
    shard: Int,
    recordsPerSecond: Int,
    bytesPerSecond: Int,
    nowMs: Int64
  ) -> Bool {
    let key = Shard(stream: stream, index: shard)
    let number = nowMs / 1_000
    if seconds.count >= Self.maxShards { seconds = seconds.filter { $0.value.number == number } }
    var second = seconds[key] ?? Second(number: number)
    if second.number != number { second = Second(number: number) }
    if second.records > 0 {
      guard recordsPerSecond == 0 || second.records < recordsPerSecond else { return false }
      guard bytesPerSecond == 0 || second.bytes + bytes <= bytesPerSecond else { return false }
    }
    second.records += 1
    second.bytes += bytes
    seconds[key] = second
    return true
  }
}
