import EventRecord
import EventStore

/// A few records read at once, as views into a batch's bytes; used again and again.
struct RecordSlice {
  /// A record's header and the bytes that describe its client.
  struct Record {
    let header: RecordHeader
    let client: UnsafeRawBufferPointer
  }

  /// An event of one of the records, with all that is decided before its key is looked up.
  struct Event {
    let view: EventView
    let record: Int
    let times: EventTimes
    let plan: KeyPlan
  }

  /// About how many events are read at once: enough to read missing keys together, few enough to
  /// stay in the cache.
  private static let events = 2_048

  private(set) var records: [Record] = []
  private(set) var events: [Event] = []

  /// Reads records from number `start` on until there are enough events.
  ///
  /// Records that cannot be read are refused as a whole.
  ///
  /// - Returns: the number of the first record that was not read.
  mutating func read(
    _ ranges: [Range<Int>],
    of bytes: UnsafeRawBufferPointer,
    from start: Int,
    refusing refused: inout [RefusedRecord]
  ) -> Int {
    records.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    var next = start
    while next < ranges.count, events.count < Self.events {
      let before = events.count
      do {
        try read(UnsafeRawBufferPointer(rebasing: bytes[ranges[next]]))
      } catch {
        events.removeLast(events.count - before)
        refused.append(RefusedRecord(index: next, reason: error.description))
      }
      next += 1
    }
    return next
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(UnreadableRecord) {
    do {
      var reader = try RecordReader(bytes)
      guard UTF8Check.isValid(reader.context) else { throw UnreadableRecord.text }
      while let view = try reader.next() {
        guard UTF8Check.isValid(view) else { throw UnreadableRecord.text }
        let times = EventTimes(view, header: reader.header)
        events.append(
          Event(
            view: view,
            record: records.count,
            times: times,
            plan: KeyPlan(
              view,
              ownMs: times.ownMs,
              rule: DuplicateRule(reader.header.source, flags: view.flags)
            )
          )
        )
      }
      records.append(Record(header: reader.header, client: reader.context))
    } catch let error as RecordError {
      throw .record(error)
    } catch {
      throw .text
    }
  }
}

/// Why a record cannot be stored.
private enum UnreadableRecord: Error, CustomStringConvertible {
  case record(RecordError)
  case text

  var description: String {
    switch self {
    case .record(let error): error.description
    case .text: "A text of the record is not UTF-8."
    }
  }
}
