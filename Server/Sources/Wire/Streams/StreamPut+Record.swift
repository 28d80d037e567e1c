import EventRecord

/// A stream that records are put into, as it is known to the catalogue.
public struct StreamTarget: Sendable, Hashable {
  /// Its number, unique in the catalogue.
  public var id: Int64
  /// Its name.
  public var name: String
  /// Its shards; one for a delivery stream.
  public var shards: StreamShards

  /// A target from its parts.
  public init(id: Int64, name: String, shards: StreamShards) {
    self.id = id
    self.name = name
    self.shards = shards
  }
}

/// What becomes of a put request.
public struct StreamWriting: Sendable {
  /// What became of one record.
  public enum Outcome: Sendable, Hashable {
    /// It is in the log's record at this place.
    case stored(shard: Int, index: Int)
    /// Its shard takes no more at the moment.
    case throttled(shard: Int)
  }

  /// For the ingest log; empty when nothing is stored.
  public var record: [UInt8] = []
  /// Events in it that are counted.
  public var events = 0
  /// How many events the record holds, those that repeat another of this request included.
  public var logged = 0
  /// By the request's records, in order.
  public var outcomes: [Outcome] = []

  /// How many records were not stored.
  public var failures: Int { outcomes.count { if case .throttled = $0 { true } else { false } } }
}

extension StreamPut {
  /// Spreads the records over the shards and makes one record for the log of all that are taken: the
  /// bytes of each as they are, for readers of the stream, and what each is as an event.
  ///
  /// - Parameters:
  ///   - target: The stream.
  ///   - project: The project that it belongs to.
  ///   - context: When the request came and was sent.
  ///   - scratch: Has the records.
  ///   - wire: Reused memory.
  ///   - admit: Whether a shard takes so many bytes more.
  /// - Returns: The record and what became of each of the request's.
  public func write(
    to target: StreamTarget,
    project: UInt32,
    context: WireContext,
    scratch: StreamScratch,
    wire: inout WireScratch,
    admit: (_ shard: Int, _ bytes: Int) -> Bool
  ) -> StreamWriting {
    var writing = StreamWriting()
    let clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: context.sentAtMs,
      toleranceMs: NativeLimits.clockToleranceMs
    )
    let header = RecordHeader(
      service == .firehose ? .firehose : .kinesis,
      project: project,
      context: context,
      clock: clock
    )
    writing.outcomes.reserveCapacity(scratch.items.count)
    var pass = StreamPass(target, service, header, wire)
    var index = 0
    for item in scratch.items {
      let key = UnsafeRawBufferPointer(rebasing: scratch.keys.bytes[item.key])
      let shard =
        target.shards.count == 1 ? 0 : target.shards.index(of: item.hash ?? MD5.number(key))
      guard admit(shard, item.data.count + item.key.count) else {
        writing.outcomes.append(.throttled(shard: shard))
        continue
      }
      pass.append(
        UnsafeRawBufferPointer(rebasing: scratch.data.bytes[item.data]),
        key: key,
        shard: shard,
        index: index
      )
      writing.outcomes.append(.stored(shard: shard, index: index))
      index += 1
    }
    (writing.record, writing.events, writing.logged) = pass.end(wire)
    return writing
  }
}

/// Writes the log's record of a put request.
private struct StreamPass: ~Copyable {
  private var memory: WireMemory
  private let header: RecordHeader
  private let wire: WireScratch
  private let target: [UInt8]
  private var events = 0
  private var logged = 0

  init(
    _ target: StreamTarget,
    _ service: AWSService,
    _ header: RecordHeader,
    _ wire: WireScratch
  ) {
    memory = wire.takeMemory()
    memory.seen.removeAll()
    self.header = header
    self.wire = wire
    self.target = Array(String(target.id).utf8)
    var client = JSONText()
    client.append("{\"library\":\"\(service.rawValue)\",\"stream\":")
    client.append(quoting: target.name)
    client.append("}")
    client.bytes.withUnsafeBytes { memory.writer.begin(header, context: $0) }
  }

