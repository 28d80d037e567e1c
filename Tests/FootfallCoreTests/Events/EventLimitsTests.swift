import FootfallCore
import Foundation
import Testing

@Suite struct `Limits of the documented protocols` {
  static let nested: Properties = ["list": [1], "n": 1]

  static func text(_ length: Int, _ unit: String = "a") -> PropertyValue {
    .string(String(repeating: unit, count: length))
  }

  static func key(_ length: Int) -> Properties {
    Properties([String(repeating: "k", count: length): 1])
  }

  static func many(_ count: Int) -> Properties {
    Properties(Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", 1) }))
  }

  // The tables of `phase.md` 3.1 and 3.2.
  @Test(
    arguments: [
      ("login", [:], true), ("", [:], false), ("a-Z_0./ ", [:], true), ("café", [:], false),
      ("login\n", [:], false), ("a", ["s": text(256)], true), ("a", ["s": text(257)], false),
      ("a", ["s": text(23, "👨‍👩‍👧‍👦")], true), ("a", ["s": text(24, "👨‍👩‍👧‍👦")], false), ("a", key(32), true),
      ("a", key(33), false), ("a", many(32), true), ("a", many(33), false),
      ("a", nested, false), ("a", ["o": [:]], false), ("a", ["n": nil, "b": true], true),
      ("a", ["x": .double(.nan)], false), ("a", ["x": .double(.infinity)], false),
    ] as [(String, Properties, Bool)]
  )
  func `Phase keeps an event whole or drops it`(name: String, properties: Properties, isKept: Bool)
  {
    let result = fit(EventName(name), properties, .phase)
    #expect(result.dropped == (isKept ? nil : .invalid))
    #expect(result.losses.isEmpty)
    if isKept {
      #expect(result.properties == properties)
      #expect(result.name.text == name)
    }
  }

  @Test(arguments: [(256, true), (257, false)])
  func `Phase's names have up to 256 characters`(length: Int, isKept: Bool) {
    let name = EventName(String(repeating: "n", count: length))
    #expect((fit(name, [:], .phase).dropped == nil) == isKept)
  }

  @Test func `Phase leaves bad properties of a device out`() {
    let properties: Properties = ["o": [1], "nan": .double(.nan), "plan": "pro"]
    let long = Self.key(129).merging(properties)
    let result = fit("a", long, .phaseDevice)
    #expect(result.dropped == nil)
    #expect(result.properties == ["plan": "pro"])
    #expect(result.losses[.propertyTooDeep] == 1)
    #expect(result.losses[.propertyNotFinite] == 1)
    #expect(result.losses[.propertyOverLimit] == 1)
  }

  // AWS A5
  @Test func `Pinpoint keeps 40 properties, keys of 50 and texts of 200`() {
    #expect(fit("a", Self.many(45), .pinpoint).properties.count == 40)
    #expect(fit("a", Self.many(45), .pinpoint).losses[.propertyOverLimit] == 5)
    let key = fit("a", Self.key(60), .pinpoint)
    #expect(key.properties == Self.key(50))
    #expect(key.losses[.textCut] == 1)
    let text = fit("a", ["t": Self.text(250), "nan": .double(.nan), "list": [1]], .pinpoint)
    #expect(text.properties == ["t": Self.text(200)])
    #expect(text.losses[.propertyNotFinite] == 1)
    let name = fit(EventName(String(repeating: "n", count: 51)), [:], .pinpoint)
    #expect(name.name.text.count == 50)
    #expect(name.losses[.nameCut] == 1)
  }

  @Test func `Amplitude cuts texts at 1,024 characters, at every depth`() {
    let result = fit("a", ["t": Self.text(1_025), "l": [["t": Self.text(2_000, "é")]]], .amplitude)
    #expect(result.properties == ["t": Self.text(1_024), "l": [["t": Self.text(1_024, "é")]]])
    #expect(result.losses[.textCut] == 2)
    var deep: PropertyValue = 1
    for _ in 0..<41 { deep = [deep] }
    #expect(fit("a", ["d": deep], .amplitude).losses[.propertyTooDeep] == 1)
  }

  @Test func `SimpleDataLogs' events are limited only in bytes`() {
    let properties = Self.many(2_000).merging(Self.key(2_000)).merging(["t": Self.text(100_000)])
    let result = fit("a", properties, .simpleDataLogs)
    #expect(result.properties == properties)
    #expect(result.losses.isEmpty)
    #expect(encode("a", ["t": Self.text(300_000)], .simpleDataLogs).dropped == .tooLarge)
    #expect(encode("a", ["t": Self.text(240_000)], .simpleDataLogs).dropped == nil)
  }

  @Test func `an encoder with other kinds of limits applies them`() {
    #expect(encode("café", [:], .phase).dropped == .invalid)
    #expect(encode("a", Self.nested, .phase).text.isEmpty)
    let cut = encode("a", Self.key(60), .pinpoint)
    #expect(cut.text.contains("\"\(String(repeating: "k", count: 50))\":1"))
    #expect(cut.losses[.textCut] == 1)
  }

  @Test(arguments: [(4, true), (5, false)])
  func `properties over their bytes drop the event`(length: Int, isKept: Bool) {
    #expect(EventLimits.phase.propertiesBytes == 8_192)
    var limits = EventLimits.phase
    limits.propertiesBytes = 12
    let result = encode("a", ["k": Self.text(length)], limits)
    #expect(result.dropped == (isKept ? nil : .tooLarge))
    #expect(result.text.isEmpty == !isKept)
  }

  @Test func `fitting and encoding agree on Footfall's own limits`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      var limits = EventLimits()
      limits.properties = Int.random(in: 1...6, using: &random)
      limits.depth = Int.random(in: 1...4, using: &random)
      limits.key.most = 3
      limits.text.most = 5
      let properties = Self.random(levels: 4, using: &random)
      let fitted = fit("a", properties, limits)
      let direct = encode("a", properties, limits)
      let text = direct.text.replacingOccurrences(of: ",\"props\":{}}", with: "}")
      #expect(encode("a", fitted.properties, EventLimits()).text == text)
      #expect(fitted.losses == direct.losses)
    }
  }

  private static func random(levels: Int, using random: inout SeededRandom) -> Properties {
    var properties: Properties = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let key = String(repeating: "ké", count: Int.random(in: 1...2, using: &random))
      let suffix = "\(Int.random(in: 0...9, using: &random))"
      let start = key.prefix(Int.random(in: 1...4, using: &random))
      properties["\(start)\(suffix)"] = value(levels, &random)
    }
    return properties
  }

  private static func value(_ levels: Int, _ random: inout SeededRandom) -> PropertyValue {
    switch Int.random(in: 0...(levels > 0 ? 6 : 4), using: &random) {
    case 0: .integer(Int64.random(in: -9...9, using: &random))
    case 1: .double(.nan)
    case 2: .boolean(true)
    case 3: text(Int.random(in: 0...5, using: &random), "é")
    case 4: .null
    case 5: .array([value(levels - 1, &random), value(levels - 1, &random)])
    default: .object(self.random(levels: levels - 1, using: &random))
    }
  }

  // MARK: Subjects

  private func event(_ name: EventName, _ properties: Properties) -> Event {
    Event(name, properties, identifier: .own("i"), milliseconds: 0)
  }

  private func fit(
    _ name: EventName,
    _ properties: Properties,
    _ limits: EventLimits
  ) -> (name: EventName, properties: Properties, dropped: DropReason?, losses: DropCounts) {
    var event = event(name, properties)
    var losses = DropCounts()
    let dropped = limits.fit(&event, losses: &losses)
    return (event.name, event.properties, dropped, losses)
  }

  private func encode(
    _ name: EventName,
    _ properties: Properties,
    _ limits: EventLimits
  ) -> (text: String, dropped: DropReason?, losses: DropCounts) {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let dropped = EventEncoder(limits: limits).encode(
      event(name, properties),
      into: &buffer,
      losses: &losses
    )
    return (String(decoding: buffer.bytes, as: UTF8.self), dropped, losses)
  }
}
