import EventRecord
import Testing

@Suite struct `Editing a record` {
  private func record(client: String, events: Int) -> [UInt8] {
    RecordWriter.record(
      RecordHeader(source: .native, project: 7, receivedAtMs: 1),
      context: client,
      events: (0..<events).map { number in
        EventRecord(
          key: EventKey(high: 1, low: UInt64(number)),
          flags: .timeInFuture,
          timestampMs: 5,
          name: "Event \(number)"
        )
      }
    )
  }

  private func read(
    _ record: [UInt8]
  ) throws -> (client: String, events: [EventRecord], project: UInt32) {
    let (client, project) = try record.withUnsafeBytes { bytes in
      let reader = try RecordReader(bytes)
      return (String(decoding: reader.context, as: UTF8.self), reader.header.project)
    }
    return (client, try RecordReader.events(of: record), project)
  }

  @Test(arguments: [0, 1, 3])
  func `marks every event and nothing else`(count: Int) throws {
    var edited = record(client: #"{"os":"iOS"}"#, events: count)
    let before = try read(edited)
    RecordEditing.markTest(&edited)
    let after = try read(edited)
    #expect(after.events.count == count)
    #expect(after.events.allSatisfy { $0.flags == [.timeInFuture, .test] })
    #expect(after.events.map(\.key) == before.events.map(\.key))
    #expect(after.client == before.client)
  }

  @Test func `quotes the value`() {
    #expect(RecordEditing.clientMember("a", "\"\\\n") == #"{"a":"\"\\\u000a""#)
  }

  @Test(arguments: [
    [], [1], [2] + [UInt8](repeating: 0, count: 60), [UInt8](repeating: 1, count: 41),
  ])
  func `leaves alone what is no record`(bytes: [UInt8]) {
    var edited = bytes
    RecordEditing.markTest(&edited)
    #expect(edited == bytes)
  }
}