  mutating func append(
    _ data: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    shard: Int,
    index: Int
  ) {
    var raw = EventView(
      key: EventKey(high: 0, low: 0),
      kind: .streamRecord,
      timestampMs: header.receivedAtMs,
      sequence: Int64(shard)
    )
    raw.id = key
    raw.properties = data
    target.withUnsafeBytes { target in
      raw.name = target
      memory.writer.append(raw)
    }
    if let event = StreamEvent.read(data, &memory) {
      append(event, index)
    } else {
      append(unknown: data, key: key, index)
    }
  }

  private mutating func append(_ event: StreamEvent, _ index: Int) {
    var view = EventView(
      key: EventKey(high: 0, low: 0),
      kind: .event,
      timestampMs: event.timestampMs ?? header.receivedAtMs,
      sequence: Int64(index)
    )
    if let time = event.timestampMs {
      let isAhead = time + header.clockCorrectionMs > header.receivedAtMs + NativeLimits.futureMs
      if isAhead { view.flags.insert(.timeInFuture) }
    } else {
      view.flags.insert(.timeMissing)
    }
    view.id = memory.bytes(event.id)
    var isNew = true
    if event.id.count > 0 {
      view.key = .native(project: header.project, id: view.id)
      // Sent twice in a request it counts once: stores know it by its key. It stands behind each of the
      // stream's records all the same, which tells whose that is.
      isNew = memory.seen.insert(view.key)
    } else {
      view.flags.insert(.keyIsRandom)
      view.key = wire.randomKey(project: header.project)
    }
    view.name = memory.bytes(event.name)
    view.deviceID = memory.bytes(event.deviceID)
    view.userID = memory.bytes(event.userID)
    view.sessionID = memory.bytes(event.sessionID)
    view.properties = memory.bytes(event.properties)
    view.context = memory.closedContext()
    memory.writer.append(view)
    if isNew { events += 1 }
    logged += 1
  }

  /// The longest record whose bytes are among an event's properties; of a longer one only the size is.
  private static let maxShownBytes = 48 << 10

  private mutating func append(
    unknown data: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    _ index: Int
  ) {
    memory.context.removeAll()
    memory.context.append("{\"bytes\":")
    memory.context.append(decimal: Int64(data.count))
    if key.count > 0 {
      memory.context.append(",\"partition_key\":")
      memory.context.append(text: key)
    }
    if data.count <= Self.maxShownBytes {
      if !data.contains(0), String(validating: data, as: UTF8.self) != nil {
        memory.context.append(",\"text\":")
        memory.context.append(text: data)
      } else {
        memory.context.append(",\"data\":")
        Base64Text.encode(data).withUnsafeBytes { memory.context.append(text: $0) }
      }
    }
    memory.context.append(UInt8(ascii: "}"))
    var view = EventView(
      key: wire.randomKey(project: header.project),
      kind: .event,
      flags: [.keyIsRandom, .timeMissing],
      timestampMs: header.receivedAtMs,
      sequence: Int64(index)
    )
    let name = "$stream_record" as StaticString
    view.name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    view.properties = memory.context.bytes
    memory.writer.append(view)
    events += 1
    logged += 1
  }

  /// Gives the memory back.
  consuming func end(_ wire: WireScratch) -> (record: [UInt8], events: Int, logged: Int) {
    let record = memory.writer.eventCount == 0 ? [] : memory.writer.bytes
    let (events, logged) = (events, logged)
    wire.keep(memory)
    return (record, events, logged)
  }
}

extension ByteSink {
  /// Adds text as JSON; a NUL, which no store keeps, as U+FFFD.
  fileprivate mutating func append(text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case 0: append("\\ufffd")
      case 0x01..<0x20, 0x22, 0x5c: append(quoting: UInt32(byte))
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
