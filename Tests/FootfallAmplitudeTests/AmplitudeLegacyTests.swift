import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

/// The database of the vendor's older client, found by an app that now uses this one.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude: the older client's database` {
  let day = AmplitudeDay()
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/footfall-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The engine's files are in memory; that the database is there, both sides have to see.
    try day.files.makeFolder(folder)
    day.files.setBytes(path, [0])
  }

  private var path: String { folder + "/com.amplitude.database" }

  private func removeFolder() {
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      // Left to whoever cleans the temporary folder.
    }
  }

  private static func json(_ name: String, _ more: String = "") -> String {
    """
    {"event_type":"\(name)","timestamp":1688622822100,"uuid":"id-\(name)","device_id":"D-legacy",\
    "user_id":"U-legacy","session_id":1688622822100,"library":{"name":"amplitude-ios",\
    "version":"8.0.1"},"api_properties":{"ios_idfv":"V-legacy","location":{"lat":52.5,"lng":13.25}},\
    "sequence_number":9,"os_name":"ios"\(more)}
    """
  }

  private func fill() throws {
    let database = try SQLite().open(path, creates: true)
    for table in ["events", "identifys", "intercepted_identifys"] {
      try database.rows("CREATE TABLE \(table) (id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT)")
    }
    try database.rows("CREATE TABLE store (key TEXT PRIMARY KEY NOT NULL, value TEXT)")
    try database.rows("CREATE TABLE long_store (key TEXT PRIMARY KEY NOT NULL, value INTEGER)")
    let bought = Self.json(
      "Bought",
      #","$price":3.5,"$quantity":2,"event_properties":{"a":[1,2.5]}"#
    )
    let plan = Self.json("$identify", #","user_properties":{"$add":{"n":1}}"#)
    let held = Self.json("$identify", #","user_properties":{"$set":{"plan":"pro"}}"#)
      .replacingOccurrences(of: "id-$identify", with: "id-held")
    for (table, text) in [
      ("events", Self.json("Opened")), ("events", bought), ("identifys", plan),
      ("intercepted_identifys", held),
    ] {
      try database.rows("INSERT INTO \(table) (event) VALUES ('\(text)')")
    }
    try database.rows("INSERT INTO store VALUES ('device_id','D-legacy'),('user_id','U-legacy')")
    try database.rows(
      "INSERT INTO long_store VALUES ('previous_session_id',1688622822100),"
        + "('previous_session_time',1688622822150)"
    )
  }

  private func start(_ sqlite: SQLite = SQLite()) async {
    let database = AmplitudeLegacyDatabase(folder: folder, sqlite: sqlite)
    day.setClock(to: 1_688_622_822_160)
    await day.start(.amplitude()) { $0.earlier = [database] }
  }

  @Test func `AMP-F10: its values go on, its events are sent, and none is added twice`()
    async throws
  {
    defer { removeFolder() }
    try fill()
    day.answer = .fail(.offline(""))
    await start()
    #expect(day.engine.diagnostics.stored == 4)
    #expect(day.engine.deviceID == "D-legacy" && day.engine.userID == "U-legacy")
    #expect(day.engine.sessionID == 1_688_622_822_100)
    day.end()
    day.answer = AmplitudeWorld.ok
    await start()
    await day.track("new", at: 1_688_622_822_161)
    let events = try await day.events()
    #expect(events.map(\.name) == ["Opened", "$identify", "Bought", "$identify", "new"])
    let ids = ["id-Opened", "id-$identify", "id-Bought", "id-held"]
    #expect(events.map { $0["insert_id"] }.dropLast() == ids)
    #expect(events.map { $0["event_id"] } == ["1", "1", "2", "1", "3"])
    #expect(events.map { $0["session_id"] } == Array(repeating: "1688622822100", count: 5))
    let bought = events[2]
    #expect(bought["time"] == "1688622822100" && bought["library"] == "amplitude-ios/8.0.1")
    #expect(bought["idfv"] == "V-legacy" && bought["location_lat"] == "52.5")
    #expect(bought["price"] == "3.5" && bought["quantity"] == "2")
    #expect(bought["event_properties"] == #"{"a":[1,2.5]}"#)
    #expect(!bought.keys.contains { $0.hasPrefix("$") || $0 == "api_properties" || $0 == "uuid" })
    #expect(events[3]["user_properties"] == #"{"$set":{"plan":"pro"}}"#)
  }

  @Test func `without SQLite a line says so, and all of it stays`() async throws {
    defer { removeFolder() }
    try fill()
    await start(SQLite(library: "libnone.so.0"))
    #expect(day.lines(.error).contains { $0.contains("libnone.so.0 cannot be loaded") })
    #expect(day.engine.diagnostics.stored == 0)
    day.end()
    await start()
    #expect(try await day.events().map(\.name) == ["Opened", "$identify", "Bought", "$identify"])
  }

  @Test func `a file that is no database costs nothing`() async throws {
    defer { removeFolder() }
    try Data("not a database, but long enough to look like a page of one".utf8)
      .write(to: URL(fileURLWithPath: path))
    await start()
    await day.track("new", at: 1_688_622_822_161)
    #expect(try await day.events().map(\.name) == ["session_start", "new"])
    #expect(day.lines(.error).contains { $0.contains("SQLite answered") })
  }

  @Test func `names of instances are part of the database's`() async throws {
    defer { removeFolder() }
    try fill()
    let other = AmplitudeLegacyDatabase(folder: folder, instance: "Other")
    await day.start { $0.earlier = [other] }
    #expect(day.engine.deviceID != "D-legacy" && day.engine.diagnostics.stored == 0)
  }
}
