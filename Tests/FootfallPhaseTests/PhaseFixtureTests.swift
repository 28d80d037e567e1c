import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import Foundation
import Testing

/// The batch that the server's tests decode: `Fixtures/wire/phase/sdk.json`.
@Suite struct `Phase: the batch on file` {
  private let codec = PhaseCodec(baseURL: "http://127.0.0.1:4001", key: "phase_test")

  private func event(_ number: Int64, _ name: EventName, _ properties: Properties = [:]) -> Event {
    Event(
      name,
      properties,
      identifier: .made(
        EventID(milliseconds: 1_764_581_400_000, counter: UInt64(number), random: 7)
      ),
      milliseconds: 1_764_581_400_000 + number,
      sequence: number,
      deviceID: "01KBBM8YRGDEVICE000000001A",
      sessionID: "01KBBM8YRGSESSN000000001A"
    )
  }

  private func events() throws -> [Event] {
    var device = Event(
      .identify,
      identifier: .own("i"),
      milliseconds: 1_764_581_400_000,
      deviceID: "01KBBM8YRGDEVICE000000001A",
      userOperations: IdentifyOperations.set("plan", "pro"),
      context: [
        .platform: "macOS", .osVersion: "26.1", .model: "Mac16,1", .locale: "en_GB",
        .appVersion: "4.2.0",
      ]
    )
    device.sequence = 1
    return [
      device, event(2, codec.vocabulary.sessionStart),
      event(3, "purchase_completed", ["amount": 99.99, "currency": "USD", "gift": false]),
      event(4, codec.vocabulary.screenView, [codec.vocabulary.screen: "ProfileView"]),
      event(5, try #require(codec.heartbeat)),
    ]
  }

  @Test func `the bytes are those that the server is tested with`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    for event in try events() {
      if buffer.count > 0 { buffer.append(",\n") }
      #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    }
    #expect(losses.isEmpty)
    let content = BatchContent(events: buffer.bytes[...], count: 5, commonContent: [])
    let attempt = AttemptInfo(sentAtMilliseconds: 1_764_581_401_000, losses: DropCounts())
    let request = codec.request(content, attempt: attempt)
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Authorization: Bearer phase_test", "Content-Type: application/json",
        "Footfall-Sent-At: 2025-12-01T09:30:01.000Z",
      ]
    )
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/wire/phase/sdk.json").standardized
    let body = Data(request.body)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try body.write(to: file) }
    #expect(try Data(contentsOf: file) == body)
  }
}
