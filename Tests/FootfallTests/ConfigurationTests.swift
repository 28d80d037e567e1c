@testable import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A configuration` {
  let world = World()

  @Test(arguments: [-.infinity, -1, .nan, .infinity, 1e300, -1e300, 0] as [Double])
  func `seconds that cannot be used are replaced and logged`(seconds: Double) async throws {
    let client = try world.client {
      $0.delivery.timeoutSeconds = seconds
      $0.sessions.isEnabled = true
      $0.sessions.timeoutSeconds = seconds
      $0.sessions.maximumSeconds = seconds
      if seconds != 0 { $0.delivery.intervalSeconds = seconds }
    }
    client.track("a")
    await client.flush()
    #expect(client.diagnostics.delivered >= 1)
    let timeout = try #require(world.transport.requests.first).timeoutSeconds
    #expect(timeout == (seconds.isNaN ? 30 : seconds > 0 ? 3_600 : 1))
    let lines = world.lines(.warning)
    for name in [
      "delivery.timeoutSeconds", "sessions.timeoutSeconds", "sessions.maximumSeconds",
      "delivery.intervalSeconds",
    ] where seconds != 0 || name != "delivery.intervalSeconds" {
      #expect(lines.contains { $0.contains(name) && $0.contains("\(seconds)") }, "\(name)")
    }
    #expect(
      lines.contains(
        "The configuration's delivery.timeoutSeconds is \(seconds); 1.0 to 3600.0 is possible, "
          + "so it is \(timeout)."
      )
    )
  }

  @Test(arguments: [Int.min, -1, Int.max])
  func `numbers that cannot be used are replaced and logged`(number: Int) async throws {
    let client = try world.client {
      $0.storage.maxEvents = number
      $0.storage.maxBytes = number
      $0.storage.maxBatches = number
      $0.delivery.maxBatchEvents = number
      $0.delivery.maxBatchBytes = number
      $0.limits.nameCharacters = number
      $0.limits.properties = number
      $0.limits.textBytes = number
      $0.limits.eventBytes = number
    }
    client.track("a")
    await client.flush()
    #expect(world.lines(.warning).filter { $0.contains("is \(number); ") }.count == 9)
  }

  @Test func `limits can be lowered`() async throws {
    let client = try world.client {
      $0.limits.nameCharacters = 4
      $0.limits.properties = 1
      $0.limits.textBytes = 3
    }
    client.track("long name", ["a": "12345", "b": 1])
    await client.flush()
    let event = try #require(try world.sent.first)
    #expect(event.name == "long" && event["props"] == #"{"a":"123"}"#)
    #expect(
      client.diagnostics.dropped.byReason == [
        .nameCut: 1, .textCut: 1, .propertyOverLimit: 1,
      ]
    )
  }

  @Test func `ids and keys that cannot be used are logged`() async throws {
    let client = try world.client {
      $0.key = ""
      $0.identity.deviceID = ""
      $0.identity.userID = String(repeating: "x", count: 129)
    }
    client.track("a")
    await client.flush()
    #expect(client.deviceID?.isEmpty == false && client.userID == nil)
    let lines = world.lines(.error)
    #expect(lines.contains("The key is empty; the server will refuse every event."))
    #expect(lines.contains("The configuration's identity.deviceID is empty; it is not used."))
    #expect(lines.contains { $0.hasPrefix("The configuration's identity.userID has 129 bytes") })
  }

  @Test func `withheld fields are on no event and on no batch`() async throws {
    let client = try world.client {
      $0.context.withheld = [.model, .os, .library]
      $0.context.appVersion = "5.0"
      $0.context.isForChildren = true
    }
    client.track("a")
    await client.flush()
    let body = String(decoding: try #require(world.transport.requests.first).body, as: UTF8.self)
    #expect(!body.contains("iPhone17,2") && !body.contains("iOS 19.1"))
    #expect(!body.contains("null"))
    #expect(body.contains(#""app":"5.0""#) && body.contains(#""library":"footfall-swift/0.0.0""#))
  }

  @Test func `a start is told on demand, the first one as such`() async throws {
    let client = try world.client { $0.tracksLaunches = true }
    await client.flush()
    client.shutdown()
    let next = World(files: world.files)
    let again = try next.client { $0.tracksLaunches = true }
    await again.flush()
    let events = try world.sent + next.sent
    #expect(events.map(\.name) == ["app_launched", "app_launched"])
    #expect(events.map { $0.property("is_first_launch") } == ["true", "false"])
  }

  @Test func `activity is told on demand`() async throws {
    let client = try world.client { $0.activity = .automatic }
    await client.settle()
    world.clock.advance(bySeconds: 3)
    client.track("a")
    await client.flush()
    #expect(try world.sent.first?["props"] == #"{"app_state":"active","engaged_ms":3000}"#)
  }

  @Test func `offline from the start sends nothing until it is over`() async throws {
    let client = try world.client { $0.delivery.isOffline = true }
    #expect(client.isOffline)
    client.track("a")
    let report = await client.flush()
    #expect(report.problem?.kind == .offline && report.kept == 1)
    #expect(world.transport.requests.isEmpty)
    client.isOffline = false
    #expect(!client.isOffline)
    await client.flush()
    #expect(client.diagnostics.delivered == 1)
  }

  @Test func `other servers get every event, each with its own queue and key`() async throws {
    let client = try world.client {
      $0.destinations = [
        .init(name: "e u", key: "ff_pub_eu", endpoint: World.endpoint("http://127.0.0.1:4002")),
        .init(name: "", key: "k", endpoint: World.endpoint()),
        .init(name: "main", key: "k", endpoint: World.endpoint()),
        .init(name: "e/u", key: "k", endpoint: World.endpoint()),
      ]
    }
    client.track("a")
    let report = await client.flush()
    #expect(report.delivered == 2)
    let requests = world.transport.requests
    #expect(
      Set(requests.map(\.url)) == [
        "http://127.0.0.1:4001/v1/events", "http://127.0.0.1:4002/v1/events",
      ]
    )
    #expect(requests.contains { $0.headers.contains { $0.value == "Bearer ff_pub_eu" } })
    #expect(Set(client.diagnostics.destinations.keys) == ["main", "e_u"])
    #expect(client.diagnostics(of: "e_u")?.delivered == 1)
    #expect(client.diagnostics(of: "nowhere") == nil)
    #expect(world.files.paths.contains { $0.contains("/to-e_u/") })
    #expect(world.lines(.error).filter { $0.contains("left out") }.count == 3)
  }

  @Test func `a client can run by the values of another document`() async throws {
    let environment = world.environment()
    var settings = world.configuration().settings(in: environment)
    settings.rules = .amplitude(announcesSessions: false)
    settings.isOffline = true
    let client = FootfallClient(settings: settings, environment: environment)
    client.screen("Settings")
    await client.flush()
    #expect(world.transport.requests.isEmpty)
    client.isOffline = false
    await client.flush()
    #expect(try world.sent.map(\.name) == ["[Amplitude] Screen Viewed"])
  }
}
