import Catalog
import EventRecord
import FootfallSystem
import FootfallTesting
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

/// What becomes of events whose names their project refuses.
@Suite struct `A blocked name` {
  private static let names = BlockedNames(["Song Played", "$identify"])

  private func fixture() throws -> IngestFixture {
    try IngestFixture(blocked: { $0 == 7 ? Self.names : nil })
  }

  private func rejected(_ fixture: IngestFixture) -> Double? {
    let family = fixture.routes.metrics.families.first {
      $0.name == "footfall_events_rejected_total"
    }
    return family?.samples.first { $0.labels.contains { $0.1 == "blocked" } }?.value
  }

  @Test func `is refused by name, its neighbours are taken, and it is counted`() async throws {
    let fixture = try fixture()
    let body = """
      {"events":[{"id":"1","name":"Song Played","ts":1764581400123},
      {"id":"2","name":"Song played","ts":1764581400123},
      {"id":"3","name":"$identify","ts":1764581400123,"ops":{"$set":{"a":1}}}]}
      """
    let response = await fixture.client.post("/v1/events", text: body)
    #expect(response.status == 202)
    #expect(response.text.contains(#"{"index":0,"id":"1","reason":"blocked"}"#))
    #expect(response.text.contains(#""accepted":2"#))
    // What only sets properties is no event, whatever its name.
    #expect(try fixture.logged().map(\.id) == ["2", "3"])
    #expect(rejected(fixture) == 1)
  }

  @Test func `of which there is nothing else leaves nothing in the log`() async throws {
    let fixture = try fixture()
    let response = await fixture.client.post("/v1/events", body: IngestFixture.body("1", "2"))
    #expect(response.status == 202)
    #expect(try fixture.logged().isEmpty)
    #expect(rejected(fixture) == 2)
  }

  @Test func `from an Amplitude client is answered for but not kept`() async throws {
    let fixture = try fixture()
    let body = """
      {"api_key":"amplitude-key","events":[
      {"event_type":"Song Played","device_id":"device-1","time":1764581400123,"insert_id":"1"},
      {"event_type":"Other","device_id":"device-1","time":1764581400123,"insert_id":"2"}]}
      """
    let response = await fixture.client.post("/2/httpapi", text: body)
    #expect(response.status == 200)
    #expect(try fixture.logged().map(\.name) == ["Other"])
    #expect(rejected(fixture) == 1)
  }

  @Test func `of one project is another's like any other`() async throws {
    let fixture = try fixture()
    let body = """
      {"api_key":"other-amplitude-key","events":[
      {"event_type":"Song Played","device_id":"device-1","time":1764581400123,"insert_id":"1"}]}
      """
    #expect(await fixture.client.post("/2/httpapi", text: body).status == 200)
    #expect(try fixture.logged().map(\.name) == ["Song Played"])
  }
}
