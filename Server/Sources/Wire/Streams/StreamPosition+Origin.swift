internal import EventRecord

extension StreamPosition {
  /// Whether the record with this number is of another shard or stream.
  ///
  /// - Parameters:
  ///   - record: The log's record in which it lies.
  ///   - stream: The stream's number.
  ///   - shard: The shard.
  /// - Returns: False also for what is not there any more, whose number is a place still.
  public func isForeign(
    in record: UnsafeRawBufferPointer,
    stream: Int64,
    shard: Int
  ) -> Bool {
    do throws(RecordError) {
      var reader = try RecordReader(record)
      var place = 0
      while let entry = try reader.nextEntry() {
        guard entry.kind == .streamRecord else { continue }
        if place == index {
          return !entry.flags.contains(.erased)
            && !(entry.sequence == Int64(shard) && entry.name.elementsEqual(String(stream).utf8))
        }
        place += 1
      }
    } catch {
      // One that cannot be read is passed over by whoever reads the stream.
    }
    return false
  }
}
