import FootfallCore
import FootfallPlatform
import Foundation
import Testing

@testable import FootfallEngine

/// The request that the server's tests decode: `Fixtures/wire/native/sdk.json`.
@Suite struct `What the SDK sends` {
  private let codec = NativeCodec(
    url: "",
    key: "",
    common: [
      .library: "footfall-swift/1.0.0", .platform: "iOS", .os: "iOS 19.1", .model: "iPhone17,2",
      .appVersion: "4.2.0", .build: "881", .locale: "en_GB", .language: "en", .country: "GB",
      .timeZone: "Europe/London", .manufacturer: "Apple",
    ],
    gzip: .none
  )

  private func event(
    _ number: Int64,
    _ name: EventName,
    _ properties: Properties = [:],
    _ own: EventContext = [:]
  ) -> Event {
    let id = EventID(milliseconds: 0x0197_d9c4_0000, counter: UInt64(number), random: 7)
    return Event(
      name,
      properties,
      identifier: .made(id),
      milliseconds: 1_764_581_400_000 + number,
      sequence: number,
      deviceID: "d0000000-0000-4000-8000-000000000001",
      userID: "user-12345",
      sessionID: 1_764_581_000_000,
      context: own.filled(from: codec.common)
    )
  }

  private var events: [Event] {
    var values = event(
      1,
      "Song Played",
      [
        "title": "Here Comes the \"Sun\"", "exact": 9_007_199_254_740_993, "price": 12.34,
        "live": true, "nothing": nil, "nested": [[["a": ["b": 1]]]],
        "at": PropertyValue(Date(timeIntervalSince1970: 1_764_581_400.123)),
      ]
    )
    values.groups = ["orgId": ["15"]]
    var stated = event(2, "Opened", [:], [.appVersion: "4.1.0", .os: nil, .plan: ["version": 3]])
    stated.identifier = .own("order-17")
    stated.sessionID = "5e55104e-0000-4000-8000-000000000001"
    var outside = event(3, "Pushed")
    outside.sessionID = .outside
    outside.isTest = true
    var person = event(4, .identify)
    person.userOperations = .set("plan", "pro").add("logins", 1)
    var group = event(5, .groupIdentify)
    group.groups = ["orgId": ["15"]]
    group.groupOperations = .set("seats", 250).unset("trial")
    return [values, stated, outside, person, group]
  }

  @Test func `the bytes are those that the server is tested with`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    for event in events {
      if buffer.count > 0 { buffer.append(",\n") }
      #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    }
    #expect(losses.isEmpty)
    losses.count(.backlogFull, 12)
    let content = BatchContent(
      events: buffer.bytes[...],
      count: events.count,
      commonContent: codec.commonContent
    )
    let attempt = AttemptInfo(sentAtMilliseconds: 1_764_581_401_000, losses: losses)
    let body = Data(codec.request(content, attempt: attempt).body)
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent("../../Fixtures/wire/native/sdk.json")
      .standardized
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try body.write(to: file) }
    #expect(try Data(contentsOf: file) == body)
  }
}
