/// One event of a record, with its texts where they lie in memory.
///
/// Valid only as long as the bytes it points into. The texts are UTF-8, without a terminating zero;
/// what is missing is empty.
public struct EventView {
  /// The key under which the event counts once.
  public var key: EventKey
  /// What the record asks for.
  public var kind: EventRecord.Kind
  /// What else is known about the event.
  public var flags: EventRecord.Flags
  /// The event's own time as the client sent it, in milliseconds since 1970 (UTC).
  public var timestampMs: Int64
  /// The client's counter.
  public var sequence: Int64
  /// The event's own id as sent.
  public var id: UnsafeRawBufferPointer
  /// The event's name.
  public var name: UnsafeRawBufferPointer
  /// The device's id.
  public var deviceID: UnsafeRawBufferPointer
  /// The person's id.
  public var userID: UnsafeRawBufferPointer
  /// The session's id.
  public var sessionID: UnsafeRawBufferPointer
  /// The properties as one JSON object.
  public var properties: UnsafeRawBufferPointer
  /// The groups as one JSON object.
  public var groups: UnsafeRawBufferPointer
  /// Property operations as one JSON object.
  public var operations: UnsafeRawBufferPointer
  /// What the protocol sent beside all this, as one JSON object.
  public var context: UnsafeRawBufferPointer

  /// A view whose texts are all empty.
  public init(
    key: EventKey,
    kind: EventRecord.Kind,
    flags: EventRecord.Flags = [],
    timestampMs: Int64,
    sequence: Int64
  ) {
    self.key = key
    self.kind = kind
    self.flags = flags
    self.timestampMs = timestampMs
    self.sequence = sequence
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    id = empty
    name = empty
    deviceID = empty
    userID = empty
    sessionID = empty
    properties = empty
    groups = empty
    operations = empty
    context = empty
  }

  /// The time insights use, in milliseconds since 1970 (UTC).
  ///
  /// The event's own time moved by the request's clock correction; the receive time where the own
  /// time cannot be used.
  public func correctedMs(_ header: RecordHeader) -> Int64 {
    flags.isDisjoint(with: [.timeMissing, .timeInFuture])
      ? timestampMs + header.clockCorrectionMs : header.receivedAtMs
  }

  /// A copy that owns its texts.
  public var record: EventRecord {
    EventRecord(
      key: key,
      kind: kind,
      flags: flags,
      timestampMs: timestampMs,
      sequence: sequence,
      id: text(id),
      name: text(name),
      deviceID: text(deviceID),
      userID: text(userID),
      sessionID: text(sessionID),
      properties: text(properties),
      groups: text(groups),
      operations: text(operations),
      context: text(context)
    )
  }

  private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
