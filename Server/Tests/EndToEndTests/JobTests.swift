import Catalog
import EventStore
import Foundation
import FootfallSystem
import ServerApp
import Testing

/// What a server does by itself while it runs: erase, export, import, copy all data.
@Suite(.timeLimit(.minutes(5))) struct `Work of a running server` {
  private func batch(_ users: [String], _ first: Int = 0) -> String {
    let now = Int64(Date().timeIntervalSince1970 * 1_000) - 60_000
    let events = users.enumerated().map { number, user in
      #"{"id":"event-\#(first + number)","seq":\#(number),"name":"Opened","ts":\#(now + Int64(number)),"#
        + #""device_id":"device of \#(user)","user_id":"\#(user)","props":{"n":\#(number)}}"#
    }
    return #"{"events":[\#(events.joined(separator: ","))]}"#
  }

  private func send(_ server: TestServer, _ users: [String], _ first: Int = 0) throws {
    let answer = try server.post(
      "/v1/events",
      batch(users, first),
      headers: ["Authorization": "Bearer \(server.key)"]
    )
    #expect(answer.status == 202)
  }

  /// The users of the stored events, sorted.
  private func users(_ server: TestServer, _ count: Int) throws -> [String] {
    try server.events(count).map(\.userID).sorted()
  }

  private func wait(_ server: TestServer, for id: Int64) throws -> Job {
    try server.wait(forJob: id)
  }

  private func call(
    _ server: TestServer,
    _ method: String,
    _ path: String,
    _ body: String = ""
  ) throws -> (status: Int, body: String) {
    let key = try server.server.catalog.createKey(project: 1, kind: .secret, role: .owner)
    return try LoopbackRequest.post(
      port: UInt16(try #require(try server.url.port)),
      path: "/api/v1" + path,
      headers: [
        "Authorization": "Bearer \(key.plaintext)", "Content-Type": "application/json",
      ],
      body: body,
      method: method
    )
  }

  /// Asks for work by the API and waits for it.
  private func run(
    _ server: TestServer,
    _ path: String,
    _ body: String = ""
  ) throws -> Job {
    let answer = try call(server, "POST", path, body)
    #expect(answer.status == 202, "\(answer.body)")
    let id = try #require(answer.body.firstMatch(of: /"id":(\d+)/).flatMap { Int64($0.1) })
    let job = try wait(server, for: id)
    #expect(job.state == .done, "\(job.problem ?? "")")
    return job
  }

  private func folderHolds(_ folder: String, _ text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: folder + "/" + name,
        isDirectory: &isFolder
      )
      guard exists, !isFolder.boolValue else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        .range(of: Data(text.utf8)) != nil
    }
  }

  @Test
  func
    `whoever waits for a job can see that the server lives, and without jobs nothing is written`()
    throws
  {
    let server = try TestServer()
    defer { server.stop() }
    try send(server, ["john-42"])
    _ = try users(server, 1)
    let pulse = DataFolder(path: server.folder + "/data").pulse
    #expect(pulse.last() == nil)
    _ = try run(server, "/projects/1/exports", #"{"format":"csv"}"#)
    let first = try #require(pulse.last())
    _ = try run(server, "/projects/1/exports", #"{"format":"csv"}"#)
    #expect(try #require(pulse.last()) > first)
  }

  @Test func `a person is erased from store, log and files while others go on sending`() throws {
    let server = try TestServer()
    defer { server.stop() }
    try send(server, ["john-42", "mary", "john-42"])
    #expect(try users(server, 3) == ["john-42", "john-42", "mary"])
    let export = try run(server, "/projects/1/exports", #"{"format":"csv"}"#)
    #expect(export.counts["events"] == 3)
    let count = try run(server, "/projects/1/erasures", #"{"user":"john-42","dry_run":true}"#)
    #expect(count.counts == ["events": 2])
    let asked = try call(server, "POST", "/projects/1/erasures", #"{"user":"john-42"}"#)
    // These happened before it was asked for, and arrive while it is at it, or after.
    for round in 1...5 { try send(server, ["john-42", "mary"], 100 * round) }
    let id = try #require(asked.body.firstMatch(of: /"id":(\d+)/).flatMap { Int64($0.1) })
    #expect(try wait(server, for: id).state == .done)
    try send(server, ["zoe"], 900)
    #expect(try users(server, 7) == Array(repeating: "mary", count: 6) + ["zoe"])
    // What the log has of them by now goes with the next sweep; there is nothing else left.
    _ = try server.server.erasing.sweep()
    let data = server.folder + "/data"
    #expect(try folderHolds(data + "/log", "john-42") == [])
    #expect(try folderHolds(data + "/exports", "john-42") == [])
    let job = try #require(try server.server.catalog.job(id))
    #expect(job.document.isEmpty)
    // Any change of the catalogue takes what was committed out of the log beside it.
    try server.server.catalog.note("test", "nothing", by: .server)
    #expect(try folderHolds(data, "john-42").filter { !$0.hasPrefix("events.duckdb") } == [])
  }

  @Test(arguments: ["ndjson", "csv", "parquet"])
  func `an export is taken along and comes back by an import`(format: String) throws {
    let server = try TestServer()
    defer { server.stop() }
    try send(server, ["john", "mary", "john"])
    _ = try users(server, 3)
    let export = try run(server, "/projects/1/exports", #"{"format":"\#(format)","user":"john"}"#)
    #expect(export.counts["events"] == 2)
    let file = try #require(
      ExportFile(of: export, in: server.folder + "/data/exports")
    )
    let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(export.counts["bytes"] == whole.count)
    let taken = try call(server, "GET", "/projects/1/exports/\(export.id)/file")
    #expect(taken.status == 200)
    #expect(taken.body == String(decoding: whole, as: UTF8.self))
    _ = try run(server, "/projects/1/erasures", #"{"user":"mary"}"#)
    let copy = server.folder + "/taken." + format
    try whole.write(to: URL(fileURLWithPath: copy))
    let work = StoreWork.importing(
      file: copy,
      try #require(TransferFormat(rawValue: format)),
      isSent: false
    )
    let again = try server.server.catalog.addJob(
      kind: work.kind,
      project: 1,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
    #expect(
      try wait(server, for: again.id).counts
        == ["stored": 0, "duplicates": 2, "erased": 0, "unreadable": 0]
    )
    #expect(FileManager.default.fileExists(atPath: copy))
  }

  @Test func `lines that are sent are imported, and their file is gone then`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let lines = #"{"name":"Played","ts":1796117400000,"user_id":"ada"}"# + "\nno event\n"
    let sent = try call(
      server,
      "POST",
      "/projects/1/uploads",
      lines.replacing("no event", with: "{}")
    )
    let id = try #require(sent.body.firstMatch(of: /"upload":"([0-9a-f]+)"/)).1
    let job = try run(server, "/projects/1/imports", #"{"upload":"\#(id)","format":"ndjson"}"#)
    #expect(job.counts == ["stored": 1, "duplicates": 0, "erased": 0, "unreadable": 1])
    #expect(try users(server, 1) == ["ada"])
    let uploads = server.folder + "/data/uploads"
    #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)
  }

  @Test func `lines that were left out are listed for who may import, until the file goes`() throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let lines = #"{"name":"Played","ts":1796117400000}"# + "\nno event\n{\"name\":\"A\"}\n"
    let sent = try call(server, "POST", "/projects/1/uploads", lines)
    let id = try #require(sent.body.firstMatch(of: /"upload":"([0-9a-f]+)"/)).1
    let job = try run(server, "/projects/1/imports", #"{"upload":"\#(id)","format":"ndjson"}"#)
    #expect(job.counts["unreadable"] == 2)
    let list = try call(server, "GET", "/projects/1/imports/\(job.id)/rejected")
    #expect(list.status == 200)
    #expect(list.body == "line 2: it is no JSON object\nline 3: it has no ts\n")
    #expect(try call(server, "GET", "/projects/1/imports/999/rejected").status == 404)
    // What is erased of a project takes every file of it along.
    _ = try run(server, "/projects/1/erasures", #"{"user":"john"}"#)
    #expect(try call(server, "GET", "/projects/1/imports/\(job.id)/rejected").status == 404)
  }

  @Test func `a copy made while events arrive is whole, and what was erased later stays erased`()
    throws
  {
    let server = try TestServer()
    try send(server, ["john", "mary"])
    _ = try users(server, 2)
    let answer = try call(server, "POST", "/backups")
    // Taken while it is copied, or after: with its answer on disk, in the copy or not.
    for round in 1...5 { try send(server, ["zoe"], 100 * round) }
    let id = try #require(answer.body.firstMatch(of: /"id":(\d+)/).flatMap { Int64($0.1) })
    #expect(try wait(server, for: id).state == .done)
    _ = try run(server, "/projects/1/erasures", #"{"user":"john"}"#)
    let data = server.folder + "/data"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: data + "/backups").first
    )
    let copy = data + "/backups/" + name
    let manifest = try Backup.verify(copy)
    #expect(!manifest.files.contains { $0.name.hasPrefix("backups/") })
    server.stop(keepingFolder: true)
    let restored = server.folder + "/restored"
    try Backup.restore(
      copy,
      to: DataFolder(path: restored + "/data"),
      erased: try Backup.erasures(at: data)
    )
    let again = try TestServer(folder: restored)
    let found = try users(again, 1)
    #expect(found.contains("mary") && !found.contains("john"))
    // What the copy was asked for is not done once more by the restored server.
    #expect(try again.server.catalog.jobs(.all).isEmpty)
    again.stop()
    try FileManager.default.removeItem(atPath: server.folder)
  }

  @Test func `what was asked for while the server was down is done at its start`() throws {
    let server = try TestServer()
    try send(server, ["john", "mary"])
    _ = try users(server, 2)
    server.stop(keepingFolder: true)
    let catalog = try Catalog(path: server.folder + "/data/catalogue.sqlite")
    var conditions = EventConditions()
    conditions.user = "john"
    let work = StoreWork.erasing(conditions)
    let job = try catalog.addJob(
      kind: work.kind,
      project: 1,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
    // As a kill in the middle leaves it.
    _ = try catalog.nextJob()
    let again = try TestServer(folder: server.folder)
    defer { again.stop() }
    #expect(try wait(again, for: job.id).counts == ["events": 1])
    #expect(try users(again, 1) == ["mary"])
  }

  /// Waits until a job is in its middle.
  private func waitUntilRunning(_ server: TestServer, _ id: Int64) throws {
    let patience = MonotonicTime.now()
    let never = Monitor(false)
    while MonotonicTime.now().seconds(since: patience) < 60 {
      let job = try #require(try server.server.catalog.job(id))
      if job.state != .queued, job.progress ?? 0 > 0 { return }
      _ = never.wait(timeoutSeconds: 0.01) { $0 ? () : nil }
    }
    Issue.record("job \(id) was not begun within a minute")
  }

  @Test func `an import goes on after a stop of the server, and ends when it is cancelled`() throws
  {
    let server = try TestServer()
    /// Asks for an import of lines that no other one has.
    func ask(_ server: TestServer, from start: Int) throws -> Int64 {
      let file = "\(server.folder)/many-\(start).ndjson"
      let lines = (start..<start + 80_000).map {
        #"{"name":"Played","ts":\#(1_796_117_400_000 + $0),"id":"\#($0)"}"#
      }
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let work = StoreWork.importing(file: file, .ndjson, isSent: false)
      return try server.server.catalog.addJob(
        kind: work.kind,
        project: 1,
        document: try work.encoded(),
        summary: work.summary,
        by: .commandLine
      ).id
    }
    let first = try ask(server, from: 0)
    try waitUntilRunning(server, first)
    server.stop(keepingFolder: true)
    #expect(try server.server.catalog.job(first)?.state == .queued)
    let again = try TestServer(folder: server.folder)
    defer { again.stop() }
    let counts = try wait(again, for: first).counts
    // What the first attempt added was added by this import.
    #expect(counts["stored"] == 80_000 && counts["duplicates"] == 0)
    let second = try ask(again, from: 80_000)
    try waitUntilRunning(again, second)
    try again.server.catalog.cancelJob(second, in: .all, by: .commandLine)
    #expect(try wait(again, for: second).state == .cancelled)
    let exported = try run(again, "/projects/1/exports", #"{"format":"csv"}"#)
    #expect(exported.counts["events", default: 0] < 160_000)
  }

  @Test func `one that fails says why and holds up no other`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let work = StoreWork.importing(file: "/no/such/file", .ndjson, isSent: false)
    let job = try server.server.catalog.addJob(
      kind: work.kind,
      project: 1,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
    let ended = try wait(server, for: job.id)
    #expect(ended.state == .failed)
    // The page shows it: no place of a file stands there.
    #expect(ended.problem?.contains("file") == true && ended.problem?.contains("/") == false)
    // What was sent is called what it is called where it came from, in words of the page.
    let sent = server.folder + "/data/uploads/1-0123456789abcdef"
    try FileManager.default.createDirectory(
      atPath: server.folder + "/data/uploads",
      withIntermediateDirectories: true
    )
    try Data("name,ts\n".utf8).write(to: URL(fileURLWithPath: sent))
    for (format, reason) in [
      (TransferFormat.parquet, "“orders.csv” is no Parquet file."),
      (.amplitude, "“orders.csv”"), (.ndjson, "“orders.csv” holds no lines of JSON"),
    ] {
      let work = StoreWork.importing(file: sent, format, isSent: true, name: "orders.csv")
      let job = try server.server.catalog.addJob(
        kind: work.kind,
        project: 1,
        document: try work.encoded(),
        summary: work.summary,
        by: .commandLine
      )
      let ended = try wait(server, for: job.id)
      #expect(ended.problem?.contains(reason) == true, "\(format): \(ended.problem ?? "")")
      #expect(ended.problem?.contains("0123456789abcdef") == false)
      #expect(ended.problem?.contains("--") == false)
      #expect(ended.summary == "“orders.csv” as \(format.title)")
    }
    #expect(try run(server, "/projects/1/exports", #"{"format":"csv"}"#).counts["events"] == 0)
  }
}
