import Footfall
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: events` {
  let world = LogsWorld()

  @Test func `SDL-9: what is no number is left out, of an event and of the defaults`()
    async throws
  {
    let client = world.client()
    client.track("a", properties: ["a": .double(.nan), "b": 1])
    client.setDefaultProperties(["d": .double(.infinity), "e": 2])
    client.track("b")
    await client.flush()
    #expect(try world.events.map { $0.props?.mapValues(\.value) } == [["b": 1], ["e": 2]])
  }

  @Test func `SDL-12: what can be converted is on the wire as what it was`() async throws {
    // What comes of the types, and for the event what is left when it is not finite.
    let rows: [(Any, AppValue?)] = [
      ("x", "x"), (NSString("x"), "x"), ("xyz".dropFirst(), "yz"), (412, 412), (0.5, 0.5),
      (true, true), (NSNumber(value: true), true), (NSNumber(value: 1), 1), (Float(1.5), 1.5),
      (CGFloat(2.5), 2.5), (Int8(-8), -8), (Int16(16), 16), (Int32(-32), -32),
      (Int64.max, .integer(.max)), (UInt8(8), 8), (UInt16(16), 16), (UInt32(32), 32),
      (UInt64(64), 64), (UInt64.max, nil), (Optional("x") as Any, "x"),
      (Optional<String>.none as Any, nil), (Date(), nil), ([1], nil), (["k": 1], nil),
      (NSNull(), nil), (URL(fileURLWithPath: "/"), nil),
    ]
    let client = world.client()
    var properties: [String: AppValue] = ["text": "png", "whole": 412, "half": 0.5, "yes": true]
    for (number, row) in rows.enumerated() {
      #expect(AppValue(bridging: row.0) == row.1, "row \(number)")
      properties["row\(number)"] = AppValue(bridging: row.0)
    }
    guard case .double(let number)? = AppValue(bridging: Double.nan), number.isNaN else {
      Issue.record("What is no number is still a double here.")
      return
    }
    properties["nan"] = .double(number)
    client.track("a", properties: properties)
    await client.flush()
    let event = try #require(try world.events.first)
    for (number, row) in rows.enumerated() {
      #expect(event["row\(number)"] == row.1?.value, "\(number)")
    }
    #expect(event["text"] == "png" && event["whole"] == 412)
    #expect(event["half"] == 0.5 && event["yes"] == true && event["nan"] == nil)
  }

  @Test(arguments: [("sdl_sec_x", 1), ("other", 1), ("sdl_pub_x", 0)])
  func `SDL-88: a key that is not public gives one warning, and is used`(
    key: String,
    lines: Int
  )
    async
  {
    let client = world.client(key: key)
    client.track("a")
    await client.flush()
    #expect(world.lines(.warning).count == lines)
    #expect(!world.lines.withLock { $0 }.contains { $0.message.contains(key) })
    #expect(world.script.requests.first?.headers.first?.value == "Bearer \(key)")
  }

  @Test func `SDL-97: a call needs no await wherever it is made`() async throws {
    actor Model {
      let client: SimpleDataLogsClient
      init(_ client: SimpleDataLogsClient) { self.client = client }
      func act() { client.track("actor") }
    }
    @MainActor func show(_ client: SimpleDataLogsClient) { client.track("main actor") }
    let client = world.client()
    await Model(client).act()
    await Task.detached { client.track("task") }.value
    await show(client)
    await client.flush()
    #expect(try world.names == [["actor", "task", "main actor"]])
  }

  @Test func `SDL-124: a key that is not live yet costs a minute and nothing else`() async throws {
    let madeAt = world.clock.now
    let clock = world.clock
    let young = LogsWorld(
      ScriptedTransport(
        otherwise: .make { _ in
          let isLive = clock.now.timeIntervalSince(madeAt) >= 30
          return .answered(status: isLive ? 202 : 401, headers: [:], body: [])
        }
      ),
      clock: clock
    )
    let client = young.client()
    for number in 0..<3 { client.track("e\(number)") }
    await client.flush()
    for _ in 0..<59 { await young.pass(1, for: client) }
    #expect(young.script.requests.count == 1)
    await young.pass(1, for: client)
    await client.untilDelivered(3)
    #expect(try young.names == [["e0", "e1", "e2"], ["e0", "e1", "e2"]])
    #expect(young.lines(.error).count == 1)
    #expect(client.diagnostics.stored == 0 && client.diagnostics.dropped.isEmpty)
  }

  @Test func `SDL-127: no line of the log has a value of a property`() async throws {
    let secret: [String: AppValue] = ["secret": "s3cr3t-77"]
    world.script.then(.status(202), .status(401), .status(413))
    let client = world.client(settings: { $0.main.outbox.keptEvents = 3 })
    client.track("delivered", properties: secret)
    await client.flush()
    client.track("refused", properties: secret)
    await client.flush()
    await world.pass(60, for: client)
    await client.until { $0.dropped[.tooLarge] == 1 }
    let past = Date(timeIntervalSinceReferenceDate: 0)
    client.track("old", properties: secret, at: past)
    client.footfall.isOffline = true
    for number in 0..<5 { client.track("e\(number)", properties: secret) }
    await client.flush()
    #expect(
      client.diagnostics.dropped.byReason == [.tooLarge: 1, .tooOld: 1, .backlogFull: 5]
    )
    let said = world.lines.withLock { $0 }
    #expect(said.count >= 4)
    #expect(!said.contains { $0.text.contains("s3cr3t") })
  }
}

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: what the guide shows` {
  let world = LogsWorld()

  @Test(arguments: [true, false])
  func `SDL-131: the quick start`(isAllowed: Bool) async throws {
    let client = world.client(before: { client in
      client.setEnabled(isAllowed)
      client.setDeviceID("anon-1")
      client.setDefaultProperties(["app_version": "1.1.0", "distribution": "website"])
    })
    client.track("screenshot_taken", properties: ["type": "area"])
    await client.flush()
    await world.pass(60, for: client)
    guard isAllowed else {
      #expect(world.script.requests.isEmpty)
      return
    }
    let events = try world.events
    #expect(events.map(\.name) == ["screenshot_taken"])
    #expect(events[0].device_id == "anon-1")
    #expect(
      events[0].props?.mapValues(\.value)
        == ["type": "area", "app_version": "1.1.0", "distribution": "website"]
    )
  }

  @Test func `SDL-135: a text, a whole number and a truth value are such`() async throws {
    let client = world.client()
    client.track(
      "export_finished",
      properties: ["format": "png", "duration_ms": 412, "is_pro": true]
    )
    await client.flush()
    let body = String(decoding: try #require(world.script.requests.first).body, as: UTF8.self)
    for pair in [#""format":"png""#, #""duration_ms":412"#, #""is_pro":true"#] {
      #expect(body.contains(pair))
    }
  }

  @Test func `SDL-136: of an untyped dictionary what can be converted`() async throws {
    let client = world.client()
    let parameters: [String: Any] = ["a": "x", "b": 1, "c": 1.5, "d": true, "e": Date(), "f": [1]]
    client.track(
      "imported",
      properties: parameters.compactMapValues(AppValue.init(bridging:))
    )
    await client.flush()
    let properties = try world.events.first?.props?.mapValues(\.value)
    #expect(properties == ["a": "x", "b": 1, "c": 1.5, "d": true])
  }

  @Test func `SDL-138: the switch at the start and later`() async throws {
    let earlier = LogsWorld(ScriptedTransport(otherwise: .fail(.offline(""))), files: world.files)
    let old = earlier.client()
    for number in 0..<5 { old.track("old\(number)") }
    await old.flush()
    #expect(old.diagnostics.stored == 5)
    old.shutdown(limitSeconds: 0)
    let client = world.client(before: { $0.setEnabled(false) })
    await client.flush()
    #expect(world.script.requests.isEmpty)
    #expect(client.diagnostics.stored == 0)
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
    #expect(!world.files.holds("old"))
    client.setEnabled(true)
    client.track("a")
    await client.flush()
    client.setEnabled(false)
    client.track("b")
    await client.flush()
    await world.pass(600, for: client)
    #expect(try world.names == [["a"]])
  }

  @Test func `SDL-139: flush and disable brings what was tracked before`() async throws {
    let client = world.client()
    for number in 0..<3 { client.track("e\(number)") }
    await client.flushAndDisable()
    #expect(try world.names == [["e0", "e1", "e2"]])
    client.track("after")
    await client.flush()
    await world.pass(600, for: client)
    #expect(world.script.requests.count == 1)
  }

  @Test func `SDL-141: an endpoint on this machine is reached by plain http`() async throws {
    let client = world.client(endpoint: "http://localhost:4001")
    client.track("a")
    await client.flush()
    #expect(world.script.requests.map(\.url) == ["http://localhost:4001/v1/events"])
    // The port is free on no machine for sure, so the stub has one of its own.
    let server = try LoopbackServer(.status(202))
    defer { server.stop() }
    let live = LogsWorld(transport: Environment.live(log: .silent).transport)
    let port = server.url("").split(separator: ":").last ?? ""
    let local = live.client(endpoint: "http://localhost:\(port)")
    local.track("a")
    let report = await local.footfall.flush()
    #expect(report.delivered == 1 && server.requests.count == 1)
    local.shutdown(limitSeconds: 0)
  }
}
