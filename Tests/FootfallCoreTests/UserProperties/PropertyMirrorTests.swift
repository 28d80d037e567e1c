import FootfallCore
import Testing

@Suite struct `Property mirror` {
  @Test func `AMP I7: operations apply in their own order, not in that of the keys`() {
    var mirror = PropertyMirror()
    mirror.properties = ["foo": 1, "bar": 2]
    mirror.apply(
      userProperties: ["$clearAll": "-", "$set": ["foo": "bar"], "$unset": ["foo": "-"]]
    )
    #expect(mirror.properties == ["foo": "bar"])
  }

  @Test func `AMP I8: operations that only the server understands change nothing`() {
    var mirror = PropertyMirror()
    mirror.properties = ["x": 1]
    mirror.apply(
      .setOnce("x", 2).add("y", 1).append("z", 1).prepend("a", 1).preInsert("b", 1)
        .postInsert("c", 1).remove("d", 1)
    )
    mirror.apply(userProperties: ["$setOnce": ["x": 2], "$add": ["x": 2], "$remove": ["x": 1]])
    #expect(mirror.properties == ["x": 1])
  }

  @Test func `AMP I9: plain keys are set`() {
    var mirror = PropertyMirror()
    mirror.apply(userProperties: ["a": 1])
    #expect(mirror.properties == ["a": 1])
  }

  @Test func `setting, unsetting and clearing`() {
    var mirror = PropertyMirror()
    mirror.apply(.set("a", 1).set("b", 2))
    mirror.apply(.unset("a").set("c", 3))
    #expect(mirror.properties == ["b": 2, "c": 3])
    mirror.apply(.clearAll())
    #expect(mirror.properties.isEmpty)
  }
}
