import Catalog
import EventStore
import Foundation
import FootfallSystem
import ServerApp
import Testing

/// The server's answers, as any client in any language gets them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `The server's answers` {
  @Test func `a bad event is one entry, never the whole batch, SDL-89`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let elevenYears: Int64 = 11 * 366 * 86_400_000
    let answer = try server.post(
      "/v1/events",
      """
      {"events":[{"id":"a","name":"A","ts":\(now),"device_id":"d"},
      {"id":"b","name":"B","ts":\(now - elevenYears),"device_id":"d"},
      {"id":"c","name":"C","ts":\(now),"device_id":"d"}]}
      """,
      headers: ["Authorization": "Bearer \(server.key)", "Content-Type": "application/json"]
    )
    #expect(answer.status == 202)
    let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? NSDictionary
    #expect(
      body == [
        "accepted": 2, "duplicates": 0,
        "rejected": [["index": 1, "id": "b", "reason": "ts_out_of_range"]],
      ]
    )
    #expect(try server.events(2).map(\.name) == ["A", "C"])
  }

  @Test func `the same batch by two connections at once is stored once, SDL-94`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let (port, key) = (UInt16(try #require(server.url.port)), server.key)
    @Sendable func post(_ ids: [String]) throws -> Int {
      let events = ids.map { #"{"id":"\#($0)","name":"\#($0)","ts":\#(now),"device_id":"d"}"# }
      return try LoopbackRequest.post(
        port: port,
        path: "/v1/events",
        headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"],
        body: #"{"events":[\#(events.joined(separator: ","))]}"#
      ).status
    }
    let failed = Monitor(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      // Two at a time send each of four batches.
      let ids = (0..<3).map { "batch\(number / 2)-\($0)" }
      do { #expect(try post(ids) == 202) } catch { failed.change { $0 += 1 } }
    }
    #expect(failed.withLock { $0 } == 0)
    #expect(try post(["last"]) == 202)
    let names = try server.events(13).map(\.name)
    let expected = (0..<4).flatMap { batch in (0..<3).map { "batch\(batch)-\($0)" } } + ["last"]
    #expect(names.sorted() == expected.sorted())
  }

  @Test func `an unknown key is refused with 401 and stores nothing`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    func batch(_ name: String) -> String {
      #"{"events":[{"id":"\#(name)","name":"\#(name)","ts":\#(now),"device_id":"d"}]}"#
    }
    for headers in [[:], ["Authorization": "Bearer ff_pub_unknown"]] {
      #expect(try server.post("/v1/events", batch("A"), headers: headers).status == 401)
    }
    let good = try server.post(
      "/v1/events",
      batch("B"),
      headers: ["Authorization": "Bearer \(server.key)"]
    )
    #expect(good.status == 202)
    #expect(try server.events(1).map(\.name) == ["B"])
  }

  @Test func `an Amplitude upload with an adopted key is stored, and a repeat is not`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let key = "0123456789abcdef0123456789abcdef"
    _ = try server.server.catalog.adoptKey(project: server.project, kind: .amplitude, value: key)
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let upload = """
      {"api_key":"\(key)","events":[{"event_type":"Song Played","user_id":"user-1","time":\(now),
      "insert_id":"i-1","event_properties":{"title":"x"}}]}
      """
    for _ in 0..<2 {
      let answer = try server.post("/2/httpapi", upload)
      #expect(answer.status == 200)
      #expect(answer.body.contains(#""code":200"#))
    }
    let last = try server.post(
      "/2/httpapi",
      upload.replacingOccurrences(of: "i-1", with: "i-2")
        .replacingOccurrences(of: "Song Played", with: "Last")
    )
    #expect(last.status == 200)
    #expect(try server.events(2).map(\.name) == ["Song Played", "Last"])
  }

  @Test func `a second server on the same folder is refused and told who holds it`() throws {
    let server = try TestServer()
    defer { server.stop() }
    let error = #expect(throws: StartError.self) {
      _ = try Server(ServerSettings(data: DataFolder(path: server.folder + "/data")))
    }
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(error?.description.contains("in use by process \(pid)") == true)
  }
}
