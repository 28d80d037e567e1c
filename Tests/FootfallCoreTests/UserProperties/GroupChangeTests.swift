import FootfallCore
import Testing

@Suite struct `Group changes` {
  @Test func `one group is text in both places`() throws {
    let change = try #require(GroupChange.assigning(["15"], ofType: "orgId"))
    #expect(change.name == .identify)
    #expect(change.groups == ["orgId": ["15"]])
    #expect(change.operations == .set("orgId", "15"))
    #expect(IdentifyKind(change.operations, hasGroups: !change.groups.isEmpty) == .ordinary)
  }

  @Test func `several groups are a list in both places`() throws {
    let change = try #require(GroupChange.assigning(["tennis", "soccer"], ofType: "sport"))
    #expect(change.groups == ["sport": ["tennis", "soccer"]])
    #expect(change.operations == .set("sport", ["tennis", "soccer"]))
    #expect(GroupChange.value(of: ["tennis"]) == "tennis")
  }

  @Test func `a group's own properties`() throws {
    let operations = IdentifyOperations.set("plan", "enterprise").set("seats", 250)
    let change = try #require(GroupChange.changing("15", ofType: "orgId", operations))
    #expect(change.name == .groupIdentify)
    #expect(change.groups == ["orgId": ["15"]])
    #expect(change.operations == operations)
  }

  @Test func `a change that says nothing is none`() {
    #expect(GroupChange.assigning([], ofType: "orgId") == nil)
    #expect(GroupChange.assigning(["15"], ofType: "") == nil)
    #expect(GroupChange.changing("15", ofType: "orgId", IdentifyOperations()) == nil)
  }
}
