/// Reads a record of the ingest log without copying it.
///
/// Whatever the bytes are, reading ends with events or a `RecordError`, never outside the record. The
/// views point into the bytes given and are valid only as long as those are.
public struct RecordReader {
  /// What holds for the whole request.
  public let header: RecordHeader
  /// The client's description as one JSON object; empty when there is none.
  public let context: UnsafeRawBufferPointer
  /// How many events the record says it holds, erased ones included.
  public let eventCount: Int

  private let handsOutStreamRecords: Bool
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int
  private var remaining: Int

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - bytes: The record.
  ///   - handsOutStreamRecords: Whether what is there for a stream's readers is handed out too.
  /// - Throws: What keeps it from being read.
  public init(
    _ bytes: UnsafeRawBufferPointer,
    handsOutStreamRecords: Bool = false
  ) throws(RecordError) {
    self.handsOutStreamRecords = handsOutStreamRecords
    guard let version = bytes.first else { throw .damaged(offset: 0) }
    guard version <= RecordFormat.version else {
      throw .newerVersion(found: version, supported: RecordFormat.version)
    }
    guard version == RecordFormat.version, bytes.count >= RecordFormat.headerBytes,
      let source = RecordHeader.Source(rawValue: bytes[1])
    else { throw .damaged(offset: 0) }
    let flags: UInt16 = bytes.integer(at: 2)
    header = RecordHeader(
      source: source,
      project: bytes.integer(at: 4),
      receivedAtMs: bytes.integer(at: 8),
      sentAtMs: flags & RecordFormat.hasSentTime == 0 ? nil : bytes.integer(at: 24),
      clockCorrectionMs: bytes.integer(at: 16)
    )
    eventCount = Int(bytes.integer(at: RecordFormat.countOffset) as UInt32)
    let contextBytes = Int(bytes.integer(at: RecordFormat.countOffset + 4) as UInt32)
    guard contextBytes <= bytes.count - RecordFormat.headerBytes else {
      throw .damaged(offset: RecordFormat.countOffset + 4)
    }
    offset = RecordFormat.headerBytes + contextBytes
    context = UnsafeRawBufferPointer(rebasing: bytes[RecordFormat.headerBytes..<offset])
    remaining = eventCount
    self.bytes = bytes
  }

  /// The next event, or nil after the last; erased ones are passed over.
  public mutating func next() throws(RecordError) -> EventView? {
    while let view = try nextEntry() {
      guard !view.flags.contains(.erased) else { continue }
      if view.kind != .streamRecord || handsOutStreamRecords { return view }
    }
    return nil
  }

  /// The next event or stream record, erased or not, or nil after the last.
  package mutating func nextEntry() throws(RecordError) -> EventView? {
    guard remaining > 0 else {
      guard offset == bytes.count else { throw .damaged(offset: offset) }
      return nil
    }
    guard bytes.count - offset >= RecordFormat.eventBytes else { throw .damaged(offset: offset) }
    let event = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    let length = 4 + Int(event.integer(at: 0) as UInt32)
    guard length >= RecordFormat.eventBytes, length <= event.count,
      let kind = EventRecord.Kind(rawValue: event[4])
    else { throw .damaged(offset: offset) }
    var view = EventView(
      key: EventKey(
        high: event.integer(at: RecordFormat.keyOffset),
        low: event.integer(at: RecordFormat.keyOffset + 8)
      ),
      kind: kind,
      flags: EventRecord.Flags(rawValue: event[5]),
      timestampMs: event.integer(at: RecordFormat.timestampOffset),
      sequence: event.integer(at: RecordFormat.sequenceOffset)
    )
    var texts = Texts(event: UnsafeRawBufferPointer(rebasing: event[..<length]))
    guard let id = texts.next(), let name = texts.next(), let deviceID = texts.next(),
      let userID = texts.next(), let sessionID = texts.next(), let properties = texts.next(),
      let groups = texts.next(), let operations = texts.next(), let context = texts.next(),
      texts.isAtEnd
    else { throw .damaged(offset: offset) }
    view.id = id
    view.name = name
    view.deviceID = deviceID
    view.userID = userID
    view.sessionID = sessionID
    view.properties = properties
    view.groups = groups
    view.operations = operations
    view.context = context
    offset += length
    remaining -= 1
    return view
  }

  /// All events of a record as values; for tests and tools.
  public static func events(of bytes: [UInt8]) throws(RecordError) -> [EventRecord] {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(RecordError) in
        var reader = try RecordReader(buffer)
        var events: [EventRecord] = []
        while let view = try reader.next() { events.append(view.record) }
        return events
      }
    }
    return try result.get()
  }
}

/// Walks the nine texts of an event.
private struct Texts {
  let event: UnsafeRawBufferPointer
  private var index = 0
  private var start = RecordFormat.eventBytes

  init(event: UnsafeRawBufferPointer) {
    self.event = event
  }

  var isAtEnd: Bool { start == event.count }

  mutating func next() -> UnsafeRawBufferPointer? {
    let length = Int(event.integer(at: RecordFormat.lengthsOffset + 4 * index) as UInt32)
    guard length <= event.count - start else { return nil }
    defer {
      start += length
      index += 1
    }
    return UnsafeRawBufferPointer(rebasing: event[start..<start + length])
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}
