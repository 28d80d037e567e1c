import Catalog
import EventStore
import Foundation
import HTTPServing
import Testing

@testable import AdminAPI

@Suite struct `Calls on work that takes its time` {
  private func work(_ fixture: APIFixture, _ id: Int64 = 1) throws -> StoreWork {
    try StoreWork(encoded: try #require(try fixture.catalog.job(id)).document)
  }

  @Test func `what is to be erased is kept as it was asked for, and no list names the person`()
    async throws
  {
    let fixture = try APIFixture()
    let owner = try fixture.program(.owner)
    let body = #"{"user":"john","device":"d","name":"Opened","from":5,"to":9}"#
    let answer = await owner.call(.post, "/projects/1/erasures", body)
    #expect(answer.status == 202)
    guard case .erase(let conditions, let id) = try work(fixture) else {
      Issue.record("it is no erasure")
      return
    }
    #expect(id > 0)
    #expect(conditions.user == "john" && conditions.device == "d")
    #expect(conditions.name == "Opened" && conditions.fromMs == 5 && conditions.toMs == 9)
    for path in ["/projects/1/jobs", "/projects/1/jobs/1", "/audit"] {
      let list = await owner.call(.get, path)
      #expect(list.status == 200 && !list.text.contains("john"), "\(path)")
    }
    let count = await owner.call(.post, "/projects/1/erasures", #"{"user":"john","dry_run":true}"#)
    #expect(count.json["kind"] == .text("count"))
    let nothing = await owner.call(.post, "/projects/1/erasures", "{}")
    #expect(nothing.status == 422)
    let others = await owner.call(.post, "/projects/1/erasures", #"{"dry_run":false}"#)
    #expect(others.status == 422)
  }

  @Test func `editors export and take back exports, what changes events is the owners'`()
    async throws
  {
    let fixture = try APIFixture()
    let (owner, editor) = (try fixture.program(.owner), try fixture.program(.editor))
    let viewer = try fixture.program(.viewer)
    let format = #"{"format":"parquet","user":"john","person":"p"}"#
    #expect(await editor.call(.post, "/projects/1/exports", format).status == 202)
    guard case .export(.parquet, let conditions, person: "p") = try work(fixture) else {
      Issue.record("it is another export")
      return
    }
    #expect(conditions.user == "john")
    #expect(await viewer.call(.post, "/projects/1/exports", format).code == "forbidden")
    #expect(await owner.call(.post, "/projects/1/erasures", #"{"user":"a"}"#).status == 202)
    #expect(await editor.call(.delete, "/projects/1/jobs/2").code == "forbidden")
    #expect(await editor.call(.delete, "/projects/1/jobs/1").status == 204)
    #expect(await owner.call(.delete, "/projects/1/jobs/2").status == 204)
    #expect(await owner.call(.delete, "/projects/1/jobs/2").code == "conflict")
    #expect(await editor.call(.post, "/backups").code == "forbidden")
    #expect(await owner.call(.post, "/backups").status == 202)
    guard case .backup(let folder) = try work(fixture, 3) else {
      Issue.record("it is no backup")
      return
    }
    #expect(folder.hasPrefix(fixture.files.backups + "/backup-"))
    // A copy of all data is no project's job.
    #expect(await owner.call(.get, "/projects/1/jobs/3").status == 404)
    #expect(await owner.call(.get, "/backups/1").status == 404)
  }

  @Test func `a file is there once the export is done, for its own project, until it is removed`()
    async throws
  {
    let fixture = try APIFixture()
    let editor = try fixture.program(.editor)
    let job = try fixture.exported("{\"name\":\"A\"}\n")
    let answer = await editor.call(.get, "/projects/1/exports/\(job.id)/file")
    let file = try #require(answer.file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"name\":\"A\"}\n")
    #expect(
      answer.header("Content-Disposition") == "attachment; filename=\"footfall-1-\(job.id).ndjson\""
    )
    let other = try fixture.catalog.createProject(name: "Other").id
    let stranger = try fixture.program(.editor, project: other)
    #expect(await stranger.call(.get, "/projects/1/exports/\(job.id)/file").status == 404)
    #expect(await stranger.call(.get, "/projects/\(other)/exports/\(job.id)/file").status == 404)
    let waiting = try fixture.ask(.export(.csv, EventConditions(), person: nil))
    #expect(await editor.call(.get, "/projects/1/exports/\(waiting.id)/file").code == "conflict")
    try FileManager.default.removeItem(atPath: file)
    #expect(await editor.call(.get, "/projects/1/exports/\(job.id)/file").status == 404)
  }

  @Test func `a file is sent in pieces that fit, and imported by whoever sent it`() async throws {
    let fixture = try APIFixture()
    let owner = try fixture.program(.owner)
    let first = await owner.call(.post, "/projects/1/uploads", "abc")
    guard case .text(let id)? = first.json["upload"] else {
      Issue.record("there is no id: \(first.text)")
      return
    }
    #expect(first.json["bytes"] == .integer(3))
    let path = "/projects/1/uploads?upload=\(id)"
    #expect(await owner.call(.post, path + "&offset=2", "x").code == "conflict")
    let second = await owner.call(.post, path + "&offset=3", "def")
    #expect(second.json["bytes"] == .integer(6))
    let file = fixture.files.uploads.file(id, of: 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "abcdef")
    #expect(await owner.call(.post, path, "").code == "invalid")
    #expect(
      await owner.call(.post, "/projects/1/uploads?upload=0000000000000000", "x").status == 404
    )
    let other = try fixture.catalog.createProject(name: "Other").id
    let ask = #"{"upload":"\#(id)","format":"csv"}"#
    #expect(await owner.call(.post, "/projects/\(other)/imports", ask).status == 422)
    #expect(await owner.call(.post, "/projects/1/imports", ask).status == 202)
    #expect(try work(fixture) == .importing(file: file, .csv, isSent: true))
    for _ in 1..<UploadFolder.maxFiles {
      #expect(await owner.call(.post, "/projects/1/uploads", "x").status == 200)
    }
    #expect(await owner.call(.post, "/projects/1/uploads", "x").code == "conflict")
    #expect(await owner.call(.post, "/projects/\(other)/uploads", "x").status == 200)
  }

  @Test func `a compressed file is imported as it was sent`() async throws {
    let fixture = try APIFixture()
    let owner = try fixture.program(.owner)
    let id = "0123456789abcdef"
    let path = fixture.files.uploads.file(id, of: 1)
    try fixture.write("", to: path)
    try Data([0x1f, 0x8b, 8, 0]).write(to: URL(fileURLWithPath: path))
    let ask = #"{"upload":"\#(id)","format":"ndjson"}"#
    #expect(await owner.call(.post, "/projects/1/imports", ask).status == 202)
    #expect(try work(fixture) == .importing(file: path, .ndjson, isSent: true))
  }
}
