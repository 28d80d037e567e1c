#if os(Linux) || os(macOS)
import Footfall
import FootfallPhase
import FootfallTesting
import Foundation
import Testing

/// Programs that call what the document's samples call, in the same order.
///
/// Each in a process of its own, as the SDK is that of the whole process. Those with views are in
/// Tests/AdapterFakes.
@Suite(.timeLimit(.minutes(5))) struct `Samples of Phase` {
  static func start(_ sample: SamplePhaseServer) async throws {
    // No app's version of this test, so that only what is set is sent.
    try await PhaseSDK.shared.initialize(
      apiKey: "phase_sample",
      baseURL: sample.baseURL,
      deviceInfo: false
    )
  }

  @Test func `PHA-89: identify after signing in`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SamplePhaseServer()
      try await Self.start(sample)
      await PhaseSDK.shared.identify([
        "member": "77",
        "tier": "gold",
        "early_bird": true,
      ])
      await PhaseSDK.shared.flush()
      let device = try #require(sample.items.first { $0.type == "device" })
      #expect(device.values == ["member": "77", "tier": "gold", "early_bird": true])
      try sample.end()
    }
  }

  @Test func `PHA-90: identify after consent, and without`() async {
    for hasConsent in [true, false] {
      if hasConsent {
        await #expect(processExitsWith: .success) { try await Self.identifies(hasConsent: true) }
      } else {
        await #expect(processExitsWith: .success) { try await Self.identifies(hasConsent: false) }
      }
    }
  }

  static func identifies(hasConsent: Bool) async throws {
    func askedForConsent() async -> Bool { hasConsent }
    let sample = try SamplePhaseServer()
    try await Self.start(sample)
    await PhaseSDK.shared.identify()
    let isAllowed = await askedForConsent()
    if isAllowed {
      await PhaseSDK.shared.identify([
        "email": "sam@example.com",
        "name": "Sam Poe",
      ])
    }
    await PhaseSDK.shared.flush()
    let devices = sample.items.filter { $0.type == "device" }
    #expect(
      devices.map(\.values)
        == (hasConsent
          ? [nil, ["email": "sam@example.com", "name": "Sam Poe"]] : [nil])
    )
    let sent = sample.server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    #expect(sent.contains("sam@example.com") == hasConsent)
    #expect(try hasConsent || !sample.isStored("sam@example.com"))
    try sample.end()
  }

  @Test func `PHA-91: the three ways to track`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SamplePhaseServer()
      try await Self.start(sample)
      await PhaseSDK.shared.identify()
      track("door_opened")
      track(
        "ticket_bought",
        [
          "price": 12.75,
          "currency": "SEK",
          "ticket": "day_pass",
        ]
      )
      PhaseSDK.shared.track("switch_flipped", params: ["switch": "lamp"])
      await PhaseSDK.shared.flush()
      let events = sample.items.filter { $0.type == "event" }
      #expect(events.map(\.name) == ["door_opened", "ticket_bought", "switch_flipped"])
      #expect(
        events.map(\.values)
          == [nil, ["price": 12.75, "currency": "SEK", "ticket": "day_pass"], ["switch": "lamp"]]
      )
      #expect(events.allSatisfy { !$0.isScreen })
      try sample.end()
    }
  }

  @Test func `PHA-93: flush returns after the answer`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SamplePhaseServer()
      try await Self.start(sample)
      await PhaseSDK.shared.identify()
      await PhaseSDK.shared.flush()
      for number in 1...3 { track("queued \(number)") }
      await PhaseSDK.shared.flush()
      #expect(sample.items.suffix(3).map(\.name) == ["queued 1", "queued 2", "queued 3"])
      #expect(PhaseSDK.shared.footfall.diagnostics.stored == 0)
      try sample.end()
    }
  }

  @Test func `PHA-94: reset, then identify`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SamplePhaseServer()
      try await Self.start(sample)
      await PhaseSDK.shared.identify()
      track("before")
      await PhaseSDK.shared.reset()
      await PhaseSDK.shared.identify()
      track("after")
      await PhaseSDK.shared.flush()
      let items = sample.items
      #expect(
        items.map(\.type) == [
          "device", "session", "event", "ping", "device", "session", "event",
        ]
      )
      #expect(Set(items.compactMap(\.device)).count == 2)
      #expect(Set(items.compactMap(\.session)).count == 2)
      #expect(sample.batches.allSatisfy { Set($0.compactMap(\.session)).count <= 1 })
      try sample.end()
    }
  }

  @Test func `PHA-96: screens by hand`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SamplePhaseServer()
      try await Self.start(sample)
      await PhaseSDK.shared.identify()
      trackScreen("/garden", ["bed_id": "9"])
      PhaseSDK.shared.trackScreen("/shed", params: nil)
      PhaseSDK.trackScreen("/pond")
      await PhaseSDK.shared.flush()
      let events = sample.items.filter { $0.type == "event" }
      #expect(events.map(\.name) == ["/garden", "/shed", "/pond"])
      #expect(events.allSatisfy { $0.isScreen })
      #expect(events.map(\.values) == [["bed_id": "9"], nil, nil])
      try sample.end()
    }
  }
}
#endif
