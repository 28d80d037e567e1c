import FootfallCore
import Foundation
import Testing

@Suite struct `Event encoder` {
  static let id = EventID(milliseconds: 0x0197_a1b2_c3d4, counter: 1, random: 2)

  /// Encodes one event; returns its text, or the reason it was dropped, and the losses.
  func encode(
    _ name: EventName,
    _ properties: Properties = [:],
    details: EventDetails? = nil,
    identity: EventIdentity = EventIdentity(deviceID: "d"),
    limits: EventLimits = EventLimits()
  ) -> (text: String, dropped: DropReason?, losses: DropCounts) {
    var buffer = JSONBuffer(capacity: 64)
    var losses = DropCounts()
    let stamped = StampedEvent(
      name: name,
      properties: properties,
      id: Self.id,
      milliseconds: 1_764_581_400_123,
      moment: Moment(
        wallMilliseconds: 1_764_581_400_123,
        steadyMilliseconds: 0,
        awakeMilliseconds: 0
      ),
      details: details
    )
    let dropped = EventEncoder(limits: limits).encode(
      Event(stamped, sequence: 41, identity: identity),
      into: &buffer,
      losses: &losses
    )
    return (String(decoding: buffer.bytes, as: UTF8.self), dropped, losses)
  }

  @Test(arguments: [
    (EventLimits.pinpoint, "é", 200), (.pinpoint, "漢", 200), (.phase, "é", 256),
    (.phase, "😀", 128), (.amplitude, "😀", 1_024),
  ])
  func `a text within limits that count no bytes is written whole`(
    limits: EventLimits,
    character: String,
    most: Int
  ) {
    let text = String(repeating: character, count: most)
    let encoded = encode("a", ["t": .string(text)], limits: limits)
    #expect(encoded.text.contains("\"t\":\"\(text)\""))
    #expect(encoded.dropped == nil && encoded.losses.isEmpty)
  }

  @Test func `a longer one is cut once, at the limit's own count`() {
    let encoded = encode(
      "a",
      ["t": .string(String(repeating: "é", count: 201))],
      limits: .pinpoint
    )
    #expect(encoded.text.contains("\"\(String(repeating: "é", count: 200))\""))
    #expect(encoded.losses.byReason == [.textCut: 1])
  }

  @Test func `texts of operations keep the same limits`() {
    let text = String(repeating: "é", count: 200)
    let details = EventDetails(operations: .set("t", .string(text + "é")))
    let encoded = encode("a", details: details, limits: .pinpoint)
    #expect(encoded.text.contains("\"t\":\"\(text)\""))
    #expect(encoded.losses.byReason == [.textCut: 1])
  }

