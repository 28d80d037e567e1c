import EventRecord
import Testing

@Suite struct `Record` {
  static let header = RecordHeader(
    source: .amplitude,
    project: 70_000,
    receivedAtMs: 1_764_581_400_500,
    sentAtMs: 1_764_585_000_500,
    clockCorrectionMs: -3_600_000
  )
  static let full = EventRecord(
    key: EventKey(high: 1, low: .max),
    kind: .groupIdentify,
    flags: [.test, .timeInFuture],
    timestampMs: -1,
    sequence: .max,
    id: "id",
    name: "Łódź 🎧",
    deviceID: "d",
    userID: "u",
    sessionID: "s",
    properties: #"{"a":1}"#,
    groups: #"{"g":["1"]}"#,
    operations: #"{"$set":{}}"#,
    context: #"{"os":"x"}"#
  )
  static let bare = EventRecord(
    key: EventKey(high: 0, low: 0),
    timestampMs: 1_764_581_400_123,
    name: "n"
  )

  @Test func `what is written is read`() throws {
    let bytes = RecordWriter.record(
      Self.header,
      context: #"{"app":"4.2"}"#,
      events: [Self.full, Self.bare]
    )
    try bytes.withUnsafeBytes { buffer in
      var reader = try RecordReader(buffer)
      #expect(reader.header == Self.header)
      #expect(String(decoding: reader.context, as: UTF8.self) == #"{"app":"4.2"}"#)
      #expect(reader.eventCount == 2)
      let first = try #require(try reader.next())
      #expect(first.record == Self.full)
      #expect(first.correctedMs(reader.header) == 1_764_581_400_500)
      let second = try #require(try reader.next())
      #expect(second.record == Self.bare)
      #expect(second.correctedMs(reader.header) == 1_764_581_400_123 - 3_600_000)
      #expect(try reader.next() == nil)
    }
  }

  @Test func `a header without sent time and a record without events are read`() throws {
    let header = RecordHeader(source: .native, project: 1, receivedAtMs: 5)
    let bytes = RecordWriter.record(header, events: [])
    try bytes.withUnsafeBytes { buffer in
      var reader = try RecordReader(buffer)
      #expect(reader.header == header)
      #expect(try reader.next() == nil)
    }
  }

  @Test func `a writer begins anew`() throws {
    var writer = RecordWriter()
    writer.begin(Self.header, context: UnsafeRawBufferPointer(start: nil, count: 0))
    writer.append(Self.full)
    writer.removeEvents()
    writer.append(Self.bare)
    #expect(try RecordReader.events(of: writer.bytes) == [Self.bare])
    writer.begin(Self.header, context: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(try RecordReader.events(of: writer.bytes) == [])
  }

  @Test(arguments: Array(0...70))
  func `texts of any length are written whole`(length: Int) throws {
    let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x30 + $0 % 70))) })
    var event = Self.bare
    event.id = text
    event.name = String(text.reversed())
    event.properties = "<" + text
    event.context = text + ">"
    let bytes = RecordWriter.record(Self.header, context: text, events: [event, Self.full])
    #expect(try RecordReader.events(of: bytes) == [event, Self.full])
  }

  @Test(arguments: [
    ("", #"{"deployment":"macos"}"#), ("{}", #"{"deployment":"macos"}"#),
    (#"{"os":"iOS"}"#, #"{"deployment":"macos","os":"iOS"}"#),
  ])
  func `puts a member in front of what the client says`(client: String, expected: String) throws {
    var writer = RecordWriter()
    var text = client
    text.withUTF8 { writer.begin(Self.header, context: UnsafeRawBufferPointer($0)) }
    writer.append(Self.full)
    writer.append(Self.bare)
    func record(_ client: String) -> [UInt8] {
      RecordWriter.record(Self.header, context: client, events: [Self.full, Self.bare])
    }
    let member = RecordEditing.clientMember("deployment", "macos")
    #expect(writer.bytes(addingToClient: member) == record(expected))
    #expect(expected.hasPrefix(member))
    #expect(writer.bytes(addingToClient: nil) == record(client))
  }

  @Test func `every cut of a record is an error`() {
    let bytes = RecordWriter.record(Self.header, context: "{}", events: [Self.full, Self.bare])
    for length in 0..<bytes.count {
      #expect(throws: RecordError.self) { try RecordReader.events(of: Array(bytes[..<length])) }
    }
    #expect(throws: RecordError.self) { try RecordReader.events(of: bytes + [0]) }
  }

  @Test func `no flipped bit makes the reader leave the record`() {
    let bytes = RecordWriter.record(Self.header, context: "{}", events: [Self.full, Self.bare])
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      let count = Result {
        try damaged.withUnsafeBytes { bytes in
          // A kind may become that of a stream's record, which stores are not handed.
          var reader = try RecordReader(bytes, handsOutStreamRecords: true)
          var count = 0
          while let event = try reader.next() {
            _ = event.record
            count += 1
          }
          return count
        }
      }
      guard case .success(let count) = count else { continue }
      // The bit that marks an event as erased takes just that one away.
      #expect(count == 2 || count == 1 && bit % 8 == 6)
    }
  }

  @Test func `a newer version is named`() {
    var bytes = RecordWriter.record(Self.header, events: [])
    bytes[0] = 2
    #expect(throws: RecordError.newerVersion(found: 2, supported: 1)) {
      try RecordReader.events(of: bytes)
    }
  }
}
