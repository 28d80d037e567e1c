import Catalog
import Dashboard
import EventStore
import Foundation
import HTTPServing
import Testing

@Suite struct `The page of data` {
  private static let page = "/projects/1/data"

  private func work(_ job: Job) throws -> StoreWork { try StoreWork(encoded: job.document) }

  @Test func `an export is asked for with its conditions, days in the project's zone`() async throws
  {
    let fixture = try DashboardFixture()
    try fixture.catalog.updateProject(1, name: "Corner Shop", timeZone: "Asia/Tokyo")
    let browser = try fixture.signIn()
    let answer = try await browser.submit(
      Self.page + "/export",
      [
        "user": "john", "name": "Song Played", "from": "2026-12-01", "to": "2026-12-01",
        "format": "parquet",
      ],
      from: Self.page
    )
    #expect(answer.status == 303 && answer.header("Location") == Self.page)
    let job = try #require(try fixture.catalog.jobs(.project(1)).first)
    guard case .export(.parquet, let conditions, nil) = try work(job) else {
      Issue.record("it is another export")
      return
    }
    #expect(conditions.user == "john" && conditions.name == "Song Played")
    // 1 December in Tokyo: from 15:00 UTC the day before, 24 hours.
    #expect(conditions.fromMs == 1_796_050_800_000 && conditions.toMs == 1_796_137_200_000)
    #expect(job.actor == "user owner")
    let html = await browser.get(Self.page).text
    #expect(html.contains("waits") && html.contains(#"hx-trigger="every 2s""#))
    #expect(!html.contains("john"))
  }