  @Test func `an event is written with everything it carries`() {
    let options = EventOptions(groups: ["orgId": ["15"], "b": ["x", "y"]])
    let encoded = encode(
      "Song Played",
      ["title": "Here Comes the Sun", "duration_s": 185, "genres": ["rock", "pop"]],
      details: EventDetails(options: options),
      identity: EventIdentity(deviceID: "dev", userID: "user-12345", isTest: true)
    )
    #expect(
      encoded.text == """
        {"device_id":"dev","user_id":"user-12345","test":true,\
        "id":"0197a1b2-c3d4-7001-8000-000000000002","seq":41,"ts":1764581400123,\
        "name":"Song Played","props":{"title":"Here Comes the Sun","duration_s":185,\
        "genres":["rock","pop"]},"groups":{"b":["x","y"],"orgId":["15"]}}
        """
    )
    #expect(encoded.losses.isEmpty)
  }

  @Test func `what an event says itself comes before what the client says`() {
    let options = EventOptions(
      id: "order-1",
      deviceID: "d2",
      userID: "u2",
      sessionID: .outside,
      isTest: false
    )
    let encoded = encode(
      "a",
      details: EventDetails(options: options),
      identity: EventIdentity(deviceID: "d", userID: "u", isTest: true)
    )
    #expect(
      encoded.text == """
        {"device_id":"d2","user_id":"u2","id":"order-1","seq":41,\
        "ts":1764581400123,"name":"a"}
        """
    )
  }

  @Test func `all ten operations are written under their names, in the order they apply`() {
    let operations =
      IdentifyOperations
      .remove("r", 1).postInsert("po", 2).preInsert("pr", 3).prepend("p", [4, 5]).append("a", 6)
      .add("n", -7).add("x", 0.5).setOnce("so", 7).set("s", true).unset("u").set("s", false)
    let encoded = encode(.identify, details: EventDetails(operations: operations))
    #expect(
      encoded.text.hasSuffix(
        """
        "name":"$identify","ops":{"$unset":{"u":"-"},"$set":{"s":true},"$setOnce":{"so":7},\
        "$add":{"n":-7,"x":0.5},"$append":{"a":6},"$prepend":{"p":[4,5]},"$preInsert":{"pr":3},\
        "$postInsert":{"po":2},"$remove":{"r":1}}}
        """
      )
    )
    let cleared = encode(.identify, details: EventDetails(operations: operations.clearAll()))
    #expect(cleared.text.hasSuffix("\"ops\":{\"$clearAll\":\"-\"}}"))
  }

  @Test func `every scalar survives a trip through another JSON reader`() throws {
    var texts = (0..<0x250).compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
    texts += ["\"quoted\" and \\ back", "tab\tnew\nline", "ünïcödé 🎸 家", "\u{7f}\u{2028}", ""]
    texts += (0..<40).map {
      String(repeating: "x", count: $0) + "\"" + String(repeating: "é", count: 40 - $0)
    }
    let properties = Properties(pairs: [("t", .array(texts.map(PropertyValue.string)))])
    let encoded = encode("a", properties)
    struct Decoded: Decodable {
      struct Props: Decodable { let t: [String] }
      let props: Props
    }
    let decoded = try JSONDecoder().decode(Decoded.self, from: Data(encoded.text.utf8))
    #expect(decoded.props.t == texts)
  }

  @Test(arguments: [
    (PropertyValue.integer(Int64.max), "9223372036854775807"),
    (.integer(Int64.min), "-9223372036854775808"), (0, "0"), (9, "9"), (10, "10"), (-99, "-99"),
    (1_000_000, "1000000"), (9.99, "9.99"), (.double(1e300), "1e+300"), (.double(-0.1), "-0.1"),
    (.double(.leastNonzeroMagnitude), "5e-324"), (.double(185), "185.0"), (true, "true"),
    (nil, "null"),
  ])
  func `numbers are written exactly`(value: PropertyValue, text: String) {
    #expect(encode("a", ["v": value]).text.hasSuffix("\"props\":{\"v\":\(text)}}"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a property that is no number is left out and counted, the event stays`(value: Double) {
    let encoded = encode("a", ["bad": .double(value), "b": 1, "list": [.double(value), 2]])
    #expect(encoded.text.hasSuffix("\"props\":{\"b\":1,\"list\":[2]}}"))
    #expect(encoded.losses[.propertyNotFinite] == 2)
    #expect(encoded.losses.events == 0)
  }

  @Test(arguments: [(255, false), (256, false), (257, true)])
  func `names over 256 characters are cut`(length: Int, isCut: Bool) {
    let encoded = encode(EventName(String(repeating: "é", count: length)))
    #expect(encoded.losses[.nameCut] == (isCut ? 1 : 0))
    let kept = String(repeating: "é", count: min(length, 256))
    #expect(encoded.text.contains("\"\(kept)\""))
  }

  @Test(arguments: [(8_192, false), (8_193, true)])
  func `texts over 8 KiB are cut between characters`(length: Int, isCut: Bool) {
    let text = String(repeating: "a", count: length - 2) + "é"
    let encoded = encode("a", ["t": .string(text)])
    #expect(encoded.losses[.textCut] == (isCut ? 1 : 0))
    let kept = isCut ? String(text.dropLast()) : text
    #expect(encoded.text.contains("\"t\":\"\(kept)\"}"))
  }

  @Test(arguments: [(256, 0), (257, 1), (300, 44)])
  func `properties over 256 are left out`(count: Int, lost: Int) {
    let properties = Properties(pairs: (0..<count).map { ("k\($0)", 1) })
    #expect(encode("a", properties).losses[.propertyOverLimit] == lost)
  }

  @Test(arguments: [(7, 0), (8, 1)])
  func `values nested deeper than 8 levels are left out`(nested: Int, lost: Int) {
    // The properties object itself is level 1.
    var value: PropertyValue = "leaf"
    for _ in 0..<nested { value = .object(["o": value]) }
    let encoded = encode("a", ["v": value])
    #expect(encoded.losses[.propertyTooDeep] == lost)
    #expect(encoded.text.contains("leaf") == (lost == 0))
  }

  @Test func `an event over 64 KiB is dropped and leaves nothing behind`() {
    let text = PropertyValue.string(String(repeating: "x", count: 8_000))
    let small = Properties(pairs: (0..<8).map { ("k\($0)", text) })
    #expect(encode("a", small).dropped == nil)
    let large = Properties(pairs: (0..<9).map { ("k\($0)", text) })
    let encoded = encode("a", large)
    #expect(encoded.dropped == .tooLarge)
    #expect(encoded.text.isEmpty)
  }

  @Test(arguments: [
    EventOptions(id: ""), EventOptions(id: String(repeating: "x", count: 129)),
    EventOptions(deviceID: ""), EventOptions(userID: String(repeating: "x", count: 129)),
  ])
  func `ids of impossible length drop the event as invalid`(options: EventOptions) {
    #expect(encode("a", details: EventDetails(options: options)).dropped == .invalid)
  }

  @Test func `an event without a name is invalid`() {
    #expect(encode("").dropped == .invalid)
  }
}
