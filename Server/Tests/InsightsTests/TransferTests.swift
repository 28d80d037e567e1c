import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `Events in files` {
  private static func file(_ suffix: String) -> String {
    NSTemporaryDirectory() + "footfall-transfer-" + UUID().uuidString + "." + suffix
  }

  private static func remove(_ path: String) {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
  }

  private func add(
    _ path: String,
    _ format: TransferFormat,
    to store: DuckDBEventStore,
    project: UInt32 = 1,
    erased: EraseList = EraseList()
  ) throws -> ImportResult {
    var request = ImportRequest(path, format, project: project)
    request.erased = erased
    return try store.importEvents(
      request,
      cancellation: nil,
      refused: { _ in },
      progress: { _ in }
    )
  }

  private static let all = SQL("SELECT \(EventColumns.list) FROM events ORDER BY event_key")

  @Test(arguments: [TransferFormat.ndjson, .csv, .parquet], [1, 2] as [UInt64])
  func `what is exported comes back as it was, and a second time adds nothing`(
    format: TransferFormat,
    seed: UInt64
  ) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(500).filter { !$0.name.isEmpty && $0.project == 1 }
    let first = try TestStore()
    try first.load(events)
    let path = Self.file(format.rawValue)
    defer { Self.remove(path) }
    let request = ExportRequest(project: 1, format: format)
    #expect(try first.store.export(request, to: path) == events.count)
    #expect(try add(path, format, to: first.store).duplicates == events.count)

    let second = try TestStore()
    #expect(try add(path, format, to: second.store).stored == events.count)
    #expect(try second.store.rows(Self.all) == first.store.rows(Self.all))
    let again = try add(path, format, to: second.store)
    #expect(again.stored == 0)
    #expect(again.duplicates == events.count)
    // In another project they are other events, once.
    #expect(try add(path, format, to: second.store, project: 9).stored == events.count)
    #expect(try add(path, format, to: second.store, project: 9).stored == 0)
  }

  @Test func `an event of another project is known when its client sends it again`() throws {
    let keys: [(EventKey, String)] = [
      (.native(project: 1, id: "a"), #""id":"a""#),
      (.amplitude(project: 1, deviceID: "d", insertID: "b"), #""id":"b","device_id":"d""#),
    ]
    let duck = try TestStore()
    for (key, fields) in keys {
      let path = Self.file("ndjson")
      defer { Self.remove(path) }
      try """
      {"project":1,"key":"\(key)","plan":1,"name":"Opened","ts":1764581400123,\(fields)}
      """.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try add(path, .ndjson, to: duck.store, project: 9).stored == 1)
    }
    let stored = try duck.store.rows(SQL("SELECT event_key::VARCHAR FROM events ORDER BY event_id"))
      .map { try $0.text(0).filter { $0 != "-" } }
    #expect(
      stored == [
        EventKey.native(project: 9, id: "a").description,
        EventKey.amplitude(project: 9, deviceID: "d", insertID: "b").description,
      ]
    )
  }

  @Test(arguments: [TransferFormat.ndjson, .csv, .parquet])
  func `a name is a name, whatever signs are in it`(format: TransferFormat) throws {
    var random = RandomHistory(seed: 3)
    let events = random.events(60).filter { !$0.name.isEmpty && $0.project == 1 }
    let first = try TestStore()
    try first.load(events)
    let folder = Self.file("project=5")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { Self.remove(folder) }
    // Others that such a name would mean as a pattern.
    for other in ["g1", "gx"] {
      try "no events".write(
        toFile: "\(folder)/\(other).\(format.rawValue)",
        atomically: true,
        encoding: .utf8
      )
    }
    for name in ["g[1]", "g?", "g*", "it's"] {
      let path = "\(folder)/\(name).\(format.rawValue)"
      _ = try first.store.export(ExportRequest(project: 1, format: format), to: path)
      let second = try TestStore()
      #expect(try add(path, format, to: second.store).stored == events.count, "\(name)")
    }
  }

  @Test func `only what was asked for is in the file`() throws {
    var random = RandomHistory(seed: 5)
    let events = random.events(400)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    let path = Self.file("ndjson")
    defer { Self.remove(path) }
    var request = ExportRequest(project: 1, format: .ndjson)
    request.person = "user-1"
    request.conditions.name = "Played"
    request.conditions.fromMs = RandomHistory.start
    request.conditions.toMs = RandomHistory.start + 10 * RandomHistory.day
    let expected = try RecentEvents(project: 1, name: "Played", person: "user-1", limit: 1_000)
      .run(on: model)
      .filter {
        $0.correctedMs >= RandomHistory.start && $0.correctedMs < request.conditions.toMs ?? 0
      }
    #expect(!expected.isEmpty)
    #expect(try duck.store.export(request, to: path) == expected.count)
  }

  @Test func `lines of other origin need a name and a time, and repeat by their id or content`()
    throws
  {
    let path = Self.file("ndjson")
    defer { Self.remove(path) }
    try """
    {"name":"Opened","ts":1764581400123,"id":"a","user_id":"john","props":{"n":1},"other":true}
    {"name":"Opened","ts":1764581400123,"user_id":"john"}
    {"name":"Opened","ts":1764581400124,"user_id":"john"}
    {"ts":1764581400123,"id":"b"}
    {"name":"Opened","id":"c"}

    """.write(toFile: path, atomically: true, encoding: .utf8)
    let duck = try TestStore()
    let result = try add(path, .ndjson, to: duck.store)
    #expect(result.stored == 3)
    #expect(result.unreadable == 2)
    #expect(try add(path, .ndjson, to: duck.store).stored == 0)
    let events = try RecentEvents(project: 1).run(on: duck.store)
    #expect(events.filter { $0.properties == #"{"n":1}"# }.map(\.id) == ["a"])
    // What was erased stays away.
    var erasure = Erasure(id: 1, project: 1, askedAtMs: .max)
    erasure.user = PersonNumber.user(project: 1, id: "john")
    let empty = try TestStore()
    let left = try add(path, .ndjson, to: empty.store, erased: EraseList([erasure]))
    #expect(left.erased == 3)
    #expect(left.stored == 0)
  }

  @Test func `lines are identifies by their names, as requests are`() throws {
    let path = Self.file("ndjson")
    defer { Self.remove(path) }
    try """
    {"name":"$identify","ts":1796117400000,"device_id":"d1","user_id":"u1",\
    "ops":{"$set":{"plan":"pro"}},"groups":{"org":"Acme"}}
    {"name":"$groupidentify","ts":1796117400001,"device_id":"d1","user_id":"u1",\
    "ops":{"$set":{"size":3}},"groups":{"org":"Acme"}}
    {"name":"Ok","ts":1796117400002,"device_id":"d1","user_id":"u1"}
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let duck = try TestStore()
    #expect(try add(path, .ndjson, to: duck.store).stored == 3)
    #expect(
      try EventDirectory(project: 1, sinceMs: 0).run(on: duck.store).entries.map(\.name) == ["Ok"]
    )
    let person = try CurrentProperties(project: 1, of: .user("u1")).run(on: duck.store)
    #expect(person.properties == ["plan": .text("pro")])
    #expect(person.groups == ["org": .text("Acme")])
    let group = CurrentProperties(project: 1, of: .group(type: "org", name: "Acme"))
    #expect(try group.run(on: duck.store).properties == ["size": .integer(3)])
  }

  @Test func `Amplitude's lines keep times, ids, properties and what else they say`() throws {
    let path = Self.file("json")
    defer { Self.remove(path) }
    try """
    {"event_type":"Song Played","user_id":"user-12345","device_id":"G","$insert_id":"i-1",\
    "event_time":"2023-10-24 18:16:24.123000","client_event_time":"2023-10-24 19:16:24.123000",\
    "server_received_time":"2023-10-24 18:16:25","session_id":1698171384000,"event_id":7,\
    "event_properties":{"title":"x"},"user_properties":{"plan":"pro"},"groups":{},\
    "uuid":"u-1","country":"Germany","city":null}
    {"event_type":"session_start","device_id":"G","uuid":"u-2","session_id":-1,\
    "event_time":"2023-10-24 18:16:00.5"}
    {"event_type":"no time"}
    {"event_type":"more than a time","event_time":"2023-10-24 18:16:24 and more"}
    {"event_type":"no day","event_time":"2023-02-30 18:16:24"}
    {"event_type":"no fraction","event_time":"2023-10-24 18:16:24.1x"}

    """.write(toFile: path, atomically: true, encoding: .utf8)
    let duck = try TestStore()
    #expect(try add(path, .amplitude, to: duck.store).stored == 2)
    let again = try add(path, .amplitude, to: duck.store)
    #expect(again.duplicates == 2)
    #expect(again.unreadable == 4)
    let events = try RecentEvents(project: 1).run(on: duck.store)
    let song = try #require(events.first { $0.name == "Song Played" })
    #expect(song.correctedMs == 1_698_171_384_123)
    #expect(song.timestampMs == 1_698_171_384_123 + 3_600_000)
    #expect(song.receivedMs == 1_698_171_385_000)
    #expect(song.sequence == 7)
    #expect(song.sessionID == "1698171384000")
    #expect(song.properties == #"{"title":"x"}"#)
    #expect(song.context == #"{"country":"Germany"}"#)
    #expect(song.key == .amplitude(project: 1, deviceID: "G", insertID: "i-1"))
    let start = try #require(events.first { $0.name == "[Amplitude] Start Session" })
    #expect(start.sessionID.isEmpty)
    #expect(start.correctedMs == 1_698_171_360_500)
    let profile = CurrentProperties(project: 1, of: .user("user-12345"))
    #expect(try profile.run(on: duck.store).properties == ["plan": .text("pro")])
  }
}
