import EventRecord
import Testing

@Suite struct `Erasing from a record` {
  private let header = RecordHeader(source: .native, project: 3, receivedAtMs: 5)

  private func event(_ user: String) -> EventRecord {
    EventRecord(
      key: .native(project: 3, id: user),
      timestampMs: 1,
      id: "id of \(user)",
      name: "Opened",
      userID: user,
      properties: #"{"who":"\#(user)"}"#
    )
  }

  private func erase(_ record: [UInt8], _ users: Set<String>) -> [UInt8]? {
    record.withUnsafeBytes {
      RecordEraser.erase($0) { event, header in
        header.project == 3 && users.contains(event.record.userID)
      }
    }
  }

  @Test(arguments: [["ada"], ["bob"], ["cleo"], ["ada", "cleo"]])
  func `the others stay as they are and the length is the same`(gone: [String]) throws {
    let users = ["ada", "bob", "cleo"]
    let record = RecordWriter.record(header, context: "{}", events: users.map(event))
    let erased = try #require(erase(record, Set(gone)))
    #expect(erased.count == record.count)
    #expect(
      try RecordReader.events(of: erased) == users.filter { !gone.contains($0) }.map(event)
    )
    let text = String(decoding: erased, as: UTF8.self)
    for user in users { #expect(text.contains(user) == !gone.contains(user)) }
    #expect(erase(erased, Set(gone)) == nil)
    // In two steps it is the same.
    let rest = try #require(erase(erased, Set(users)))
    #expect(try RecordReader.events(of: rest).isEmpty)
    #expect(String(decoding: rest, as: UTF8.self).contains("{}") == false)
  }

  private func streamRecord(_ user: String) -> EventRecord {
    EventRecord(
      key: EventKey(high: 0, low: 0),
      kind: .streamRecord,
      timestampMs: 1,
      name: "1",
      properties: "bytes of \(user)"
    )
  }

  // A copy of Pinpoint's stands behind its event; what is put into a stream stands before the event it is.
  @Test(arguments: [RecordHeader.Source.pinpoint, .kinesis, .firehose])
  func `what streams have of an event goes with it, and nobody else's`(
    source: RecordHeader.Source
  ) throws {
    let entries = ["ada", "bob"].flatMap { user in
      let pair = [event(user), streamRecord(user)]
      return source == .pinpoint ? pair : pair.reversed()
    }
    let header = RecordHeader(source: source, project: 3, receivedAtMs: 5)
    let record = RecordWriter.record(header, events: entries)
    for user in ["ada", "bob"] {
      let other = user == "ada" ? "bob" : "ada"
      let erased = try #require(erase(record, [user]))
      #expect(erased.count == record.count)
      let text = String(decoding: erased, as: UTF8.self)
      #expect(!text.contains("id of \(user)") && !text.contains("bytes of \(user)"))
      #expect(text.contains("id of \(other)") && text.contains("bytes of \(other)"))
      #expect(erase(erased, [user]) == nil)
      let rest = try #require(erase(erased, [other]))
      #expect(!String(decoding: rest, as: UTF8.self).contains("bytes of"))
    }
  }

  @Test func `bytes whose event was erased before them go, and those that are no event stay`()
    throws
  {
    let header = RecordHeader(source: .kinesis, project: 3, receivedAtMs: 5)
    var gone = event("ada")
    gone.flags.insert(.erased)
    let entries = [
      streamRecord("ada"), gone, streamRecord("nobody"), streamRecord("bob"), event("bob"),
    ]
    let erased = try #require(erase(RecordWriter.record(header, events: entries), []))
    let text = String(decoding: erased, as: UTF8.self)
    #expect(!text.contains("bytes of ada"))
    #expect(text.contains("bytes of nobody") && text.contains("bytes of bob"))
  }

  @Test func `a record without the person, or that cannot be read, is left alone`() {
    let record = RecordWriter.record(header, events: [event("ada")])
    #expect(erase(record, ["bob"]) == nil)
    #expect(erase(Array(record.dropLast()), ["bob"]) == nil)
    #expect(erase([1, 2, 3], ["ada"]) == nil)
  }
}
