import Footfall
import FootfallCore
import FootfallEngine
import FootfallSystem
import Foundation
import Testing

/// Identity and plugins, through the whole client.
@Suite(.timeLimit(.minutes(5))) struct `Identity and plugins of a client` {
  let day = PipelineDay()

  private func add(_ plugins: [NotingPlugin]) async -> () -> [String] {
    let notes = Lock<[String]>([])
    for plugin in plugins {
      plugin.notes.withLock { $0 = { note in notes.withLock { $0.append(note) } } }
      await day.change(.addPlugin(plugin), at: 1_000)
    }
    return {
      notes.withLock { notes in
        defer { notes = [] }
        return notes
      }
    }
  }

  // AMP I11: but for the restart
  @Test func `the options of an identify become the client's`() async throws {
    try await day.start(.amplitude())
    await day.change(.identity(.setUser("user-1")), at: 1_000)
    await day.identify(.set("a", 1), at: 1_001, EventOptions(userID: "user-2000"))
    await day.track("x", at: 1_002, EventOptions(sessionID: .outside))
    await day.identify(.set("a", 1), at: 1_003, EventOptions(deviceID: "device-2"))
    await day.track("y", at: 1_004, EventOptions(sessionID: .outside))
    _ = try await day.sent()
    #expect(try day.users().suffix(3) == ["user-2000", "user-2000", "user-2000"])
    #expect(try day.devices().last == "device-2")
  }

  @Test func `AMP-T3, AMP-T20: the user and device of one event are that event's only`()
    async throws
  {
    try await day.start(.amplitude(announcesSessions: false))
    await day.change(.identity(.setUser("user-1")), at: 1_000)
    await day.track("a", at: 1_001, EventOptions(deviceID: "device-2", userID: "user-12345"))
    await day.track("b", at: 1_002)
    _ = try await day.sent()
    #expect(try day.users() == ["user-12345", "user-1"])
    #expect(try day.devices() == ["device-2", "0000ABCDEF01"])
    #expect(day.client?.deviceID == "0000ABCDEF01")
  }

  @Test func `AMP-T9: an event of nobody is dropped with a line`() async throws {
    try await day.start(.amplitude(announcesSessions: false))
    await day.change(.identity(.setDevice(nil)), at: 1_000)
    await day.track("a", at: 1_001)
    #expect(try await day.sent().isEmpty)
    #expect(day.world.lines(.error).count == 1)
    #expect(day.client?.diagnostics.dropped[.invalid] == 1)
  }

  @Test func `AMP-T10: numbers follow each other, session events included, over a restart`()
    async throws
  {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("a", at: 1_000)
    await day.track("b", at: 1_010)
    _ = try await day.sent()
    #expect(try day.numbers() == [1, 2, 3])
    try await day.relaunch(.amplitude(sessionMilliseconds: 100))
    await day.track("c", at: 1_060)
    _ = try await day.sent()
    #expect(try day.numbers() == [4])
  }

  @Test func `AMP-P16: what an event says of its context is sent`() async throws {
    try await day.start(.amplitude(announcesSessions: false))
    await day.track("a", at: 1_000, EventOptions(context: [.platform: "Kiosk"]))
    _ = try await day.sent()
    #expect(try day.context("platform") == ["Kiosk"])
  }

  @Test func `AMP-P7, AMP-P8: changes are told once, user, device and identity in this order`()
    async throws
  {
    try await day.start(.amplitude(announcesSessions: false))
    let notes = await add([NotingPlugin("O", .observe)])
    await day.change(.identity(.setUser("x-1")), at: 1_001)
    await day.change(.identity(.setUser("x-1")), at: 1_002)
    #expect(notes() == ["O user x-1", "O identity x-1 []"])
    let all = IdentityCore.Input.assign(userID: "u", deviceID: "d", ["a": 1])
    await day.change(.identity(all), at: 1_003)
    #expect(notes().prefix(3) == ["O user u", "O device d", "O identity u [\"a\"]"])
    #expect(try await day.names() == ["$identify"])
  }

  @Test func `AMP-P6: a reset keeps what is queued and the session`() async throws {
    try await day.start(.amplitude())
    await day.change(.identity(.setUser("user-1")), at: 900)
    await day.identify(.set("a", 1), at: 950, EventOptions(sessionID: .outside))
    _ = try await day.sent()
    for number: Int64 in 0..<3 { await day.track("e", at: 1_000 + number) }
    let notes = await add([NotingPlugin("O", .observe)])
    await day.change(.identity(.reset), at: 1_010)
    let told = notes()
    #expect(told.filter { $0 == "O reset" }.count == 1)
    #expect(told.contains("O identity - []"))
    #expect(day.client?.sessionID == 1_000 && day.client?.isEnabled == true)
    #expect(try await day.names() == ["session_start", "e", "e", "e"])
    await day.track("after", at: 1_011)
    #expect(try await day.sent() == ["after 1000@1011"])
    #expect(try day.users() == [nil])
  }

  @Test func `AMP-L1, AMP-L2, AMP-L17, AMP-L19: plugins run by stage, change events and drop them`()
    async throws
  {
    try await day.start(.amplitude(announcesSessions: false))
    let before = NotingPlugin("B1", .before) { $0.name.text.hasPrefix("Debug ") ? nil : $0 }
    let adding = NotingPlugin("E1", .enrichment) { event in
      var event = event
      event.properties["app_section"] = "checkout"
      return event
    }
    let dropping = NotingPlugin("E2", .enrichment) { $0.name == "y" ? nil : $0 }
    let plugins = [
      NotingPlugin("D1", .destination), adding, before, dropping, NotingPlugin("B2", .before),
      NotingPlugin("D2", .destination),
    ]
    let notes = await add(plugins)
    await day.track("x", at: 1_001)
    #expect(notes() == ["B1 x", "B2 x", "E1 x", "E2 x", "D1 x", "D2 x"])
    await day.track("Debug x", at: 1_002)
    await day.track("y", at: 1_003)
    #expect(notes() == ["B1 Debug x", "B1 y", "B2 y", "E1 y", "E2 y"])
    #expect(try await day.names() == ["x"])
    #expect(try day.property("app_section") == ["checkout"])
    #expect(day.client?.diagnostics.dropped[.plugin] == 2)
  }

  @Test
  func `AMP-L24, AMP-L29: a flush reaches a destination once, and only the plugin meant leaves`()
    async throws
  {
    try await day.start(.amplitude(announcesSessions: false))
    let notes = await add([NotingPlugin("D", .destination)])
    await day.change(.removePlugin(NotingPlugin("D", .destination)), at: 1_001)
    await day.track("x", at: 1_002)
    await day.client?.flush()
    #expect(notes() == ["D x", "D flush"])
  }

  @Test func `AMP-L27: the context is filled in after the stage before`() async throws {
    try await day.start(.amplitude(announcesSessions: false))
    let seen = Lock<[PropertyValue?]>([])
    let look: @Sendable (Event) -> Event? = { event in
      seen.withLock { $0 += [event.context[.os], event.context[.platform]] }
      return event
    }
    _ = await add([NotingPlugin("B", .before, look), NotingPlugin("E", .enrichment, look)])
    await day.track("x", at: 1_001)
    #expect(seen.withLock { $0 } == [nil, nil, "iOS 19.1", "iOS"])
  }

  @Test func `a plugin may call the client back and leave while it runs`() async throws {
    try await day.start(.amplitude(announcesSessions: false))
    let client = try #require(day.client)
    let plugin = NotingPlugin("B", .before)
    plugin.change.withLock {
      $0 = { event in
        client.change(.removePlugin(plugin))
        client.track("echo")
        return event
      }
    }
    await day.change(.addPlugin(plugin), at: 1_000)
    await day.track("x", at: 1_001)
    await client.settle()
    #expect(try await day.names() == ["x", "echo"])
  }
}

/// A plugin that tells what it is called for.
private final class NotingPlugin: Plugin {
  let stage: PluginStage
  let label: String
  let notes = Lock<(@Sendable (String) -> Void)?>(nil)
  let change: Lock<@Sendable (Event) -> Event?>

  init(
    _ label: String,
    _ stage: PluginStage,
    _ change: @escaping @Sendable (Event) -> Event? = { $0 }
  ) {
    self.label = label
    self.stage = stage
    self.change = Lock(change)
  }

  private func note(_ text: String) {
    notes.withLock { $0 }?("\(label) \(text)")
  }

  func process(_ event: Event) -> Event? {
    note(event.name.text)
    return change.withLock { $0 }(event)
  }
  func receive(_ event: Event) { note(event.name.text) }
  func flush() { note("flush") }
  func userChanged(_ userID: String?) { note("user \(userID ?? "-")") }
  func deviceChanged(_ deviceID: String?) { note("device \(deviceID ?? "-")") }
  func identityChanged(_ userID: String?, _ deviceID: String?, _ properties: Properties) {
    note("identity \(userID ?? "-") \(properties.map(\.key))")
  }
  func reset() { note("reset") }
}
