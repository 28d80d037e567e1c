import Catalog
import EventStore
import Foundation
import ServerApp
import Testing

/// What is left of an erased person in the bytes of the data folder, all files of it.
@Suite(.timeLimit(.minutes(5))) struct `The files of a data folder` {
  /// What stands wherever something of the person does; its first twelve letters alone would tell them.
  private static let marker = "Zq7-person-4d1c"

  /// The files below a folder that hold a text, by their names there.
  private func files(of folder: String, holding text: String) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: folder))
    var found: [String] = []
    for case let name as String in names {
      var isFolder: ObjCBool = false
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      if try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil {
        found.append(name)
      }
    }
    return found.sorted()
  }

  private func events(_ users: [String], first: Int) -> String {
    let now = Int64(Date().timeIntervalSince1970 * 1_000) - 60_000
    let events = users.enumerated().map { number, user in
      #"{"id":"event-\#(first + number)","seq":\#(number),"name":"Opened","ts":\#(now + Int64(number)),"#
        + #""session_id":"session of \#(user)","device_id":"device of \#(user)","user_id":"\#(user)","#
        + #""props":{"by":"\#(user)","n":\#(number),"$revenue":1}}"#
    }
    let set =
      #"{"id":"set-\#(first)","name":"$identify","ts":\#(now),"device_id":"device of \#(users[0])","user_id":"\#(users[0])","ops":{"$set":{"name":"\#(users[0])"}}}"#
    return #"{"events":[\#((events + [set]).joined(separator: ","))]}"#
  }

  private func send(_ server: TestServer, _ users: [String], first: Int) throws {
    let answer = try server.post(
      "/v1/events",
      events(users, first: first),
      headers: ["Authorization": "Bearer \(server.key)"]
    )
    #expect(answer.status == 202)
  }

  private func run(_ server: TestServer, _ work: StoreWork) throws -> Job {
    let job = try server.server.catalog.addJob(
      kind: work.kind,
      project: work.kind == "backup" ? nil : server.project,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
    let done = try server.wait(forJob: job.id)
    #expect(done.state == .done, "\(done.problem ?? "")")
    return done
  }

  private func others(_ round: Int) -> [String] { (0..<200).map { "user-\($0 % 40)-\(round)" } }

  @Test func `hold nothing of a person once they are erased, whatever they held before`() throws {
    var server = try TestServer()
    defer { server.stop() }
    let person = Self.marker
    try send(server, [person, person] + others(0), first: 0)
    _ = try server.events(203)
    server.stop(keepingFolder: true)
    // By now it lies in the store's file; what comes next lies in the log beside it.
    server = try TestServer(folder: server.folder)
    let data = server.folder + "/data"
    try send(server, [person] + others(1), first: 1_000)
    _ = try server.events(405)
    _ = try run(server, .export(.ndjson, EventConditions(), person: nil))
    let uploads = UploadFolder(data + "/uploads")
    for project in [server.project, server.project + 1] {
      let line = Array(#"{"name":"Opened","ts":1,"user_id":"\#(person)"}"#.utf8)
      _ = try line.withUnsafeBytes { try uploads.add($0, at: nil, of: nil, project: project) }
    }
    try Data("of \(person)".utf8).write(to: URL(fileURLWithPath: data + "/events.duckdb.unpacked"))
    let before = try files(of: data, holding: person)
    #expect(before.contains("events.duckdb") && before.contains { $0.hasPrefix("log/") })
    #expect(before.contains { $0.hasPrefix("exports/") })
    #expect(before.count { $0.hasPrefix("uploads/") } == 2)

    var conditions = EventConditions()
    conditions.user = person
    let erased = try run(server, .erasing(conditions))
    #expect(erased.counts["events"] == 5)
    // What another project was sent is its own.
    let left = try files(of: data, holding: person)
    #expect(left.count == 1 && left[0].hasPrefix("uploads/\(server.project + 1)-"), "\(left)")
    #expect(try files(of: data, holding: String(person.prefix(12))) == left)
    let copy = server.folder + "/copy"
    _ = try run(server, .backup(folder: copy))
    #expect(try files(of: copy, holding: person) == [])
    // The others are all there, and loading goes on.
    #expect(try server.events(400).count == 400)
    try send(server, ["zoe"], first: 5_000)
    #expect(try server.events(402).count == 402)
  }

  @Test func `hold nothing of a device, nor of its registration`() throws {
    var server = try TestServer()
    defer { server.stop() }
    let device = "01JZ2V8QK5XW3N7M9R4T6Y1B0C"
    let data = server.folder + "/data"
    let key = "phase_" + String(repeating: "a", count: 32)
    _ = try server.server.catalog.adoptKey(project: server.project, kind: .phase, value: key)
    for round in 0..<3 {
      let answer = try server.post(
        "/sdk/devices",
        #"{"deviceId":"\#(device)","model":"Phone \#(round)"}"#,
        headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
      )
      #expect(answer.status == 200, "\(answer)")
    }
    server.stop(keepingFolder: true)
    server = try TestServer(folder: server.folder)
    #expect(try files(of: data, holding: device).contains("state.sqlite"))
    var conditions = EventConditions()
    conditions.device = device
    _ = try run(server, .erasing(conditions))
    #expect(try files(of: data, holding: device) == [])
  }
}
