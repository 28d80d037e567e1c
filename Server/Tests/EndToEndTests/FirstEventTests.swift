import Catalog
import EventRecord
import EventStore
import Footfall
import Foundation
import Insights
import ServerApp
import Testing

/// The SDK against a server, over a socket, with nothing faked in between.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `The way of an event` {
  private func client(_ server: TestServer, instance: String = "default") throws -> FootfallClient {
    var configuration = FootfallClient.Configuration(key: server.key, endpoint: try server.url)
    configuration.storage.folder = server.folder + "/client"
    configuration.storage.instance = instance
    return FootfallClient(configuration)
  }

  @Test func `an event arrives with everything it was given`() async throws {
    let server = try TestServer()
    defer { server.stop() }
    let footfall = try client(server)
    footfall.setUserID("user-12345")
    footfall.track(
      "Song Played",
      [
        "title": "Here \"Comes\" the Sün\n🌞", "duration_s": 185, "share": 0.5, "loud": true,
        "genres": ["rock", "pop"], "album": ["year": 1969], "none": .null,
      ],
      EventOptions(groups: ["orgId": ["15"]])
    )
    let report = await footfall.flush()
    #expect(report == DeliveryReport(delivered: 1))

    let event = try #require(try server.events(1).first)
    #expect(event.name == "Song Played")
    #expect(event.userID == "user-12345")
    #expect(event.deviceID == footfall.deviceID)
    #expect(event.sequence == 1)
    #expect(event.groups == #"{"orgId":["15"]}"#)
    let properties = try JSONSerialization.jsonObject(with: Data(event.properties.utf8))
    let expected: NSDictionary = [
      "title": "Here \"Comes\" the Sün\n🌞", "duration_s": 185, "share": 0.5, "loud": true,
      "genres": ["rock", "pop"], "album": ["year": 1969], "none": NSNull(),
    ]
    #expect(properties as? NSDictionary == expected)
    #expect(event.client.contains("footfall-swift/"))
    #expect(abs(event.receivedMs - event.timestampMs) < 60_000)
    footfall.shutdown()
  }

  @Test func `an own id counts once, whatever its letter case, SDL-13`() async throws {
    let server = try TestServer()
    defer { server.stop() }
    let footfall = try client(server)
    let id = "0F0B7C9E-1111-4222-8333-ABCDEFABCDEF"
    footfall.track("Bought", [:], EventOptions(id: id))
    _ = await footfall.flush()
    footfall.track("Bought", [:], EventOptions(id: id))
    footfall.track("Bought", [:], EventOptions(id: id.lowercased()))
    footfall.track("Done")
    let report = await footfall.flush()
    #expect(report.problem == nil)
    #expect(try server.events(2).map(\.name) == ["Bought", "Done"])
    footfall.shutdown()
  }

  @Test func `saved steps sent in two launches count once each, with their times, SDL-17, SDL-137`()
    async throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let day = 86_400.0
    let noon = (Date().timeIntervalSince1970 / day).rounded(.down) * day - 30 * day + day / 2
    for _ in 0..<2 {
      let footfall = try client(server)
      for number in 1...5 {
        let time = Date(timeIntervalSince1970: noon + Double(number) * day)
        let options = EventOptions(id: "0f0b7c9e-0000-4000-8000-00000000000\(number)", at: time)
        footfall.track("onboarding_step", ["step": .integer(number)], options)
      }
      footfall.track("loop over")
      let report = await footfall.flush()
      #expect(report.delivered == 6)
      footfall.shutdown()
    }
    let events = try server.events(7).filter { $0.name == "onboarding_step" }
    #expect(events.map(\.properties) == (1...5).map { "{\"step\":\($0)}" })
    #expect(events.map(\.timestampMs) == (1...5).map { Int64((noon + Double($0) * day) * 1_000) })
  }

  @Test func `a batch that is sent again after a kill counts once, SDL-21`() async throws {
    let server = try TestServer()
    defer { server.stop() }
    let footfall = try client(server)
    footfall.isOffline = true
    for number in 0..<12 { footfall.track(EventName("e\(number)")) }
    _ = await footfall.flush()
    // What the disk has if the process is killed before it deletes what the server took.
    let left = server.folder + "/left"
    try FileManager.default.copyItem(atPath: server.folder + "/client", toPath: left)
    footfall.isOffline = false
    let report = await footfall.flush()
    #expect(report.delivered == 12)
    footfall.shutdown()

    var configuration = FootfallClient.Configuration(key: server.key, endpoint: try server.url)
    configuration.storage.folder = left
    let again = FootfallClient(configuration)
    again.track("later")
    let second = await again.flush()
    #expect(second.delivered == 13)
    #expect(try server.events(13).map(\.name) == (0..<12).map { "e\($0)" } + ["later"])
    again.shutdown()
  }

  @Test func `eight threads' 4,000 events arrive, each once and under its own id, SDL-7`()
    async throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let footfall = try client(server)
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<500 {
            footfall.track("Tick", ["thread": .integer(thread), "n": .integer(number)])
          }
        }
      }
    }
    // Full batches leave by themselves, so this request may find the first of them gone already.
    let report = await footfall.flush()
    #expect(report.kept == 0 && report.rejected.isEmpty && report.problem == nil)
    #expect(footfall.diagnostics.delivered == 4_000)
    footfall.shutdown()
    let names = try await counted(server, atLeast: 4_000)
    #expect(names == 4_000)
  }

  /// The number of `Tick` events once it is reached, or what there is when patience ends.
  private func counted(_ server: TestServer, atLeast count: Int) async throws -> Int {
    _ = try server.events(1_000)
    var found = 0
    for _ in 0..<200 {
      found =
        try EventNames(project: server.project).run(on: server.server.store)
        .first { $0.name == "Tick" }?.count ?? 0
      if found >= count { break }
      _ = try server.events(1_000)
    }
    return found
  }

  @Test func `what a server that is away misses arrives when it is back, in order`() async throws {
    let first = try TestServer()
    let port = UInt16(try #require(try first.url.port))
    let footfall = try client(first)
    footfall.track("One")
    _ = await footfall.flush()
    first.stop(keepingFolder: true)

    footfall.track("Two")
    footfall.track("Three")
    let away = await footfall.flush()
    #expect(away.delivered == 0)
    #expect(away.kept == 2)
    #expect(away.problem != nil)

    let second = try TestServer(folder: first.folder, port: port)
    defer { second.stop() }
    #expect(second.server.firstStart == nil)
    let back = await footfall.flush()
    #expect(back == DeliveryReport(delivered: 2))
    #expect(try second.events(3).map(\.name) == ["One", "Two", "Three"])
    footfall.shutdown()
  }

  @Test func `property operations arrive as such and are no events`() async throws {
    let server = try TestServer()
    defer { server.stop() }
    let footfall = try client(server)
    footfall.identify(.set("plan", "pro").add("logins", 1))
    footfall.track("Opened")
    _ = await footfall.flush()
    let events = try server.events(2)
    #expect(events.map(\.kind) == [.identify, .event])
    let operations = try JSONSerialization.jsonObject(with: Data(events[0].operations.utf8))
    #expect(operations as? NSDictionary == ["$set": ["plan": "pro"], "$add": ["logins": 1]])
    let names = try EventNames(project: server.project).run(on: server.server.store)
    #expect(names.map(\.name) == ["Opened"])
    footfall.shutdown()
  }

  @Test func `a key that was revoked is refused within a second and nothing is lost`() async throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let catalog = server.server.catalog
    let old = try #require(try catalog.keys(project: server.project).first)
    try catalog.revokeKey(old.id, project: server.project)
    let footfall = try client(server)
    footfall.track("Kept")
    let report = await footfall.flush()
    #expect(report.delivered == 0)
    #expect(report.kept == 1)
    footfall.shutdown()
  }
}
