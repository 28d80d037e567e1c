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

  @Test func `the copies of Pinpoint's events go with them, what apps put into streams stays`()
    throws
  {
    func copy(_ user: String) -> EventRecord {
      EventRecord(
        key: EventKey(high: 0, low: 0),
        kind: .streamRecord,
        timestampMs: 1,
        name: "1",
        properties: "copy of \(user)"
      )
    }
    let entries = ["ada", "bob"].flatMap { [event($0), copy($0)] } + [event("cleo")]
    for (source, isKept) in [(RecordHeader.Source.pinpoint, false), (.kinesis, true)] {
      let header = RecordHeader(source: source, project: 3, receivedAtMs: 5)
      let record = RecordWriter.record(header, events: entries)
      let erased = try #require(erase(record, ["ada"]))
      let text = String(decoding: erased, as: UTF8.self)
      #expect(!text.contains("id of ada"))
      #expect(text.contains("copy of ada") == isKept)
      #expect(text.contains("copy of bob"))
      // Again, and further.
      let rest = try #require(erase(erased, ["ada", "cleo"]))
      #expect(String(decoding: rest, as: UTF8.self).contains("copy of ada") == isKept)
      #expect(String(decoding: rest, as: UTF8.self).contains("copy of bob"))
    }
  }

  @Test func `a record without the person, or that cannot be read, is left alone`() {
    let record = RecordWriter.record(header, events: [event("ada")])
    #expect(erase(record, ["bob"]) == nil)
    #expect(erase(Array(record.dropLast()), ["bob"]) == nil)
    #expect(erase([1, 2, 3], ["ada"]) == nil)
  }
}
