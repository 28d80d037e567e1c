import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: what is sent` {
  let world = PhaseWorld()

  @Test func `an identify is a device, a session start a session, then come events`() async throws {
    let client = await world.started()
    client.sdk.track("purchase_completed", params: ["amount": 99.99, "currency": "USD"])
    client.sdk.track("plain")
    await client.sdk.identify(["plan": "pro", "tags": ["a", "b"]])
    await client.flush()
    let request = try #require(world.transport.requests.first)
    #expect(request.url == "https://api.phase.sh/sdk/batch")
    #expect(request.headers.contains { $0 == ("Authorization", "Bearer phase_test") })
    let items = world.items
    #expect(items.map(\.type) == ["device", "session", "event", "event"])
    #expect(items.map(\.order) == [0, 1, 2, 3])
    #expect(items[0].inner == ["plan": "pro", "app_version": "4.2.0"])
    #expect(items[0].payload["platform"] == "ios" && items[0].payload["locale"] == "en-GB")
    #expect(items[1].payload["deviceId"] == items[0].id)
    #expect(items[2].payload["sessionId"] == items[1].id)
    #expect(items[2].inner == ["amount": "99.99", "currency": "USD"])
    #expect(!items[3].keys.contains("params"))
    #expect(
      items[2].keys.isSuperset(of: ["eventId", "sessionId", "name", "isScreen", "timestamp"])
    )
  }

  @Test func `without device info and locale the device is only an id`() throws {
    var codec = PhaseCodec(key: "phase_test")
    codec.sendsDeviceInfo = false
    codec.sendsLocale = false
    let event = Event(
      .identify,
      identifier: .own("i"),
      milliseconds: 0,
      deviceID: "01JZ",
      userOperations: IdentifyOperations(),
      context: [.locale: "en_GB", .platform: "iOS", .appVersion: "1"]
    )
    var buffer = JSONBuffer()
    var losses = DropCounts()
    #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.hasSuffix(#""payload":{"deviceId":"01JZ","disableGeolocation":true}}"#))
  }

  @Test("PHA-23 every name of the table is sent in its form")
  func screenNames() throws {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Fixtures/wire/phase/screens.tsv").standardized
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 31)
    for row in rows {
      let name = row[0].replacingOccurrences(of: "\\n", with: "\n")
        .replacingOccurrences(of: "\\u0301", with: "\u{301}")
      #expect(PhaseScreenName.wireName(name) == row[1])
    }
  }

  @Test func `a ULID has the bits of the event's id`() {
    let id = EventID(milliseconds: 0x0123_4567_89ab, counter: 0xabc, random: 0x1234_5678_9abc_def0)
    let text = ULID.text(high: id.high, low: id.low)
    #expect(ULID.isValid(text))
    #expect(ULID.milliseconds(of: text) == 0x0123_4567_89ab)
    #expect(ULID.text(high: .max, low: .max) == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
    #expect(ULID.text(high: 0, low: 33) == "00000000000000000000000011")
    #expect(ULID.text(high: 1, low: 0) == "0000000000000G000000000000")
  }
}
