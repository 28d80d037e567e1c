@testable import Footfall
import FootfallCore
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Plugins of a client` {
  let world = World()
  let journal = ProbePlugin.Journal([])

  private func client(_ rules: Bool = false) async throws -> FootfallClient {
    let client = try world.client { $0.sessions.isEnabled = rules }
    await client.settle()
    return client
  }

  @Test func `AMP-L1, AMP-L2: what plugins add is sent, what they drop is not`() async throws {
    let client = try await client()
    client.add(ProbePlugin("B", .before) { $0.name.text.hasPrefix("Debug ") ? nil : $0 })
    client.add(
      ProbePlugin("E", .enrichment) { event in
        var event = event
        event.properties["app_section"] = "checkout"
        return event
      }
    )
    client.track("Debug x")
    client.track("x")
    await client.flush()
    let sent = try world.sent
    #expect(sent.map(\.name) == ["x"])
    #expect(sent.first?.property("app_section") == #""checkout""#)
    #expect(client.diagnostics.dropped.byReason == [.plugin: 1])
  }

  @Test func `AMP-L5: a second plugin of a name is not added, nor the same one twice`() async throws
  {
    let client = try await client()
    let first = ProbePlugin("1", .observe, name: "reset-aware", journal: journal)
    let second = ProbePlugin("2", .observe, name: "reset-aware", journal: journal)
    let nameless = ProbePlugin("3", .observe, journal: journal)
    #expect(client.add(first))
    #expect(!client.add(second))
    #expect(client.add(nameless))
    #expect(!client.add(nameless))
    #expect(client.add(ProbePlugin("4", .observe, journal: journal)))
    #expect(client.plugin(named: "reset-aware") === first)
    #expect(client.plugin(named: "other") == nil)
    #expect(client.plugins.count == 3)
    await client.settle()
    #expect(world.lines(.warning).contains { $0.contains("reset-aware") })
  }

  @Test func `AMP-L6: a removed plugin sees what was tracked before, and is torn down once`()
    async throws
  {
    let client = try await client()
    let plugin = ProbePlugin("E", .enrichment)
    client.add(plugin)
    client.track("a")
    client.remove(plugin)
    client.remove(plugin)
    client.track("b")
    await client.settle()
    #expect(plugin.calls == ["E setUp", "E a", "E tearDown"])
    #expect(client.plugins.isEmpty)
    #expect(client.add(plugin), "it may come back")
    client.shutdown()
    client.remove(plugin)
    #expect(plugin.calls.filter { $0 == "E tearDown" }.count == 2)
  }

  @Test func `AMP-L7: an observer hears each change once`() async throws {
    let client = try await client(true)
    client.endSession()
    await client.settle()
    let plugin = ProbePlugin("O", .observe)
    client.add(plugin)
    client.setUserID("u")
    client.setUserID("u")
    client.setDeviceID("d")
    client.startSession(id: 1_764_581_000_000)
    client.setEnabled(false)
    client.setEnabled(false)
    await client.settle()
    #expect(
      plugin.calls.filter { !$0.hasSuffix("identity") } == [
        "O setUp", "O user u", "O device d", "O session", "O no session", "O collection false",
      ]
    )
  }

  @Test func `AMP-L17: stages run in order, within one in the order of joining`() async throws {
    let client = try await client()
    let seen = Lock<[String?]>([])
    let enriching = ProbePlugin("E2", .enrichment, journal: journal) { event in
      var event = event
      event.properties["seen"] = "E2"
      return event
    }
    for label in ["D1", "E1", "B1", "E2", "B2", "D2"] {
      let stage: PluginStage =
        label.hasPrefix("D") ? .destination : label.hasPrefix("E") ? .enrichment : .before
      client.add(label == "E2" ? enriching : ProbePlugin(label, stage, journal: journal))
    }
    client.add(Receiver { event in seen.withLock { $0.append(event.properties["seen"]?.text) } })
    client.track("x")
    await client.settle()
    #expect(
      journal.withLock { $0 }.filter { $0.hasSuffix(" x") }
        == ["B1 x", "B2 x", "E1 x", "E2 x", "D1 x", "D2 x"]
    )
    #expect(seen.withLock { $0 } == ["E2"])
  }

  @Test func `AMP-L18: observers and utilities see no events, and are set up with the client`()
    async throws
  {
    let client = try await client()
    let hosts = Lock<[ObjectIdentifier]>([])
    let plugins = [PluginStage.observe, .utility].map { stage in
      ProbePlugin(
        "\(stage)",
        stage,
        journal: journal,
        onSetUp: { host in hosts.withLock { $0.append(ObjectIdentifier(host)) } }
      )
    }
    for plugin in plugins { client.add(plugin) }
    client.track("a")
    client.identify(.set("a", 1))
    client.revenue(Revenue(price: 1))
    await client.settle()
    #expect(hosts.withLock { $0 } == [ObjectIdentifier(client), ObjectIdentifier(client)])
    let events = ["a", "$identify", "revenue_amount"]
    #expect(!journal.withLock { $0 }.contains { call in events.contains { call.hasSuffix($0) } })
  }

  @Test func `AMP-L19: what an enrichment drops nobody after it sees`() async throws {
    let client = try await client()
    client.add(ProbePlugin("E1", .enrichment, journal: journal) { _ in nil })
    client.add(ProbePlugin("E2", .enrichment, journal: journal))
    client.add(ProbePlugin("D", .destination, journal: journal))
    client.track("x")
    await client.flush()
    #expect(journal.withLock { $0 }.filter { $0.hasSuffix(" x") } == ["E1 x"])
    #expect(world.transport.requests.isEmpty)
  }

  @Test func `AMP-L20: enrichment sees the library's own events too`() async throws {
    let client = try await client(true)
    client.endSession()
    let plugin = ProbePlugin("E", .enrichment)
    client.add(plugin)
    client.track("x")
    client.identify(.set("a", 1))
    client.setGroup("orgId", "15")
    client.identifyGroup("orgId", "15", .set("plan", "pro"))
    client.revenue(Revenue(price: 1))
    await client.settle()
    #expect(
      plugin.calls.filter { !["E setUp", "E session", "E no session", "E identity"].contains($0) }
        == [
          "E session_start", "E x", "E $identify", "E $identify", "E $groupidentify",
          "E revenue_amount",
        ]
    )
  }

  @Test func `AMP-L21: a plugin is set up before the call returns`() async throws {
    let client = FootfallClient()
    let plugin = ProbePlugin("E", .enrichment)
    client.add(plugin)
    #expect(plugin.calls == ["E setUp"])
  }

  @Test func `AMP-L23: a named plugin is found and hears of a reset once`() async throws {
    let client = try await client()
    let plugin = ProbePlugin("U", .utility, name: "reset-aware")
    client.add(plugin)
    client.reset()
    await client.settle()
    #expect(client.plugin(named: "reset-aware") === plugin)
    #expect(plugin.calls.filter { $0 == "U reset" }.count == 1)
  }

  @Test func `AMP-L24: a flush reaches a destination plugin once`() async throws {
    let client = try await client()
    let plugin = ProbePlugin("D", .destination)
    client.add(plugin)
    await client.flush()
    #expect(plugin.calls == ["D setUp", "D flush"])
  }

  @Test func `AMP-L26: a destination plugin gets identifies at once, not merged and not again`()
    async throws
  {
    world.transport.then(.status(503), .status(200))
    let client = try await client()
    let plugin = ProbePlugin("D", .destination)
    client.add(plugin)
    client.identify(.set("a", 1))
    client.identify(.set("b", 1))
    await client.settle()
    #expect(
      plugin.calls.filter { $0 != "D identity" } == ["D setUp", "D $identify", "D $identify"]
    )
    await client.flush()
    await client.flush()
    #expect(plugin.calls.filter { $0 == "D $identify" }.count == 2)
    #expect(world.transport.requests.count == 2)
  }

  @Test func `AMP-L27: before sees no context, enrichment does`() async throws {
    let client = try await client()
    let seen = Lock<[String?]>([])
    for stage in [PluginStage.before, .enrichment] {
      client.add(
        ProbePlugin("P", stage) { event in
          seen.withLock { seen in
            seen += [ContextField.platform, .os].map { event.context[$0]?.text }
          }
          return event
        }
      )
    }
    client.track("x")
    await client.settle()
    #expect(seen.withLock { $0 } == [nil, nil, "iOS", "iOS 19.1"])
  }

  @Test func `AMP-L29: another plugin of the class is not the one that was added`() async throws {
    let client = try await client()
    let added = ProbePlugin("A", .enrichment)
    let other = ProbePlugin("B", .enrichment)
    client.add(added)
    client.remove(other)
    client.track("x")
    await client.settle()
    #expect(added.calls == ["A setUp", "A x"])
    #expect(other.calls.isEmpty)
  }

  @Test func `a plugin may call its client from everywhere`() async throws {
    let client = try await client()
    let calling: @Sendable (Event) -> Event? = { [weak client] event in
      guard event.name == "x" else { return event }
      client?.track("in process")
      client?.setUserID("u")
      client?.add(ProbePlugin("N", .observe))
      return event
    }
    let plugin = ProbePlugin(
      "B",
      .before,
      change: calling,
      onSetUp: { host in host.track("in setUp", [:], nil) }
    )
    client.add(plugin)
    client.track("x")
    await client.settle()
    await client.flush()
    #expect(try world.sent.map(\.name) == ["in setUp", "x", "in process"])
    #expect(client.plugins.count == 2)
    #expect(client.userID == "u")
  }

  @Test func `a plugin that leaves while it is set up is torn down and sees nothing`() async throws
  {
    let client = try await client()
    let plugin = ProbePlugin(
      "E",
      .enrichment,
      onSetUp: { [weak client] _ in
        if let leaving = client?.plugins.first { client?.remove(leaving) }
      }
    )
    client.add(plugin)
    client.track("x")
    await client.settle()
    #expect(plugin.calls == ["E setUp", "E tearDown"])
  }
}

/// A destination that hands on what it gets.
private final class Receiver: Plugin {
  let stage = PluginStage.destination
  private let onEvent: @Sendable (Event) -> Void

  init(_ onEvent: @escaping @Sendable (Event) -> Void) {
    self.onEvent = onEvent
  }

  func receive(_ event: Event) { onEvent(event) }
}

extension PropertyValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
