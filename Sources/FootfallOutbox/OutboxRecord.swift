/// Events that are stored together, with what the client has to remember about them.
///
/// One frame of the journal: after a stop at any moment all of it is there or nothing, so that "a
/// session ended, another began" and the state that says so cannot part.
package struct OutboxRecord: Sendable, Equatable {
  /// The events, each as it will be sent; may be none.
  package var events: [[UInt8]]
  /// Bytes of the caller's, given back by `Outbox.note` as long as no later record has some.
  package var note: [UInt8]?

  /// A record from its parts.
  package init(events: [[UInt8]], note: [UInt8]? = nil) {
    self.events = events
    self.note = note
  }
}

extension OutboxRecord {
  private static let noNote = UInt32.max

  /// The record as one frame: an event alone is its own frame if it starts like JSON.
  var frame: [UInt8] {
    if note == nil, events.count == 1, let first = events[0].first, JournalEntry.startsEvent(first)
    {
      return events[0]
    }
    let size = events.reduce(5 + (note?.count ?? 0)) { $0 + 4 + $1.count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(JournalEntry.Tag.record.rawValue)
    bytes.append(littleEndian: note.map { UInt32(clamping: $0.count) } ?? Self.noNote)
    if let note { bytes += note }
    for event in events {
      bytes.append(littleEndian: UInt32(clamping: event.count))
      bytes += event
    }
    return bytes
  }

  /// A frame of several events or with a note, without copying what is in it.
  struct Frame {
    let note: UnsafeRawBufferPointer?
    let events: [UnsafeRawBufferPointer]

    /// Reads a frame behind its tag; nil if the lengths do not add up.
    init?(_ frame: UnsafeRawBufferPointer) {
      var reader = ByteReader(frame)
      guard reader.take(1) != nil, let length: UInt32 = reader.number() else { return nil }
      if length == OutboxRecord.noNote {
        note = nil
      } else {
        guard let bytes = reader.take(Int(clamping: length)) else { return nil }
        note = bytes
      }
      var events: [UnsafeRawBufferPointer] = []
      while !reader.isAtEnd {
        guard let length: UInt32 = reader.number(), let event = reader.take(Int(clamping: length))
        else {
          return nil
        }
        events.append(event)
      }
      self.events = events
    }
  }
}
