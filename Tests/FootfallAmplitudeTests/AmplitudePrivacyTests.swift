import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: what is said of app and device` {
  let day = AmplitudeDay()
  /// The fields of the context that a phone's events have.
  private static let fields: Set = [
    "version_name", "os_name", "os_version", "device_manufacturer", "device_model", "carrier",
    "language", "platform", "ip", "idfv", "library",
  ]
  private static let own: Set = [
    "event_type", "insert_id", "device_id", "session_id", "event_id", "time",
  ]

  private static func rules(
    _ withheld: Set<ContextField>,
    forChildren: Bool = false
  )
    -> PipelineRules
  {
    .amplitude(announcesSessions: false, protectsChildren: forChildren, withheld: withheld)
  }

  private func context(_ event: AmplitudeSent) -> Set<String> {
    Set(event.keys).subtracting(Self.own)
  }

  @Test func `AMP-P9: opted out, nothing is stored, and the log says so`() async throws {
    await day.start { $0.isEnabled = false }
    await day.track("a")
    day.engine.track(.identify, [:], nil, .set("a", 1))
    day.engine.track(try #require(GroupChange.assigning(["15"], ofType: "orgId")), nil)
    day.engine.track("revenue_amount", ["$price": 3.99], nil)
    await day.engine.settle()
    #expect(day.engine.diagnostics.stored == 0)
    #expect(day.engine.diagnostics.dropped.byReason == [.optedOut: 4])
    #expect(try await day.events().isEmpty)
    #expect(day.lines(.info).contains("Skip event based on opt out configuration"))
    #expect(day.lines(.warning).isEmpty && day.lines(.error).isEmpty)
  }

  @Test func `AMP-P12: what is switched off is absent, and the country comes from the locale`()
    async throws
  {
    await day.start(Self.rules([.carrier, .ip, .language]))
    let event = try await day.plain()
    #expect(event["carrier"] == nil && event["ip"] == nil && event["language"] == nil)
    #expect(event["country"] == "GB")
  }

  @Test func `AMP-P13: the server is asked for address and country`() async throws {
    await day.start()
    let event = try await day.plain()
    #expect(event["ip"] == "$remote" && event["country"] == nil)
  }

  @Test func `AMP-P14: of children neither vendor's id nor address, but the locale's country`()
    async throws
  {
    await day.start(Self.rules([], forChildren: true))
    let event = try await day.plain()
    #expect(event["idfv"] == nil && event["ip"] == nil && event["country"] == "GB")
  }

  @Test func `AMP-P15: what one client does for children is not done by another`() async throws {
    let other = AmplitudeDay(files: day.files)
    await day.start(Self.rules([], forChildren: true))
    await other.start { $0.main.folder = "/other" }
    #expect(try await day.plain()["idfv"] == nil)
    let event = try await other.plain()
    #expect(event["idfv"] == "VENDOR-1" && event["ip"] == "$remote")
  }

  @Test func `AMP-P26: the advertiser's id is nobody's but a plugin's`() async throws {
    await day.start()
    #expect(try await day.plain()["idfa"] == nil)
    await day.change(.addPlugin(AdvertisingPlugin()))
    #expect(try await day.plain()["idfa"] == "I")
  }

  @Test func `AMP-P27: every event says what is known of app and device`() async throws {
    await day.start(.amplitude(), .foreground)
    await day.track()
    let expected = [
      "version_name": "4.2.0", "os_name": "ios", "os_version": "19.1",
      "device_manufacturer": "Apple", "device_model": "iPhone17,2", "carrier": "C",
      "language": "en", "platform": "iOS", "ip": "$remote", "idfv": "VENDOR-1",
      "library": "footfall-swift/0.0.0",
    ]
    let events = try await day.events()
    #expect(events.map(\.name) == ["session_start", "e"])
    for event in events {
      #expect(context(event) == Self.fields)
      for (field, value) in expected { #expect(event[field] == value, "\(field)") }
    }
  }

  @Test func `a tablet is a phone's system, and Linux is named as such`() async throws {
    day.device.withLock { ($0.platform, $0.osName) = ("iPadOS", "iPadOS") }
    await day.start()
    var event = try await day.plain()
    #expect(event["platform"] == "iOS" && event["os_name"] == "ios")
    day.end()
    day.device.withLock { ($0.platform, $0.osName) = ("Linux", "Debian GNU/Linux") }
    await day.start()
    event = try await day.plain()
    #expect(event["platform"] == "Linux" && event["os_name"] == "linux")
  }

  @Test(
    arguments: [
      (.appVersion, "version_name"), (.osName, "os_name"), (.osVersion, "os_version"),
      (.manufacturer, "device_manufacturer"), (.model, "device_model"), (.carrier, "carrier"),
      (.ip, "ip"), (.vendorID, "idfv"), (.language, "language"), (.platform, "platform"),
    ] as [(ContextField, String)]
  )
  func `AMP-P28: one switch takes one field`(switched: ContextField, field: String) async throws {
    await day.start(Self.rules([switched])) { $0.deviceID = "device-1" }
    var expected = Self.fields.subtracting([field])
    // Without an address the country is the locale's: AMP-P12.
    if field == "ip" { expected.insert("country") }
    #expect(context(try await day.plain()) == expected)
  }

  @Test func `AMP-P29: neither address nor country`() async throws {
    await day.start(Self.rules([.ip, .country]))
    let event = try await day.plain()
    #expect(event["ip"] == nil && event["country"] == nil)
  }

  @Test(arguments: [ContextField.city, .marketArea, .region])
  func `AMP-P30: a place is only said by the event, switched off or not`(
    field: ContextField
  ) async throws {
    var seen: [Set<String>] = []
    for rules in [Self.rules([]), Self.rules([field])] {
      let day = AmplitudeDay()
      await day.start(rules) { $0.deviceID = "device-1" }
      seen.append(context(try await day.plain()))
      await day.track("own", [:], FootfallCore.EventOptions(context: [field: "X"]))
      #expect(try await day.last()[field.rawValue] == "X")
    }
    #expect(seen == [Self.fields, Self.fields])
  }

  @Test func `AMP-P35: what is stored leaves as it was`() async throws {
    day.answer = .fail(.offline(""))
    await day.start()
    await day.track("old")
    _ = await day.engine.flush()
    day.end()
    day.answer = AmplitudeWorld.ok
    await day.start(Self.rules([.carrier]))
    await day.track("new")
    let events = try await day.events()
    #expect(events.map(\.name) == ["old", "new"])
    #expect(events.map { $0["carrier"] } == ["C", nil])
  }

  @Test(arguments: [("iOS", "C", "C"), ("iOS", nil, "Unknown"), ("macOS", nil, "Unknown")])
  func `AMP-P36: a carrier that nobody tells is unknown`(
    platform: String,
    carrier: String?,
    sent: String
  ) async throws {
    day.device.withLock { ($0.platform, $0.carrier) = (platform, carrier) }
    await day.start()
    #expect(try await day.plain()["carrier"] == sent)
  }

  @Test func `AMP-P17: the shortest id goes along with each request`() async throws {
    await day.start(minIDLength: 1)
    day.engine.setIdentity(.setUser("ab"))
    #expect(try await day.plain()["user_id"] == "ab")
    let body = try #require(day.script.requests.last?.body)
    let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    let options = try #require(object?["options"] as? [String: Any])
    #expect(options["min_id_length"] as? Int == 1 && options.count == 1)
  }

  @Test func `what changes on the way is on the events after it`() async throws {
    await day.start(Self.rules([.ip]), .foreground)
    await day.track("before")
    day.device.withLock { ($0.language, $0.country) = ("sv", "SE") }
    await day.announce(.background, at: 1_000)
    await day.announce(.foreground, at: 2_000)
    await day.track("after")
    let events = try await day.events()
    #expect(events.map { $0["language"] } == ["en", "sv"])
    #expect(events.map { $0["country"] } == ["GB", "SE"])
  }
}

/// Says the advertiser's id on every event.
private final class AdvertisingPlugin: FootfallCore.Plugin {
  let stage = PluginStage.enrichment

  func process(_ event: Event) -> Event? {
    var event = event
    event.context[.advertisingID] = "I"
    return event
  }
}
