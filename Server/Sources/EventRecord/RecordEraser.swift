/// Takes events out of a record without changing its length.
public enum RecordEraser {
  /// One event or stream record of a record.
  private struct Entry {
    let bytes: Range<Int>
    let isStreamRecord: Bool
    let isGone: Bool
    var goes: Bool
  }

  /// A record without some of its events.
  ///
  /// Nothing is left of those but their lengths; once all are gone, nothing of the client's description
  /// either. What a stream's readers are handed of an event goes with it.
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
      let (entries, context) = try Self.entries(of: record, where: isErased)
      guard entries.contains(where: \.goes) else { return nil }
      var bytes = Array(record)
      for entry in entries where entry.goes { blank(&bytes, entry.bytes) }
      if entries.allSatisfy({ $0.isGone || $0.goes }) {
        for index in context { bytes[index] = UInt8(ascii: " ") }
      }
      return bytes
    } catch {
      return nil
    }
  }

  private static func entries(
    of record: UnsafeRawBufferPointer,
    where isErased: (EventView, RecordHeader) -> Bool
  ) throws(RecordError) -> ([Entry], context: Range<Int>) {
    var reader = try RecordReader(record)
    var entries: [Entry] = []
    var start = reader.offset
    while let event = try reader.nextEntry() {
      let isGone = event.flags.contains(.erased)
      let isStreamRecord = event.kind == .streamRecord
      entries.append(
        Entry(
          bytes: start..<reader.offset,
          isStreamRecord: isStreamRecord,
          isGone: isGone,
          goes: !isGone && !isStreamRecord && isErased(event, reader.header)
        )
      )
      start = reader.offset
    }
    // The copy of one of Pinpoint's events stands behind it; what was put into a stream stands before the
    // event that it is.
    let step = reader.header.source == .pinpoint ? -1 : 1
    for index in entries.indices where entries[index].isStreamRecord && !entries[index].isGone {
      guard entries.indices.contains(index + step) else { continue }
      let event = entries[index + step]
      entries[index].goes = !event.isStreamRecord && (event.isGone || event.goes)
    }
    let context = RecordFormat.headerBytes..<RecordFormat.headerBytes + reader.context.count
    return (entries, context)
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
