import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: what is stored` {
  /// The disk that a launch without a network leaves.
  private func files(
    events: Int,
    _ change: (inout DestinationSettings) -> Void = { _ in }
  ) async -> MemoryFiles {
    let world = AmplitudeWorld(ScriptedTransport(otherwise: .fail(.offline(""))))
    let engine = world.engine(queueSize: 1_000, change)
    for number in 0..<events { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    #expect(engine.diagnostics.stored == events)
    engine.shutdown(limitSeconds: 0)
    return world.files
  }

  @Test func `AMP-D22: of files of 10, 10, 10 and 10 the two newest remain under a cap of 15`()
    async throws
  {
    let left = await files(events: 40) { $0.outbox.batchEvents = 10 }
    let world = AmplitudeWorld(files: left)
    let engine = world.engine(queueSize: 1_000) {
      $0.outbox.batchEvents = 10
      $0.outbox.launchEvents = 15
    }
    _ = await engine.flush()
    #expect(
      try world.names == [(20..<30).map { "e\($0)" }, (30..<40).map { "e\($0)" }]
    )
    #expect(engine.diagnostics.dropped.byReason == [.backlogFull: 20])
  }

  @Test func `AMP-D44: a file is never cut, and the cap counts at launch only`() async throws {
    let left = await files(events: 40)
    let world = AmplitudeWorld(files: left)
    let engine = world.engine(queueSize: 1_000) { $0.outbox.launchEvents = 15 }
    for number in 40..<140 { engine.track(EventName("e\(number)")) }
    await engine.settle()
    let counts = engine.diagnostics
    #expect(counts.stored + counts.delivered == 140)
    while engine.diagnostics.stored > 0 { _ = await engine.flush() }
    #expect(try world.names.flatMap { $0 } == (0..<140).map { "e\($0)" })
    #expect(engine.diagnostics.dropped.isEmpty)
  }

  @Test func `AMP-F5: what would make a file larger than 975,000 bytes goes into a new one`()
    async throws
  {
    let world = AmplitudeWorld()
    let engine = world.engine(queueSize: 1_000)
    let text = PropertyValue.string(String(repeating: "x", count: 1_000))
    let properties = Properties(pairs: (0..<100).map { ("p\($0)", text) })
    for number in 0..<10 { engine.track(EventName("e\(number)"), properties, nil) }
    _ = await engine.flush()
    #expect(try world.requests.map(\.count) == [9, 1])
  }
}
