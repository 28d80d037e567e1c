import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: groups` {
  let app = AmplitudeApp()

  @Test func `AMP-G1: a group is set in both places, at once`() async throws {
    app.client.setGroup("orgId", "15")
    // Would overtake it if it were held.
    app.client.identifyGroup("orgId", "15", .set("seats", 1))
    #expect(try await app.names() == ["$identify", "$groupidentify"])
    let event = try await app.event("$identify")
    #expect(event["groups"] == #"{"orgId":"15"}"#)
    #expect(event["user_properties"] == #"{"$set":{"orgId":"15"}}"#)
  }

  @Test func `AMP-G4: a group's own properties`() async throws {
    app.client.identifyGroup("orgId", "15", .set("plan", "enterprise").set("seats", 250))
    let event = try await app.event("$groupidentify")
    #expect(event["groups"] == #"{"orgId":"15"}"#)
    #expect(event["group_properties"] == #"{"$set":{"plan":"enterprise","seats":250}}"#)
    #expect(event["user_properties"] == nil)
  }

  @Test(
    arguments: [
      ("$set", .set("p", "v")), ("$setOnce", .setOnce("p", "v")), ("$add", .add("p", 2)),
      ("$append", .append("p", ["v", "w"])), ("$prepend", .prepend("p", "v")),
      ("$preInsert", .preInsert("p", "v")), ("$postInsert", .postInsert("p", "v")),
      ("$remove", .remove("p", "v")), ("$unset", .unset("p")), ("$clearAll", .clearAll()),
    ] as [(String, IdentifyOperations)]
  )
  func `AMP-G5: each operation is written for a group as for a person`(
    name: String,
    operations: IdentifyOperations
  ) async throws {
    app.client.identify(operations)
    app.client.identifyGroup("orgId", "15", operations)
    let person = try await app.event("$identify")["user_properties"]
    let group = try await app.event("$groupidentify")["group_properties"]
    #expect(group == person)
    #expect(group?.hasPrefix("{\"\(name)\":") == true)
    #expect(app.lines.isEmpty)
  }

  @Test(
    arguments: [
      (
        .set("p", 1).unset("p"), #"{"$set":{"p":1}}"#,
        "Already used property p in previous operation, ignoring operation $unset"
      ),
      (
        .set("p", 1).clearAll().set("q", 2), #"{"$clearAll":"-"}"#,
        "This Identify already contains a $clearAll operation, ignoring operation $set"
      ),
      (
        .set("", 1), nil,
        "Attempting to perform operation $set with a null or empty string property, ignoring"
      ),
      (
        .set("p", nil), nil,
        "Attempting to perform operation $set with null value for property p, ignoring"
      ),
    ] as [(IdentifyOperations, String?, String)]
  )
  func `AMP-G5: what is refused for a person is refused for a group, with the same words`(
    operations: IdentifyOperations,
    sent: String?,
    warning: String
  ) async throws {
    app.client.identifyGroup("orgId", "15", operations)
    let events = try await app.sent()
    #expect(events.map { $0["group_properties"] } == (sent == nil ? [] : [sent]))
    #expect(app.lines(.warning) == [warning])
  }
}
