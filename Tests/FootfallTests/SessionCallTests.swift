import Footfall
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Sessions by call` {
  let day = PipelineDay()

  private func client() async throws -> FootfallClient {
    try await day.start(nil, .foreground, at: 1_000) { $0.sessions.isEnabled = true }
    return try #require(day.client)
  }

  @Test func `a session begins and ends when the app says so`() async throws {
    let client = try await client()
    client.endSession()
    await day.pass(to: 2_000)
    #expect(client.sessionID == nil)
    client.startSession()
    await client.settle()
    #expect(client.sessionID == 2_000)
    client.startSession()
    await day.track("a", at: 3_000)
    client.endSession()
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "session_end 1000@1000 (0)", "session_start 2000@2000",
        "a 2000@3000", "session_end 2000@3000 (1)",
      ]
    )
  }

  @Test func `a named session takes the place of the open one`() async throws {
    let client = try await client()
    await day.track("a", at: 2_000)
    client.startSession(id: "visit-7")
    await day.track("b", at: 3_000)
    client.startSession(id: 500)
    await day.track("c", at: 4_000)
    client.startSession(id: .outside)
    await client.settle()
    #expect(client.sessionID == nil)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "a 1000@2000", "session_end 1000@2000 (1)",
        "session_start visit-7@2000", "b visit-7@3000", "session_end visit-7@3000 (1)",
        "session_start 500@500", "c 500@4000", "session_end 500@4000 (3)",
      ]
    )
  }

  @Test func `a paused session goes on when it is resumed in time, and no later`() async throws {
    let client = try await client()
    client.pauseSession()
    await day.track("a", at: 60_000)
    client.resumeSession()
    await day.track("b", at: 70_000)
    client.pauseSession()
    await day.pass(to: 1_870_000)
    client.resumeSession()
    await client.settle()
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "a 1000@60000", "b 1000@70000",
        "session_end 1000@70000 (69)", "session_start 1870000@1870000",
      ]
    )
  }
}
