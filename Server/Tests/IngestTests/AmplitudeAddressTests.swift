import EventRecord
import EventStore
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

/// The address and the place of a person, as Amplitude's clients ask for them to be recorded.
@Suite(.timeLimit(.minutes(5))) struct `Addresses for Amplitude` {
  private func context(
    _ members: String,
    peer: String,
    keeps: Bool = true,
    place: (@Sendable (String) -> WirePlace?)? = nil
  ) async throws -> String? {
    var settings = IngestSettings()
    settings.keepsAddresses = keeps
    let fixture = try IngestFixture(settings: settings, place: place)
    defer { fixture.log.close() }
    var limits = HTTPServer.Limits()
    limits.trustedProxies = ["10.0.0.1"].compactMap(AddressRange.init)
    var client = TestClient(fixture.router, limits: limits)
    client.peer = peer
    let answer = await client.post(
      "/2/httpapi",
      headers: [Header("X-Forwarded-For", "198.51.100.1, 203.0.113.7")],
      text: `Collecting for Amplitude`.body([`Collecting for Amplitude`.event("i", members)])
    )
    #expect(answer.status == 200)
    return try fixture.logged().first?.context
  }

  @Test(
    "AMP-V15 the request's own address is recorded, by a proxy's header only where that is trusted",
    arguments: [("10.0.0.1", "203.0.113.7"), ("192.0.2.9", "192.0.2.9")]
  )
  func remote(peer: String, recorded: String) async throws {
    let found = try await context(#","ip":"$remote""#, peer: peer)
    #expect(found == #"{"ip":"\#(recorded)"}"#)
  }

  @Test(arguments: [
    (#","ip":"203.0.113.9","carrier":"C""#, #"{"ip":"203.0.113.9","carrier":"C"}"#),
    (#","carrier":"C""#, #"{"carrier":"C"}"#), (#","ip":null"#, ""),
  ])
  func `an address of the client's own is recorded as sent, and none without`(
    members: String,
    recorded: String
  ) async throws {
    #expect(try await context(members, peer: "10.0.0.1") == recorded)
  }

  @Test(arguments: [#","ip":"$remote""#, #","ip":"203.0.113.9""#])
  func `no address is recorded unless the operator asks for it`(members: String) async throws {
    #expect(try await context(members, peer: "10.0.0.1", keeps: false) == "")
  }

  @Test(arguments: [
    (#","ip":"$remote""#, #"{"country":"DE","region":"Bavaria","city":"Munich"}"#),
    (#","city":null,"ip":"203.0.113.9","country":null"#, #"{"country":"FR"}"#),
    (#","ip":"198.51.100.1""#, ""), ("", ""), (#","ip":null"#, ""), (#","ip":7"#, ""),
    // What the client says itself holds, whole.
    (#","ip":"$remote","dma":"D""#, #"{"dma":"D"}"#),
    (#","country":"Poland","ip":"$remote""#, #"{"country":"Poland"}"#),
  ])
  func `the place of an event is that of its address, which is not kept`(
    members: String,
    recorded: String
  ) async throws {
    let found = try await context(members, peer: "10.0.0.1", keeps: false) { address in
      [
        "203.0.113.7": WirePlace(country: "DE", region: "Bavaria", city: "Munich"),
        "203.0.113.9": WirePlace(country: "FR"),
      ][address]
    }
    #expect(found == recorded)
  }

  @Test("AMP-V27 an event has the place and the device it came with, and nothing of earlier ones")
  func groupsOfFields() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let all =
      #","country":"Poland","region":"Mazovia","city":"Warsaw","dma":"D","platform":"iOS","os_name":"ios","os_version":"19.1","device_brand":"Apple","device_manufacturer":"Apple","device_model":"iPhone17,2","carrier":"C""#
    let events = [all, #","country":"Spain""#, #","platform":"Web""#].enumerated().map {
      `Collecting for Amplitude`.event("insert-\($0)", #","user_id":"user-1"\#($1)"#)
    }
    for event in events {
      let body = `Collecting for Amplitude`.body([event])
      #expect(await TestClient(fixture.router).post("/2/httpapi", text: body).status == 200)
    }
    #expect(
      try fixture.stored().events.map(\.context)
        == ["{" + all.dropFirst() + "}", #"{"country":"Spain"}"#, #"{"platform":"Web"}"#]
    )
  }
}