  @Test func `erasing needs the project's name, typed, and counting does not`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    func submit(_ fields: [String: String]) async throws -> Response {
      try await browser.submit(Self.page + "/erase", fields, from: Self.page)
    }
    let person = ["user": "john"]
    for typed in [nil, "", "corner shop", "john"] {
      var fields = person.merging(["action": "erase"]) { $1 }
      fields["confirmation"] = typed
      let refused = try await submit(fields)
      #expect(refused.status == 422)
      #expect(refused.text.contains("Nothing was erased"))
      // What was typed stays, so that only the name is missing.
      #expect(refused.text.contains(#"name="user" value="john""#))
    }
    #expect(try await submit(["action": "erase", "confirmation": "Corner Shop"]).status == 422)
    #expect(try fixture.catalog.jobs(.all).map(\.kind) == ["export"])
    #expect(try await submit(person.merging(["action": "count"]) { $1 }).status == 303)
    let confirmed = ["action": "erase", "confirmation": " Corner Shop "]
    #expect(try await submit(person.merging(confirmed) { $1 }).status == 303)
    let jobs = try fixture.catalog.jobs(.all)
    #expect(jobs.map(\.kind) == ["erase", "count", "export"])
    guard case .erase(let conditions, _) = try work(jobs[0]) else {
      Issue.record("it is no erasure")
      return
    }
    #expect(conditions.user == "john" && conditions.isWholePerson)
  }

  @Test func `a file is offered while it is there, to those of its project`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let job = try #require(try fixture.catalog.jobs(.all).first)
    let target = "\(Self.page)/\(job.id)/file"
    #expect(await browser.get(Self.page).text.contains("href=\"\(target)\""))
    let file = await browser.get(target)
    #expect(file.file?.hasSuffix("/exports/\(job.id).ndjson") == true)
    #expect(file.header("Content-Disposition")?.contains("attachment") == true)
    #expect(file.header("Content-Type") == "application/x-ndjson")
    let other = try fixture.catalog.createProject(name: "Other").id
    #expect(await browser.get("/projects/\(other)/data/\(job.id)/file").status == 404)
    try FileManager.default.removeItem(atPath: try #require(file.file))
    #expect(await browser.get(target).status == 404)
    #expect(await !browser.get(Self.page).text.contains(target))
  }

  @Test func `an editor exports and takes back exports, and is shown no more`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .editor)
    let editor = try fixture.signIn(user: "Ada")
    let html = await editor.get(Self.page).text
    #expect(html.contains("/data/export") && !html.contains("/data/erase"))
    for kind in ["erase", "export"] {
      _ = try fixture.catalog.addJob(
        kind: kind,
        project: 1,
        document: "{}",
        summary: kind,
        by: .server
      )
    }
    let jobs = try fixture.catalog.jobs(.all)
    #expect(await !editor.get(Self.page).text.contains("/\(jobs[1].id)/cancel"))
    func cancel(_ job: Job) async throws -> Response {
      try await editor.submit("\(Self.page)/\(job.id)/cancel", from: Self.page)
    }
    #expect(try await cancel(jobs[1]).status == 403)
    #expect(try await cancel(jobs[0]).status == 303)
    #expect(try await cancel(jobs[0]).status == 409)
    #expect(try fixture.catalog.jobs(.all).map(\.state) == [.cancelled, .queued, .done])
  }

  @Test func `a file is sent in pieces and imported, by editors too`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .editor)
    let editor = try fixture.signIn(user: "Ada")
    let html = await editor.get(Self.page).text
    #expect(html.contains("data-upload=\"\(Self.page)/upload\""))
    let token = try #require(html.firstMatch(of: /name="form_token" value="([0-9a-f]+)"/)).1
    func send(_ query: String, _ bytes: String, token: String) async -> Response {
      await fixture.client.post(
        Self.page + "/upload" + query,
        headers: [Header("Cookie", editor.cookie), Header("X-Form-Token", token)],
        text: bytes
      )
    }
    #expect(await send("", "x", token: "guess").status == 403)
    let first = await send("", "name,ts\n", token: String(token))
    let id = try #require(first.text.firstMatch(of: /"upload":"([0-9a-f]{16})"/)).1
    #expect(await send("?upload=\(id)&offset=3", "x", token: String(token)).status == 409)
    #expect(await send("?upload=../../x&offset=0", "x", token: String(token)).status == 409)
    let second = await send("?upload=\(id)&offset=8", "A,1\n", token: String(token))
    #expect(second.text.contains(#""bytes":12"#))
    func ask(_ fields: [String: String]) async throws -> Response {
      try await editor.submit(Self.page + "/import", fields, from: Self.page)
    }
    #expect(try await ask(["format": "csv"]).status == 422)
    #expect(try await ask(["format": "csv", "upload": "0123456789abcdef"]).status == 422)
    #expect(try await ask(["format": "spreadsheet", "upload": String(id)]).status == 422)
    #expect(
      try await ask([
        "format": "csv", "upload": String(id), "file_name": #"C:\orders\Böden <1>.csv"#,
      ]).status == 303
    )
    let job = try #require(try fixture.catalog.jobs(.project(1)).first)
    let path = fixture.folder + "/uploads/1-\(id)"
    #expect(try work(job) == .importing(file: path, .csv, isSent: true, name: "Böden <1>.csv"))
    #expect(await editor.get(Self.page).text.contains("“Böden &lt;1&gt;.csv” as CSV"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "name,ts\nA,1\n")
  }

  @Test(arguments: [
    ("count", ["events": 1_234], "1,234 events would be erased"),
    ("erase", ["events": 1], "1 event erased"),
    ("export", ["events": 20, "bytes": 3_449_000], "20 events, 3.4 MB"),
    (
      "import", ["stored": 1_200, "duplicates": 30, "erased": 2, "unreadable": 1],
      "1,200 events added, 30 were there already, 2 left out because they were erased here before, 1 line is no event and was left out"
    ), ("import", ["stored": 0, "duplicates": 0, "erased": 0, "unreadable": 0], "0 events added"),
  ])
  func `what a job came to is told in words`(
    kind: String,
    counts: [String: Int],
    outcome: String
  ) async throws {
    let fixture = try DashboardFixture()
    let job = try fixture.catalog.addJob(
      kind: kind,
      project: 1,
      document: "{}",
      summary: "all events",
      by: .server
    )
    _ = try fixture.catalog.nextJob()
    try fixture.catalog.endJob(job.id, .done, counts: counts)
    let html = await (try fixture.signIn()).get(Self.page).text
    #expect(html.contains(#"done<span class="remark">\#(outcome)</span>"#))
  }

  @Test func `a job that an earlier version asked for is still read`() throws {
    let text = #"{"importing":{"_1":"csv","file":"/x","isSent":true}}"#
    #expect(try StoreWork(encoded: text) == .importing(file: "/x", .csv, isSent: true))
  }

  @Test func `lines that an import left out are shown and can be taken along`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    let job = try fixture.catalog.addJob(
      kind: "import",
      project: 1,
      document: "{}",
      summary: "a file",
      by: .server
    )
    _ = try fixture.catalog.nextJob()
    try fixture.catalog.endJob(job.id, .done, counts: ["stored": 1, "unreadable": 4])
    let list = RefusedLines(RefusedLines.path(ofJob: job.id, in: fixture.folder + "/exports"))
    for line in 1...4 { try list.add("line \(line): it has no <name>") }
    try list.close()
    let html = await browser.get(Self.page).text
    #expect(html.contains("line 3: it has no &lt;name&gt;") && !html.contains("line 4"))
    let file = await browser.get("\(Self.page)/\(job.id)/file")
    #expect(file.file?.hasSuffix("/exports/\(job.id).rejected") == true)
  }

  @Test func `a viewer is not shown the way there`() async throws {
    let fixture = try DashboardFixture()
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let viewer = try fixture.signIn(user: "Ada")
    #expect(await !viewer.get("/projects/1/settings").text.contains(Self.page))
    #expect(await (try fixture.signIn()).get("/projects/1/settings").text.contains(Self.page))
  }

  @Test func `a job that failed says why, one under way how far it is`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    func ask() throws -> Int64 {
      try fixture.catalog.addJob(
        kind: "export",
        project: 1,
        document: "{}",
        summary: "all events as csv",
        by: .server
      ).id
    }
    let failed = try ask()
    _ = try fixture.catalog.nextJob()
    try fixture.catalog.endJob(failed, .failed, problem: "no space <left>")
    let running = try ask()
    _ = try fixture.catalog.nextJob()
    _ = try fixture.catalog.noteJob(running, progress: 421)
    let html = await browser.get(Self.page).text
    #expect(html.contains("no space &lt;left&gt;"))
    #expect(html.contains("under way 42 %"))
  }
}
