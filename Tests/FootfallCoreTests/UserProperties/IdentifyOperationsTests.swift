import FootfallCore
import Testing

@Suite struct `Identify operations` {
  @Test func `AMP I2: a second operation on a property is left out`() {
    let operations = IdentifyOperations.set("p", 1).unset("p").add("n", 1)
    #expect(operations == .set("p", 1).add("n", 1))
    #expect(
      operations.warnings
        == ["Already used property p in previous operation, ignoring operation $unset"]
    )
  }

  @Test func `AMP I3: clearing forgets what was before it and refuses what comes after`() {
    let operations = IdentifyOperations.set("p", 1).set("p", 2).clearAll().set("q", 2).clearAll()
    #expect(operations == .clearAll())
    #expect(
      operations.warnings == [
        "Already used property p in previous operation, ignoring operation $set",
        "This Identify already contains a $clearAll operation, ignoring operation $set",
      ]
    )
  }

  @Test func `AMP I4: a property needs a name and an operation a value`() {
    let operations = IdentifyOperations.set("", 1).append("p", nil)
    #expect(operations.isEmpty)
    #expect(
      operations.warnings == [
        "Attempting to perform operation $set with a null or empty string property, ignoring",
        "Attempting to perform operation $append with null value for property p, ignoring",
      ]
    )
  }

  /// Each case is wrong in all the ways that come after the one it is refused for.
  @Test(arguments: [
    (IdentifyOperations.clearAll().set("", nil), "null or empty string property"),
    (IdentifyOperations.clearAll().set("p", nil), "null value for property p"),
    (IdentifyOperations.set("p", 1).clearAll().set("p", 2), "already contains a $clearAll"),
  ])
  func `of several reasons the first is told`(operations: IdentifyOperations, words: String) {
    #expect(operations.warnings.count == 1)
    #expect(operations.warnings.allSatisfy { $0.contains(words) })
  }

  @Test func `what is refused takes no property's turn`() {
    let operations = IdentifyOperations.set("p", nil).set("p", 2).set("p", 3)
    #expect(operations == .set("p", 2))
    #expect(operations.warnings.count == 2)
  }

  @Test func `what was written by hand is kept as it is and understood by name`() {
    let written: Properties = ["$unset": ["b": "-"], "a": 1, "$set": ["b": 2], "$add": 3]
    let operations = IdentifyOperations(asWritten: written)
    #expect(operations.written == written && !operations.isEmpty)
    #expect(operations.byOperation.map(\.operation) == [.unset, .set])
    #expect(operations.byOperation.last?.entries.map(\.key) == ["a", "b"])
    #expect(operations.warnings.isEmpty)
    #expect(IdentifyOperations(asWritten: [:]).isEmpty)
    #expect(!IdentifyOperations(asWritten: ["$set": [:]]).isEmpty)
    #expect(operations.add("n", 1).entries.count == 4)
  }

  @Test func `what is set from elsewhere keeps its nulls`() {
    let operations = IdentifyOperations(setting: ["a": nil, "b": 1])
    #expect(operations.entries.map(\.value) == [nil, 1])
    #expect(operations.warnings.isEmpty)
  }
}
