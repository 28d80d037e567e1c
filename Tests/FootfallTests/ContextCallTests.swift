import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// What the native client says of app and device.
@Suite(.timeLimit(.minutes(5))) struct `Context of a client` {
  let world = World()

  init() {
    world.device.withLock { device in
      (device.osName, device.osVersion, device.manufacturer) = ("iOS", "19.1", "Apple")
      (device.carrier, device.language, device.country) = ("C", "en", "GB")
      (device.timeZone, device.vendorID) = ("Europe/London", "VENDOR-1")
    }
  }

  private static let all = [
    "library": "footfall-swift/0.0.0", "platform": "iOS", "os": "iOS 19.1", "os_name": "iOS",
    "os_version": "19.1", "model": "iPhone17,2", "manufacturer": "Apple", "carrier": "C",
    "app": "4.2.0", "build": "881", "locale": "en_GB", "language": "en", "country": "GB",
    "time_zone": "Europe/London", "idfv": "VENDOR-1",
  ]

  /// What each batch said of app and device.
  private func clients(_ world: World) throws -> [[String: String]] {
    try world.transport.requests.map { request in
      let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      return body?["client"] as? [String: String] ?? [:]
    }
  }

  @Test func `every batch says all there is once, and its events say it no more`() async throws {
    let client = try world.client { $0.sessions.isEnabled = true }
    client.track("a")
    client.track("b")
    await client.flush()
    #expect(try clients(world) == [Self.all])
    #expect(try world.sent.map { $0["context"] } == [nil, nil, nil])
  }

  @Test(arguments: all.keys.sorted().filter { !["library", "platform"].contains($0) })
  func `each field can be withheld`(field: String) async throws {
    let client = try world.client { $0.context.withheld = [ContextField(rawValue: field)] }
    client.track("a")
    await client.flush()
    #expect(try clients(world) == [Self.all.filter { $0.key != field }])
    #expect(try world.sent.map { $0["context"] } == [nil])
  }

  @Test func `library and platform cannot be withheld`() async throws {
    let client = try world.client { $0.context.withheld = [.library, .platform] }
    client.track("a")
    await client.flush()
    #expect(try clients(world) == [Self.all])
  }

  @Test func `of children no id of the device's is said, nor where it is`() async throws {
    let client = try world.client { $0.context.isForChildren = true }
    client.track("a", [:], EventOptions(context: [.city: "Lund"]))
    client.track("b")
    await client.flush()
    #expect(try clients(world) == [Self.all.filter { $0.key != "idfv" }])
    // What an event says itself stays.
    #expect(try world.sent.map { $0["context"] } == [#"{"city":"Lund"}"#, nil])
  }

  @Test func `what the app says of itself stays, whatever is read again`() async throws {
    let client = try world.client {
      $0.context.appVersion = "9.9"
      $0.context.build = "7"
    }
    client.track("a")
    await client.settle()
    world.device.withLock { ($0.app, $0.language) = ("4.3.0", "sv") }
    world.lifecycle.announce(.foreground)
    client.track("b")
    await client.flush()
    let clients = try clients(world)
    #expect(clients.map { $0["app"] } == ["9.9", "9.9"])
    #expect(clients.map { $0["build"] } == ["7", "7"])
    #expect(clients.map { $0["language"] } == ["en", "sv"])
  }

  @Test func `an event that has the server find its place takes the country back`() async throws {
    let client = try world.client()
    client.track("a", [:], EventOptions(context: [.ip: "$remote"]))
    client.track("b", [:], EventOptions(context: [.country: "SE"]))
    await client.flush()
    #expect(try clients(world) == [Self.all])
    #expect(
      try world.sent.map { $0["context"] } == [
        #"{"country":null,"ip":"$remote"}"#, #"{"country":"SE"}"#,
      ]
    )
  }

  @Test func `a vendor's id that is read late is on the batches after it`() async throws {
    world.device.withLock { $0.vendorID = nil }
    let client = try world.client()
    client.track("a")
    await client.settle()
    world.device.withLock { $0.vendorID = "VENDOR-1" }
    world.lifecycle.announce(.foreground)
    client.track("b")
    client.track("c")
    await client.flush()
    #expect(try clients(world).map { $0["idfv"] } == [nil, "VENDOR-1"])
    #expect(try world.sent.map { $0["context"] } == [nil, nil, nil])
  }

  @Test func `each destination says the same`() async throws {
    let other = World.endpoint("http://127.0.0.1:4002")
    let client = try world.client {
      $0.destinations = [.init(name: "other", key: "ff_pub_other", endpoint: other)]
    }
    client.track("a")
    await client.flush()
    #expect(try clients(world) == [Self.all, Self.all])
  }

  @Test(arguments: [("macOS", true), ("iOS", false)])
  func `another app in front is leaving on a Mac`(platform: String, ends: Bool) async throws {
    world.device.withLock { $0.platform = platform }
    let client = try world.client { $0.sessions.isEnabled = true }
    client.track("a")
    await client.settle()
    world.lifecycle.announce(.inactive)
    await world.pass(1_800, for: client)
    world.lifecycle.announce(.foreground)
    client.track("b")
    await client.flush()
    let sessions = try Set(world.sent.compactMap { $0["session_id"] })
    #expect(sessions.count == (ends ? 2 : 1))
    #expect(try world.sent.map(\.name).contains("session_end") == ends)
  }
}
