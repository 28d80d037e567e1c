import Footfall
import FootfallCore
import FootfallOutbox
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: the start` {
  let world = PhaseWorld()

  @Test(arguments: ["abc", "", "   ", " phase_test"])
  func `PHA-1, PHA-2: without a key nothing is started, stored or sent`(key: String) async {
    let client = world.client()
    client.sdk.track("early")
    await #expect(throws: PhaseError.invalidAPIKey) {
      try await client.sdk.initialize(apiKey: key)
    }
    #expect(world.files.paths.isEmpty && world.transport.requests.isEmpty)
    #expect(PhaseError.invalidAPIKey.localizedDescription.contains("phase_"))
  }

  @Test func `PHA-3: a second start does nothing but a warning`() async {
    let client = world.client()
    async let first: Void = client.start()
    async let second: Void = client.start(PhaseConfig(apiKey: "phase_other", logLevel: .warn))
    _ = await (first, second)
    await client.start()
    #expect(world.lines(with: "initialised already") == 2)
    #expect(world.lines.withLock { $0.count } == 2)
    let keys = world.transport.requests.compactMap { $0.headers.first?.value }
    #expect(keys.isEmpty)
    await client.sdk.identify()
    await client.flush()
    #expect(world.items.map(\.type) == ["device", "session"])
  }

  @Test func `PHA-12: who waits for a start that fails goes on, and what was tracked is gone`()
    async
  {
    let client = world.client()
    client.sdk.track("lost")
    async let identified: Void = client.sdk.identify(["plan": "lost"])
    for _ in 0..<100 { await Task.yield() }
    await #expect(throws: PhaseError.invalidAPIKey) {
      try await client.sdk.initialize(apiKey: "abc")
    }
    await identified
    // Another try may succeed.
    client.sdk.track("kept")
    await client.start()
    await client.sdk.identify()
    await client.flush()
    #expect(world.items.map(\.name) == ["device", "session", "kept"])
    #expect(world.items.first?.inner == ["app_version": "4.2.0"])
  }

  @Test func `PHA-69: a first launch without network has a device id, where Phase looks for it`()
    async throws
  {
    world.answer { _ in .failed(.offline("no route")) }
    let client = await world.started()
    let device = try #require(client.footfall.deviceID)
    #expect(ULID.isValid(device))
    let kept = try #require(world.files.bytes("/phase/phase-analytics/device-id"))
    #expect(String(decoding: kept, as: UTF8.self) == "\"\(device)\"")
    await client.sdk.identify()
    await client.sdk.reset()
    let next = try #require(client.footfall.deviceID)
    let keptNext = try #require(world.files.bytes("/phase/phase-analytics/device-id"))
    #expect(next != device && String(decoding: keptNext, as: UTF8.self) == "\"\(next)\"")
  }

  @Test(arguments: [("phase_test", true), ("phase_other", false)])
  func `an app that used Phase's own SDK keeps its device, under the same key`(
    key: String,
    isKept: Bool
  ) async throws {
    let device = ULID.text(high: 0x0197_c5d4_a000_7000, low: 7)
    func keep(_ name: String, _ text: String) throws {
      try world.files.makeFolder("/phase")
      try world.files.makeFolder("/phase/phase-analytics")
      try world.files.replace("/phase/phase-analytics/\(name)", with: Array("\"\(text)\"".utf8))
    }
    try keep("device-id", device)
    try keep("api-key", "phase_test")
    let client = await world.started(PhaseConfig(apiKey: key))
    #expect((client.footfall.deviceID == device) == isKept)
    let kept = world.files.bytes("/phase/phase-analytics/api-key") ?? []
    #expect(String(decoding: kept, as: UTF8.self) == "\"\(key)\"")
  }

  @Test func `a second server gets everything too, by a key of its own`() async throws {
    let client = world.client()
    client.sdk.mirror(to: "http://127.0.0.1:4001", apiKey: "phase_own")
    await client.start()
    await client.sdk.identify()
    client.sdk.track("a")
    await client.flush()
    await client.flush()
    await client.delivered()
    for (url, key) in [
      ("http://127.0.0.1:4001/", "Bearer phase_own"),
      ("https://api.phase.sh/", "Bearer phase_test"),
    ] {
      let sent = world.transport.requests.filter { $0.url.hasPrefix(url) }
      #expect(sent.allSatisfy { $0.headers.first?.value == key })
      #expect(sent.flatMap(PhaseWorld.items).map(\.name) == ["device", "session", "a"])
    }
  }

  @Test func `params and properties can be read back`() {
    let params: EventParams = ["a": 1, "b": nil, "c": 0.5, "d": "x", "e": true]
    let values = params.dictionary
    #expect(values["a"] as? Int == 1 && values["b"] is NSNull && values["c"] as? Double == 0.5)
    #expect(values["d"] as? String == "x" && values["e"] as? Bool == true)
    #expect(DeviceProperties(["day": Date(), "plan": "pro"]).dictionary.count == 1)
  }
}
