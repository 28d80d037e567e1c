import Catalog
import EventStore
import Foundation
import Footfall
import HTTPServing
import Insights
import PlacesTesting
import ServerApp
import Testing

/// Where people are, by a file of places and the address their requests come from.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `Places of a server's people` {
  /// Loopback addresses that stand for a client's, and for those of two proxies.
  private static let (client, unpacking, passing) = ("127.0.0.1", "127.0.0.8", "127.0.0.9")

  private static var database: PlaceDatabase {
    var database = PlaceDatabase()
    database.add("203.0.113.0/24", country: "DE", region: "Bavaria", city: "Munich")
    database.add("127.0.0.1/32", country: "PT", region: "Lisbon", city: "Cascais")
    database.add("127.0.0.8/32", country: "SE", region: "Skåne", city: "Lund")
    database.add("127.0.0.9/32", country: "IE", region: "Leinster", city: "Dublin")
    return database
  }

  private func server() throws -> TestServer {
    let folder = NSTemporaryDirectory() + "footfall-e2e-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/places.mmdb"
    try Data(Self.database.bytes).write(to: URL(fileURLWithPath: path))
    let server = try TestServer(folder: folder) { settings in
      settings.places = path
      settings.limits.trustedProxies = [Self.unpacking].compactMap(AddressRange.init)
    }
    _ = try server.server.catalog.adoptKey(
      project: server.project,
      kind: .amplitude,
      value: "amplitude-key"
    )
    return server
  }

  private static func body(_ id: String, _ members: String) -> String {
    """
    {"api_key":"amplitude-key","events":[{"event_type":"Opened","device_id":"device-1",\
    "insert_id":"\(id)","time":\(Int64(Date().timeIntervalSince1970 * 1_000))\(members)}]}
    """
  }

  @Test("AMP-V48 an event that names its address gets the place of it, any other gets none")
  func addresses() throws {
    let server = try server()
    defer { server.stop() }
    let munich = #"{"country":"DE","region":"Bavaria","city":"Munich"}"#
    let requests = [
      ("remote", #","ip":"$remote""#, munich), ("none", "", ""),
      ("named", #","ip":"203.0.113.99""#, munich), ("elsewhere", #","ip":"198.51.100.1""#, ""),
    ]
    for (id, members, _) in requests {
      let text = Self.body(id, members)
      let head =
        "POST /2/httpapi HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 203.0.113.7\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
      let answer = try LoopbackRequest.exchange(
        port: UInt16(try #require(server.url.port)),
        bytes: Array((head + text).utf8),
        from: Self.unpacking
      )
      #expect(answer.status == 200)
    }
    let stored = try server.events(requests.count)
    #expect(stored.count == requests.count)
    for (id, _, context) in requests {
      #expect(stored.first { $0.id == id }?.context == context, "\(id)")
    }
    // Nowhere is the address itself.
    #expect(stored.allSatisfy { !$0.context.contains("203.0") && !$0.client.contains("203.0") })
  }

  @Test(
    "AMP-V49 behind a proxy that unpacks and names the client, and one that does neither, the same arrives"
  )
  func proxies() async throws {
    let server = try server()
    defer { server.stop() }
    let port = UInt16(try #require(server.url.port))
    for (name, source, unpacks) in [("a", Self.unpacking, true), ("b", Self.passing, false)] {
      let proxy = try Proxy(to: port, from: source, unpacks: unpacks)
      defer { proxy.server.stop() }
      let packed = try GzipText.packed(Array(Self.body(name, #","ip":"$remote""#).utf8))
      let head =
        "POST /2/httpapi HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: gzip\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(packed.count)\r\n\r\n"
      let answer = try LoopbackRequest.exchange(
        port: UInt16(proxy.server.port),
        bytes: Array(head.utf8) + packed
      )
      #expect(answer.status == 200)

      var configuration = FootfallClient.Configuration(
        key: server.key,
        endpoint: try #require(URL(string: "http://127.0.0.1:\(proxy.server.port)"))
      )
      configuration.storage.folder = server.folder + "/client-" + name
      let footfall = FootfallClient(configuration)
      for number in 0..<20 {
        footfall.track("Song Played", ["number": .integer(number), "title": "Here Comes the Sun"])
      }
      let report = await footfall.flush()
      #expect(report.problem == nil)
      footfall.shutdown()
      #expect(proxy.hasUnpackedAny == unpacks)
    }
    let stored = try server.events(42)
    #expect(stored.count == 42)
    let cascais = #"{"country":"PT","region":"Lisbon","city":"Cascais"}"#
    let dublin = #"{"country":"IE","region":"Leinster","city":"Dublin"}"#
    #expect(stored.filter { $0.context == cascais }.map(\.id) == ["a"])
    #expect(stored.filter { $0.context == dublin }.map(\.id) == ["b"])
    let songs = stored.filter { $0.name == "Song Played" }
    #expect(songs.count(where: { $0.client.contains(cascais.dropFirst().dropLast()) }) == 20)
    #expect(songs.count(where: { $0.client.contains(dublin.dropFirst().dropLast()) }) == 20)
  }
}
