import FootfallJournal

/// A batch whose file may not outlive a power cut yet: the journal still holds its events.
struct UnsettledBatch: Sendable, Equatable {
  var number: UInt64
  /// Where its events start.
  var from: SealingCursor
  var events: Int
  /// The bytes of the events without what joins them.
  var bytes: Int
}

/// A record in the journal that says how far sealing has come.
///
/// It commits batches: a file with a number above `newest` was never sent and does not count. It is
/// also the place from which an opening starts to read, so each segment gets one.
struct SealingMark: Sendable, Equatable {
  /// The number of the newest batch.
  var newest: UInt64 = 0
  var cursor = SealingCursor()
  /// Events behind the cursor that were written before the mark.
  var unsealedEvents = 0
  /// The bytes of those.
  var unsealedBytes = 0
  /// The batches that are not settled, oldest first.
  var unsettled: [UnsettledBatch] = []

  init() {}

  private static let version: UInt8 = 1
}

extension SealingMark {
  /// The mark as a frame; contents, which are the same as a rule, are written once.
  var frame: [UInt8] {
    var contents: [[UInt8]] = []
    var body: [UInt8] = []
    func append(_ cursor: SealingCursor) {
      body.append(littleEndian: cursor.place.end.segment)
      body.append(littleEndian: cursor.place.end.offset)
      body.append(littleEndian: UInt32(clamping: cursor.place.left))
      let index = contents.lastIndex(of: cursor.content) ?? contents.count
      if index == contents.count { contents.append(cursor.content) }
      body.append(littleEndian: UInt32(clamping: index))
    }
    append(cursor)
    for batch in unsettled {
      body.append(littleEndian: batch.number)
      body.append(littleEndian: UInt32(clamping: batch.events))
      body.append(littleEndian: UInt32(clamping: batch.bytes))
      append(batch.from)
    }
    var frame = [JournalEntry.Tag.mark.rawValue, Self.version]
    frame.append(littleEndian: newest)
    frame.append(littleEndian: UInt64(clamping: unsealedEvents))
    frame.append(littleEndian: UInt64(clamping: unsealedBytes))
    frame.append(littleEndian: UInt32(clamping: contents.count))
    for content in contents { frame.append(counted: content) }
    return frame + body
  }

  /// Reads a frame; nil if it is a later version's.
  init?(_ frame: UnsafeRawBufferPointer) {
    var reader = ByteReader(frame)
    guard reader.take(1) != nil, reader.number(UInt8.self) == Self.version,
      let newest: UInt64 = reader.number(), let events: UInt64 = reader.number(),
      let bytes: UInt64 = reader.number(), let count: UInt32 = reader.number()
    else { return nil }
    var contents: [[UInt8]] = []
    for _ in 0..<count {
      guard let content = reader.bytes() else { return nil }
      contents.append(content)
    }
    guard let cursor = Self.cursor(&reader, contents) else { return nil }
    self.newest = newest
    self.cursor = cursor
    unsealedEvents = Int(clamping: events)
    unsealedBytes = Int(clamping: bytes)
    while !reader.isAtEnd {
      guard let number: UInt64 = reader.number(), let events: UInt32 = reader.number(),
        let bytes: UInt32 = reader.number(), let from = Self.cursor(&reader, contents)
      else { return nil }
      unsettled.append(
        UnsettledBatch(
          number: number,
          from: from,
          events: Int(clamping: events),
          bytes: Int(clamping: bytes)
        )
      )
    }
  }

  private static func cursor(_ reader: inout ByteReader, _ contents: [[UInt8]]) -> SealingCursor? {
    guard let segment: UInt64 = reader.number(), let offset: UInt64 = reader.number(),
      let left: UInt32 = reader.number(), let index: UInt32 = reader.number(),
      let index = Int(exactly: index), contents.indices.contains(index)
    else { return nil }
    let end = JournalPosition(segment: segment, offset: offset)
    return SealingCursor(
      place: SealingPlace(end: end, left: Int(clamping: left)),
      content: contents[index]
    )
  }
}
