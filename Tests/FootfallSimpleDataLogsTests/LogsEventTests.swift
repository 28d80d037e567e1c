import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `SimpleDataLogs: events` {
  let world = LogsWorld()

  @Test func `SDL-9: what is no number is left out, of an event and of the defaults`()
    async throws
  {
    let engine = world.engine()
    engine.track("a", ["a": .double(.nan), "b": 1])
    engine.change(.defaultProperties(["d": .double(.infinity), "e": 2]))
    engine.track("b")
    _ = await engine.flush()
    #expect(try world.events.map { $0.props?.mapValues(\.value) } == [["b": 1], ["e": 2]])
  }

  @Test func `SDL-12: what can be converted is on the wire as what it was`() async throws {
    // What comes of the types, and for the event what is left when it is not finite.
    let rows: [(Any, PropertyValue?)] = [
      ("x", "x"), (NSString("x"), "x"), ("xyz".dropFirst(), "yz"), (412, 412), (0.5, 0.5),
      (true, true), (NSNumber(value: true), true), (NSNumber(value: 1), 1), (Float(1.5), 1.5),
      (CGFloat(2.5), 2.5), (Int8(-8), -8), (Int16(16), 16), (Int32(-32), -32),
      (Int64.max, .integer(.max)), (UInt8(8), 8), (UInt16(16), 16), (UInt32(32), 32),
      (UInt64(64), 64), (UInt64.max, nil), (Optional("x") as Any, "x"),
      (Optional<String>.none as Any, nil), (Date(), nil), ([1], nil), (["k": 1], nil),
      (NSNull(), nil), (URL(fileURLWithPath: "/"), nil),
    ]
    let engine = world.engine()
    var properties: Properties = ["text": "png", "whole": 412, "half": 0.5, "yes": true]
    for (number, row) in rows.enumerated() {
      #expect(PropertyValue(bridging: row.0) == row.1, "row \(number)")
      properties["row\(number)"] = PropertyValue(bridging: row.0)
    }
    guard case .double(let number)? = PropertyValue(bridging: Double.nan), number.isNaN else {
      Issue.record("What is no number is still a double here.")
      return
    }
    properties["nan"] = .double(number)
    engine.track("a", properties)
    _ = await engine.flush()
    let event = try #require(try world.events.first)
    for (number, row) in rows.enumerated() { #expect(event["row\(number)"] == row.1, "\(number)") }
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
    let engine = world.engine(key: key)
    engine.track("a")
    _ = await engine.flush()
    #expect(world.lines(.warning).count == lines)
    #expect(!world.lines.withLock { $0 }.contains { $0.message.contains(key) })
    #expect(world.script.requests.first?.headers.first?.value == "Bearer \(key)")
  }

  @Test func `SDL-97: a call needs no await wherever it is made`() async throws {
    actor Model {
      let engine: Engine
      init(_ engine: Engine) { self.engine = engine }
      func act() { engine.track("actor") }
    }
    @MainActor func show(_ engine: Engine) { engine.track("main actor") }
    let engine = world.engine()
    await Model(engine).act()
    await Task.detached { engine.track("task") }.value
    await show(engine)
    _ = await engine.flush()
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
    let engine = young.engine()
    for number in 0..<3 { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    for _ in 0..<59 { await young.pass(1, for: engine) }
    #expect(young.script.requests.count == 1)
    await young.pass(1, for: engine)
    await engine.untilDelivered(3)
    #expect(try young.names == [["e0", "e1", "e2"], ["e0", "e1", "e2"]])
    #expect(young.lines(.error).count == 1)
    #expect(engine.diagnostics.stored == 0 && engine.diagnostics.dropped.isEmpty)
  }

  @Test func `SDL-127: no line of the log has a value of a property`() async throws {
    let secret: Properties = ["secret": "s3cr3t-77"]
    world.script.then(.status(202), .status(401), .status(413))
    let engine = world.engine(settings: { $0.main.outbox.keptEvents = 3 })
    engine.track("delivered", secret)
    _ = await engine.flush()
    engine.track("refused", secret)
    _ = await engine.flush()
    await world.pass(60, for: engine)
    await engine.until { $0.dropped[.tooLarge] == 1 }
    let past = Date(timeIntervalSinceReferenceDate: 0)
    engine.track("old", secret, EventOptions(at: past))
    engine.setOffline(true)
    for number in 0..<5 { engine.track(EventName("e\(number)"), secret) }
    _ = await engine.flush()
    #expect(
      engine.diagnostics.dropped.byReason == [.tooLarge: 1, .tooOld: 1, .backlogFull: 5]
    )
    let said = world.lines.withLock { $0 }
    #expect(said.count >= 4)
    #expect(!said.contains { $0.text.contains("s3cr3t") })
  }
}

@Suite(.timeLimit(.minutes(1))) struct `SimpleDataLogs: what the guide shows` {
  let world = LogsWorld()

  @Test(arguments: [true, false])
  func `SDL-131: the quick start`(isAllowed: Bool) async throws {
    let engine = world.engine(before: { engine in
      engine.setEnabled(isAllowed)
      engine.setIdentity(.setDevice("anon-1"))
      engine.change(.defaultProperties(["app_version": "1.1.0", "distribution": "website"]))
    })
    engine.track("screenshot_taken", ["type": "area"])
    _ = await engine.flush()
    await world.pass(60, for: engine)
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
    let engine = world.engine()
    engine.track("export_finished", ["format": "png", "duration_ms": 412, "is_pro": true])
    _ = await engine.flush()
    let body = String(decoding: try #require(world.script.requests.first).body, as: UTF8.self)
    #expect(body.contains(#""props":{"format":"png","duration_ms":412,"is_pro":true}"#))
  }

  @Test func `SDL-136: of an untyped dictionary what can be converted`() async throws {
    let engine = world.engine()
    let parameters: [String: Any] = ["a": "x", "b": 1, "c": 1.5, "d": true, "e": Date(), "f": [1]]
    engine.track("imported", Properties(parameters.compactMapValues(PropertyValue.init(bridging:))))
    _ = await engine.flush()
    let properties = try world.events.first?.props?.mapValues(\.value)
    #expect(properties == ["a": "x", "b": 1, "c": 1.5, "d": true])
  }

  @Test func `SDL-138: the switch at the start and later`() async throws {
    let earlier = LogsWorld(ScriptedTransport(otherwise: .fail(.offline(""))), files: world.files)
    let old = earlier.engine()
    for number in 0..<5 { old.track(EventName("old\(number)")) }
    _ = await old.flush()
    #expect(old.diagnostics.stored == 5)
    old.shutdown(limitSeconds: 0)
    let engine = world.engine(before: { $0.setEnabled(false) })
    _ = await engine.flush()
    #expect(world.script.requests.isEmpty)
    #expect(engine.diagnostics.stored == 0)
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
    #expect(!world.files.holds("old"))
    engine.setEnabled(true)
    engine.track("a")
    _ = await engine.flush()
    engine.setEnabled(false)
    engine.track("b")
    _ = await engine.flush()
    await world.pass(600, for: engine)
    #expect(try world.names == [["a"]])
  }

  @Test func `SDL-139: flush and disable brings what was tracked before`() async throws {
    let engine = world.engine()
    for number in 0..<3 { engine.track(EventName("e\(number)")) }
    await withCheckedContinuation { continuation in
      engine.flushAndDisable(limitSeconds: 10) { continuation.resume() }
    }
    #expect(try world.names == [["e0", "e1", "e2"]])
    engine.track("after")
    _ = await engine.flush()
    await world.pass(600, for: engine)
    #expect(world.script.requests.count == 1)
  }

  @Test func `SDL-141: an endpoint on this machine is reached by plain http`() async throws {
    let engine = world.engine(endpoint: "http://localhost:4001")
    engine.track("a")
    _ = await engine.flush()
    #expect(world.script.requests.map(\.url) == ["http://localhost:4001/v1/events"])
    // The port is free on no machine for sure, so the stub has one of its own.
    let server = try LoopbackServer(.status(202))
    defer { server.stop() }
    let live = LogsWorld(transport: Environment.live(log: .silent).transport)
    let port = server.url("").split(separator: ":").last ?? ""
    let local = live.engine(endpoint: "http://localhost:\(port)")
    local.track("a")
    let report = await local.flush()
    #expect(report.delivered == 1 && server.requests.count == 1)
    local.shutdown(limitSeconds: 0)
  }
}
