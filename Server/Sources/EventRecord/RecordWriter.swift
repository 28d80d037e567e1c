/// Writes the record of one request; reused, it keeps its memory.
///
/// Call `begin`, then `append` per event, then take `bytes`. One owner, one thread at a time.
public struct RecordWriter: ~Copyable {
  private var sink: ByteSink
  private var eventsStart = 0
  /// How many events have been appended since `begin`.
  public private(set) var eventCount = 0

  /// An empty writer.
  public init() {
    sink = ByteSink(capacity: 16 * 1024)
  }

  /// Starts a record, forgetting the one before.
  ///
  /// - Parameters:
  ///   - header: What holds for the whole request.
  ///   - context: The client's description as one JSON object, or empty.
  public mutating func begin(_ header: RecordHeader, context: UnsafeRawBufferPointer) {
    // One request of 20 MB must not keep its memory for the thread's whole life.
    sink.removeAll(keepingAtMost: 4 * 1024 * 1024)
    sink.append(RecordFormat.version)
    sink.append(header.source.rawValue)
    sink.append(littleEndian: header.sentAtMs == nil ? 0 : RecordFormat.hasSentTime)
    sink.append(littleEndian: header.project)
    sink.append(littleEndian: header.receivedAtMs)
    sink.append(littleEndian: header.clockCorrectionMs)
    sink.append(littleEndian: header.sentAtMs ?? 0)
    sink.append(littleEndian: UInt32(0))
    sink.append(littleEndian: UInt32(context.count))
    sink.append(context)
    eventsStart = sink.count
    eventCount = 0
  }

  /// Adds one event; its texts are copied.
  public mutating func append(_ event: EventView) {
    let bytes = RecordFormat.eventBytes + textBytes(event)
    sink.appendRoom(bytes) { room in
      var room = room
      room.put(UInt32(bytes - 4))
      room.put(event.kind.rawValue)
      room.put(event.flags.rawValue)
      room.put(UInt16(0))
      room.put(event.key.high)
      room.put(event.key.low)
      room.put(event.timestampMs)
      room.put(event.sequence)
      room.putLength(event.id)
      room.putLength(event.name)
      room.putLength(event.deviceID)
      room.putLength(event.userID)
      room.putLength(event.sessionID)
      room.putLength(event.properties)
      room.putLength(event.groups)
      room.putLength(event.operations)
      room.putLength(event.context)
      room.put(event.id)
      room.put(event.name)
      room.put(event.deviceID)
      room.put(event.userID)
      room.put(event.sessionID)
      room.put(event.properties)
      room.put(event.groups)
      room.put(event.operations)
      room.put(event.context)
    }
    eventCount += 1
    sink.overwrite(at: RecordFormat.countOffset, littleEndian: UInt32(eventCount))
  }

  /// Forgets the events appended since `begin`, keeps the header.
  public mutating func removeEvents() {
    sink.truncate(to: eventsStart)
    eventCount = 0
    sink.overwrite(at: RecordFormat.countOffset, littleEndian: UInt32(0))
  }

  /// The record as it goes into the log.
  public var bytes: [UInt8] {
    [UInt8](sink.bytes)
  }

  /// The same with a text put as the first member into the description of the client, which holds for all
  /// events.
  ///
  /// Being first, it can be told from a member of that name that the client sent.
  ///
  /// - Parameter member: how the description then begins, see `RecordEditing.clientMember`; nil to add nothing.
  /// - Returns: The record.
  public func bytes(addingToClient member: String?) -> [UInt8] {
    guard let member else { return bytes }
    let record = sink.bytes
    let start = RecordFormat.headerBytes
    let isEmpty = eventsStart - start <= 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(record.count + member.utf8.count + 1)
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: record[..<start]))
    bytes.append(contentsOf: member.utf8)
    bytes.append(isEmpty ? UInt8(ascii: "}") : UInt8(ascii: ","))
    // What comes after an opening brace stays.
    let rest = isEmpty ? eventsStart : start + 1
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: record[rest...]))
    let contextBytes = bytes.count - start - (record.count - eventsStart)
    withUnsafeBytes(of: UInt32(contextBytes).littleEndian) { length in
      let place = RecordFormat.countOffset + 4
      bytes.replaceSubrange(place..<place + length.count, with: length)
    }
    return bytes
  }

  /// One record of some events; for tests and tools, not for the hot path.
  public static func record(
    _ header: RecordHeader,
    context: String = "",
    events: [EventRecord]
  ) -> [UInt8] {
    var writer = RecordWriter()
    var context = context
    context.withUTF8 { writer.begin(header, context: UnsafeRawBufferPointer($0)) }
    for event in events { writer.append(event) }
    return writer.bytes
  }

  /// Adds one event from a value; for tests and tools, not for the hot path.
  public mutating func append(_ event: EventRecord) {
    let texts = [
      event.id, event.name, event.deviceID, event.userID, event.sessionID, event.properties,
      event.groups, event.operations, event.context,
    ].map { Array($0.utf8) }
    texts.flatMap(\.self).withUnsafeBytes { all in
      var start = 0
      var next = texts.makeIterator()
      func take() -> UnsafeRawBufferPointer {
        let count = next.next()?.count ?? 0
        defer { start += count }
        return UnsafeRawBufferPointer(rebasing: all[start..<start + count])
      }
      var view = EventView(
        key: event.key,
        kind: event.kind,
        flags: event.flags,
        timestampMs: event.timestampMs,
        sequence: event.sequence
      )
      view.id = take()
      view.name = take()
      view.deviceID = take()
      view.userID = take()
      view.sessionID = take()
      view.properties = take()
      view.groups = take()
      view.operations = take()
      view.context = take()
      append(view)
    }
  }

  @inline(__always)
  private func textBytes(_ event: EventView) -> Int {
    event.id.count + event.name.count + event.deviceID.count + event.userID.count
      + event.sessionID.count + event.properties.count + event.groups.count
      + event.operations.count + event.context.count
  }
}

/// Fills room whose size has been settled before, without a check per field.
extension UnsafeMutableRawPointer {
  @inline(__always)
  fileprivate mutating func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    storeBytes(of: value.littleEndian, as: Value.self)
    self += MemoryLayout<Value>.size
  }

  @inline(__always)
  fileprivate mutating func put(_ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress else { return }
    copyFew(from: start, byteCount: text.count)
    self += text.count
  }

  @inline(__always)
  fileprivate mutating func putLength(_ text: UnsafeRawBufferPointer) {
    put(UInt32(truncatingIfNeeded: text.count))
  }
}
