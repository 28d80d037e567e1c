import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: plugins` {
  @Test func `AMP-L3: destinations do not depend on each other`() async throws {
    let app = AmplitudeApp()
    let (dropping, keeping) = (TestPlugin(.destination) { _ in nil }, TestPlugin(.destination))
    app.client.add(dropping)
    app.client.add(keeping)
    app.client.track("a")
    #expect(try await app.names() == ["a"])
    #expect(dropping.events.map(\.name) == ["a"] && keeping.events.map(\.name) == ["a"])
  }

  @Test func `AMP-L4: a destination gets each kind of event by the method meant for it`()
    async throws
  {
    let app = AmplitudeApp()
    let plugin = TestPlugin(.destination)
    app.client.add(plugin)
    app.client.track("a")
    app.client.identify(.set("plan", "pro"))
    app.client.revenue(FootfallCore.Revenue(price: 1))
    app.client.identifyGroup("orgId", "15", .set("seats", 1))
    await app.client.settle()
    #expect(
      plugin.events.map(\.name) == ["a", "$identify", "revenue_amount", "$groupidentify"]
    )
    #expect(
      plugin.events.map { AmplitudeDestinationCall($0) } == [.track, .identify, .revenue, .track]
    )
  }

  /// The other half, an application's opening, is told once that is captured.
  @Test func `AMP L25: a session's start comes to a destination as any event`() async throws {
    let app = AmplitudeApp(announcesSessions: true)
    // The first session may start before or after the plugin comes.
    await app.client.settle()
    let plugin = TestPlugin(.destination)
    app.client.add(plugin)
    app.client.startSession(id: 1_000)
    app.client.track("a")
    await app.client.settle()
    #expect(plugin.events.map(\.name) == ["session_end", "session_start", "a"])
    #expect(plugin.events.map { AmplitudeDestinationCall($0) } == [.track, .track, .track])
  }
}
