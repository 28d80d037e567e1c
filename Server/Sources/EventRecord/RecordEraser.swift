/// Takes events out of a record without changing its length.
public enum RecordEraser {
  /// A record without some of its events.
  ///
  /// Nothing is left of those but their lengths; once all are gone, nothing of the client's description
  /// either.
  ///
  /// - Parameters:
  ///   - record: a record; one that cannot be read is left alone.
  ///   - isErased: whether an event of the record goes.
  /// - Returns: as many bytes; nil when no event goes.
  public static func erase(
    _ record: UnsafeRawBufferPointer,
    where isErased: (EventView, RecordHeader) -> Bool
  ) -> [UInt8]? {
    do throws(RecordError) {
      var reader = try RecordReader(record)
      var bytes: [UInt8]?
      var isEmpty = true
      var start = reader.offset
      var isEventGone = false
      while let event = try reader.nextEntry() {
        if event.flags.contains(.erased) {
          isEventGone = event.kind != .streamRecord
        } else {
          // What a client put into a stream is the app's, not an event. The copy of one of Pinpoint's events
          // stands behind it, and goes with it.
          let goes =
            event.kind == .streamRecord
            ? isEventGone && reader.header.source == .pinpoint : isErased(event, reader.header)
          isEventGone = goes && event.kind != .streamRecord
          if goes {
            var changed = bytes ?? Array(record)
            blank(&changed, start..<reader.offset)
            bytes = changed
          } else {
            isEmpty = false
          }
        }
        start = reader.offset
      }
      if isEmpty, var changed = bytes {
        let context = RecordFormat.headerBytes..<RecordFormat.headerBytes + reader.context.count
        for index in context { changed[index] = UInt8(ascii: " ") }
        bytes = changed
      }
      return bytes
    } catch {
      return nil
    }
  }

  /// Keeps the event's lengths, marks it as erased and fills the rest.
  private static func blank(_ bytes: inout [UInt8], _ event: Range<Int>) {
    let start = event.lowerBound
    bytes[start + 5] = EventRecord.Flags.erased.rawValue
    for index in start + RecordFormat.keyOffset..<start + RecordFormat.lengthsOffset {
      bytes[index] = 0
    }
    for index in start + RecordFormat.eventBytes..<event.upperBound {
      bytes[index] = UInt8(ascii: " ")
    }
  }
}
