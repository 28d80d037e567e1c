import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import Foundation
import Testing

/// The request that the server's tests decode: `Fixtures/wire/native/simpledatalogs-sdk.json`.
@Suite struct `SimpleDataLogs: what is sent` {
  private let codec = SimpleDataLogsCodec(
    key: "sdl_pub_x",
    device: DeviceContext(library: "footfall-swift/1.0.0", platform: "macOS", os: "macOS 26.1")
  )

  private func event(_ number: Int64, _ name: EventName, _ properties: Properties = [:]) -> Event {
    let id = EventID(milliseconds: 0x0197_d9c4_0000, counter: UInt64(number), random: 7)
    return Event(
      name,
      properties,
      identifier: .made(id),
      milliseconds: 1_764_581_400_000 + number,
      sequence: number,
      deviceID: "anon-1",
      sessionID: "5e55104e-0000-4000-8000-000000000001"
    )
  }

  private var events: [Event] {
    let exported = event(
      123,
      "export_finished",
      [
        "format": "png", "duration_ms": 412, "is_pro": true, "ratio": 0.5, "app_state": "active",
        "engaged_ms": 5_000,
      ]
    )
    var nobodys = event(124, "opened")
    nobodys.deviceID = nil
    nobodys.sessionID = nil
    var own = event(125, "step", ["session_id": "mine"])
    own.identifier = .own("0f0b7c9e-5a1d-4c2e-9d3f-000000000001")
    return [exported, nobodys, own]
  }

  @Test func `the bytes are those that the server is tested with`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    for event in events {
      if buffer.count > 0 { buffer.append(",\n") }
      #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    }
    #expect(losses.isEmpty)
    let content = BatchContent(events: buffer.bytes[...], count: 3, commonContent: [])
    let attempt = AttemptInfo(sentAtMilliseconds: 1_764_581_401_000, losses: DropCounts())
    let request = codec.request(content, attempt: attempt)
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Authorization: Bearer sdl_pub_x", "Content-Type: application/json",
        "User-Agent: SimpleDataLogs-Swift/1.0.0 (macOS 26.1)",
      ]
    )
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/wire/native/simpledatalogs-sdk.json").standardized
    let body = Data(request.body)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try body.write(to: file) }
    #expect(try Data(contentsOf: file) == body)
  }

  @Test func `what is not finite is left out, and the event goes`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let event = event(1, "e", ["a": .double(.nan), "b": 1, "session_id": "s"])
    #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.hasSuffix(#""props":{"b":1,"session_id":"s"}}"#))
    #expect(losses.byReason == [.propertyNotFinite: 1])
  }

  @Test func `changes to people and groups are not of this protocol`() {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    var event = event(1, .identify)
    event.userOperations = .set("plan", "pro")
    #expect(codec.encode(event, into: &buffer, losses: &losses) == .invalid)
    #expect(buffer.count == 0)
  }

  @Test func `the id and name of a stored event are found again`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    _ = codec.encode(events[2], into: &buffer, losses: &losses)
    let identity = try #require(codec.identity(of: buffer.bytes[...]))
    #expect(identity == ("0f0b7c9e-5a1d-4c2e-9d3f-000000000001", "step"))
  }
}
