import FootfallJournal

/// One record as it is sent.
struct StreamRecord: Sendable, Hashable {
  /// Tells records apart and orders them; grows from save to save.
  var id: UInt64
  /// When it was saved, in milliseconds since 1970.
  var savedMilliseconds: Int64
  /// How often the service did not take it, by itself.
  var tries: UInt32 = 0
  /// The stream it goes to.
  var stream: String
  /// What decides the shard it goes to.
  var partitionKey: String
  /// What it says.
  var data: [UInt8]

  /// How much of the disk it counts for, in bytes.
  ///
  /// Source: `aws.md` section 3.6.
  var bytes: Int { data.count + partitionKey.utf8.count + stream.utf8.count }
}

/// What the journal of records holds: records, and what became of them.
enum RecordFrame: Sendable, Hashable {
  /// A record, or a record written again under its old id.
  case record(StreamRecord)
  /// These are sent, or given up.
  case gone([UInt64])
  /// These were not taken, so often by now.
  case tried([UInt64: UInt32])
  /// All up to this one are removed.
  case goneThrough(UInt64)

  private enum Tag: UInt8 {
    case record = 1
    case gone = 2
    case tried = 3
    case goneThrough = 4
  }
}

extension RecordFrame {
  /// The frame as bytes: a tag, numbers with the lowest byte first, texts behind their length.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    switch self {
    case .record(let record):
      bytes.reserveCapacity(record.bytes + 40)
      bytes.append(Tag.record.rawValue)
      append(record.id)
      append(record.savedMilliseconds)
      append(record.tries)
      for text in [record.stream, record.partitionKey] {
        append(UInt32(clamping: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      }
      bytes.append(contentsOf: record.data)
    case .gone(let ids):
      bytes.append(Tag.gone.rawValue)
      for id in ids { append(id) }
    case .tried(let tries):
      bytes.append(Tag.tried.rawValue)
      for (id, count) in tries.sorted(by: { $0.key < $1.key }) {
        append(id)
        append(count)
      }
    case .goneThrough(let id):
      bytes.append(Tag.goneThrough.rawValue)
      append(id)
    }
    return bytes
  }

  /// Reads a frame; nil of one that a later version wrote.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = FrameReader(bytes)
    guard let tag = reader.number(UInt8.self).flatMap(Tag.init) else { return nil }
    switch tag {
    case .record:
      guard let id = reader.number(UInt64.self), let saved = reader.number(Int64.self),
        let tries = reader.number(UInt32.self), let stream = reader.text(),
        let key = reader.text()
      else { return nil }
      self = .record(
        StreamRecord(
          id: id,
          savedMilliseconds: saved,
          tries: tries,
          stream: stream,
          partitionKey: key,
          data: reader.rest
        )
      )
    case .gone:
      var ids: [UInt64] = []
      while let id = reader.number(UInt64.self) { ids.append(id) }
      self = .gone(ids)
    case .tried:
      var tries: [UInt64: UInt32] = [:]
      while let id = reader.number(UInt64.self), let count = reader.number(UInt32.self) {
        tries[id] = count
      }
      self = .tried(tries)
    case .goneThrough:
      guard let id = reader.number(UInt64.self) else { return nil }
      self = .goneThrough(id)
    }
  }
}

/// Takes numbers and texts from the front of some bytes.
private struct FrameReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - offset >= size else { return nil }
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  mutating func text() -> String? {
    guard let count = number(UInt32.self), bytes.count - offset >= count else { return nil }
    defer { offset += Int(count) }
    return String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
  }

  var rest: [UInt8] { Array(bytes[offset...]) }
}
