import FootfallCore
import Testing

@Suite struct `Property lists` {
  @Test func `literals become the values they look like`() {
    let properties: Properties = [
      "title": "Here Comes the Sun", "duration_s": 185, "price": 0.5, "live": false, "gift": nil,
      "genres": ["rock", "pop"], "venue": ["city": "London"],
    ]
    #expect(properties["title"] == .string("Here Comes the Sun"))
    #expect(properties["duration_s"] == .integer(185 as Int64))
    #expect(properties["price"] == .double(0.5))
    #expect(properties["live"] == .boolean(false))
    #expect(properties["gift"] == .null)
    #expect(properties["genres"] == .array([.string("rock"), .string("pop")]))
    #expect(properties["venue"] == .object(["city": "London"]))
    #expect(properties["absent"] == nil)
  }

  @Test(arguments: [3, 40])
  func `a key given twice keeps its place and its last value instead of trapping`(keys: Int) {
    var pairs = (0..<keys).map { ("k\($0)", PropertyValue.integer($0)) }
    pairs.append(("k1", "last"))
    let properties = Properties(pairs: pairs)
    #expect(properties.count == keys)
    #expect(properties[1] == ("k1", "last"))
  }

  @Test func `the order written is kept, and does not matter for equality`() {
    let one: Properties = ["b": 1, "a": 2]
    let other: Properties = ["a": 2, "b": 1]
    #expect(one.map(\.key) == ["b", "a"])
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != ["a": 2, "b": 2])
  }

  @Test func `assigning replaces, adds and removes`() {
    var properties: Properties = ["a": 1]
    properties["a"] = 2
    properties["b"] = 3
    properties["a"] = nil as PropertyValue?
    #expect(properties == ["b": 3])
    #expect(properties.merging(["b": 4, "c": 5]) == ["b": 4, "c": 5])
  }
}
