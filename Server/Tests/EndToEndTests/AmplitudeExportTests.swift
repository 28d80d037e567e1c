import Catalog
import EventStore
import Foundation
import Insights
import ServerApp
import Testing

/// What a program that fetches Amplitude's exports gets from a server, and what comes of it elsewhere.
@Suite(.timeLimit(.minutes(3))) struct `The export of Amplitude's programs` {
  private func get(
    _ server: TestServer,
    _ hours: (String, String),
    _ user: String,
    _ password: String
  ) throws -> (status: Int, body: Data, header: String) {
    let token = Data("\(user):\(password)".utf8).base64EncodedString()
    return try LoopbackRequest.bytes(
      port: UInt16(try #require(try server.url.port)),
      request: "GET /api/2/export?start=\(hours.0)&end=\(hours.1) HTTP/1.1\r\nHost: x\r\n"
        + "Authorization: Basic \(token)\r\nConnection: close\r\n\r\n"
    )
  }

  private func hour(_ ms: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(ms) / 1_000)
    let day = date.formatted(.iso8601.year().month().day().dateSeparator(.omitted))
    let hour = ms / 3_600_000 % 24
    return "\(day)T\(hour < 10 ? "0" : "")\(hour)"
  }

  @Test func `is what an import adds nothing of here, and everything of elsewhere`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    #expect(
      try server.post(
        "/2/httpapi",
        """
        {"api_key":"\(server.key)","client_upload_time":"\(Date().formatted(.iso8601))","events":[
        {"event_type":"session_start","user_id":"user-1","device_id":"device-1","insert_id":"i",
        "time":\(now - 7_200_000),"session_id":5,"country":"Germany"},
        {"event_type":"$identify","user_id":"user-1","device_id":"device-1","time":\(now),
        "user_properties":{"$set":{"plan":"pro"},"$add":{"logins":1}}}]}
        """
      ).status == 200
    )
    #expect(
      try server.post(
        "/v1/events",
        #"{"events":[{"id":"a","name":"Opened","ts":\#(now),"device_id":"d","props":{"n":1.5}}]}"#,
        headers: ["Authorization": "Bearer \(server.key)"]
      ).status == 202
    )
    let stored = try server.events(3)
    let secret = try server.server.catalog.createKey(project: 1, kind: .secret, role: .editor)
    let hours = (hour(now - 3_600_000), hour(now + 3_600_000))
    let answer = try get(server, hours, server.key, secret.plaintext)
    #expect(answer.status == 200)
    #expect(answer.header.lowercased().contains("content-type: application/zip"))
    let zip = server.folder + "/export.zip"
    try answer.body.write(to: URL(fileURLWithPath: zip))

    func add(to project: UInt32) throws -> [String: Int] {
      let work = StoreWork.importing(file: zip, .amplitude, isSent: false)
      let id = try server.server.catalog.addJob(
        kind: work.kind,
        project: project,
        document: try work.encoded(),
        summary: work.summary,
        by: .commandLine
      ).id
      return try server.wait(forJob: id).counts
    }
    #expect(
      try add(to: 1) == ["stored": 0, "duplicates": 3, "erased": 0, "unreadable": 0]
    )
    let other = try server.server.catalog.createProject(name: "Elsewhere").id
    #expect(try add(to: other)["stored"] == 3)
    let copies = try RecentEvents(project: other).run(on: server.server.store)
    func facts(_ events: [StoredEvent]) -> [String] {
      events.map {
        "\($0.name) \($0.timestampMs) \($0.correctedMs) \($0.receivedMs) \($0.id) \($0.userID) "
          + "\($0.deviceID) \($0.sessionID) \($0.properties) \($0.context) \($0.client)"
      }.sorted()
    }
    #expect(facts(copies) == facts(stored))
    let profile = CurrentProperties(project: other, of: .user("user-1"))
    #expect(
      try profile.run(on: server.server.store).properties
        == ["plan": .text("pro"), "logins": .integer(1)]
    )
    // Nothing of it stays with the server.
    let exports = server.folder + "/data/exports"
    let left = try FileManager.default.contentsOfDirectory(atPath: exports)
    #expect(!left.contains { $0.hasPrefix("amplitude-") }, "\(left)")
  }

  @Test func `is for who has a secret key of the same project, and may export`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let catalog = server.server.catalog
    let editor = try catalog.createKey(project: 1, kind: .secret, role: .editor).plaintext
    let viewer = try catalog.createKey(project: 1, kind: .secret, role: .viewer).plaintext
    let other = try catalog.createProject(name: "Other").id
    let stranger = try catalog.createKey(project: other, kind: .secret, role: .owner).plaintext
    let hours = ("20261201T00", "20261201T23")
    #expect(try get(server, hours, server.key, editor).status == 404)
    #expect(try get(server, hours, server.key, viewer).status == 403)
    #expect(try get(server, hours, server.key, stranger).status == 401)
    #expect(try get(server, hours, "guess", editor).status == 401)
    let refused = try get(server, hours, server.key, "guess")
    #expect(refused.status == 401)
    #expect(refused.header.lowercased().contains("www-authenticate: basic"))
    #expect(try get(server, ("20261201T09", "20261201T08"), server.key, editor).status == 400)
    #expect(try get(server, ("", ""), server.key, editor).status == 400)
  }
}
