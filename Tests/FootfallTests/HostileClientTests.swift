#if os(Linux)
import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A whole client, with the real transport, against a server that misbehaves once.
@Suite(.timeLimit(.minutes(5))) struct `A client and a hostile server` {
  enum Malice: String, CaseIterable, Sendable {
    case neverAnswers, dripsBytes, hangsUp, resets, answersHalf, talksGarbage, redirects, floods
    /// A positive status with a body of a gigabyte, or one of somebody else's.
    case floodsPositively, showsAPage

    func answer(_ gate: Gate) -> LoopbackAnswer {
      switch self {
      case .neverAnswers: .held(gate, .hangUp)
      case .dripsBytes:
        .drip(LoopbackAnswer.bytes(status: 202, headers: [], body: []), everySeconds: 0.1)
      case .hangsUp: .hangUp
      case .resets: .reset
      case .answersHalf:
        .raw(Array("HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf".utf8))
      case .talksGarbage: .raw([UInt8](repeating: 0xFF, count: 4_096))
      case .redirects:
        .status(302, headers: [("Location", "http://127.0.0.1:9/elsewhere")])
      case .showsAPage:
        .status(200, headers: [("Content-Type", "text/html")], "<html>Sign in first.</html>")
      case .floods, .floodsPositively:
        .flood(
          Array(
            "HTTP/1.1 \(self == .floods ? 500 : 202) X\r\nContent-Length: 1073741824\r\n\r\n".utf8
          ),
          Array(#"{"rejected":[{"index":0,"reason":"x"}],"#.utf8)
            + [UInt8](repeating: 0x20, count: 1 << 20),
          times: 1_024
        )
      }
    }
  }

  @Test(arguments: Malice.allCases)
  func `keeps the batch, waits, and delivers it once the server is sane`(
    malice: Malice
  )
    async throws
  {
    let gate = Gate()
    let isFirst = Lock(true)
    let server = try LoopbackServer { _ in
      let isHostile = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return isHostile ? malice.answer(gate) : .status(202)
    }
    defer {
      gate.open()
      server.stop()
    }
    let clock = ManualClock()
    let transport = Environment.live(log: .silent).transport
    let endpoint = try #require(URL(string: server.url("")))
    var configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    configuration.sessions.isEnabled = false
    configuration.delivery.timeoutSeconds = 1
    let client = FootfallClient(
      configuration,
      environment: .test(
        clock: clock,
        transport: transport,
        files: MemoryFiles(),
        random: .seeded(7)
      )
    )
    client.track("e")
    let report = await client.flush()
    #expect(report.problem != nil)
    #expect(report.delivered == 0)
    #expect(client.diagnostics.stored == 1)
    #expect(client.diagnostics.requests == 1)
    clock.advance(bySeconds: 301)
    client.poke()
    await client.settle()
    let last = await client.flush()
    #expect(last.kept == 0)
    #expect(client.diagnostics.delivered == 1)
    #expect(client.diagnostics.stored == 0)
    client.shutdown()
  }
}
#endif
