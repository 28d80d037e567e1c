import FootfallCore
import FootfallOutbox
import Testing

@Suite struct `Bytes of a whole event` {
  static let full = Event(
    "$identify",
    ["b": 1, "a": ["list": [1.5, nil, true, "x"], "o": ["deep": [:]]], "n": .double(.infinity)],
    identifier: .made(EventID(milliseconds: 1_764_581_400_123, counter: 7, random: 99)),
    milliseconds: 1_764_581_400_123,
    isBackDated: true,
    sequence: 42,
    deviceID: "device",
    userID: "Zoë",
    sessionID: .number(-1),
    groups: ["org": ["a", "b"], "sport": ["chess"]],
    userOperations: IdentifyOperations(setting: ["plan": "pro", "nothing": nil]).add("n", 1)
      .unset("x"),
    groupOperations: .clearAll(),
    context: EventContext([.platform: "iOS", .latitude: 48.2]),
    isTest: true
  )

  @Test func `everything but the callback comes back, in its order`() throws {
    let event = Self.full
    let read = try #require(Event(bytes: event.bytes))
    #expect(read.bytes == event.bytes)
    #expect(read.name == event.name && read.id == event.id && read.sequence == 42)
    #expect(read.identifier == event.identifier)
    #expect(read.properties.map(\.key) == ["b", "a", "n"] && read.properties == event.properties)
    #expect(read.milliseconds == event.milliseconds && read.isBackDated && read.isTest)
    #expect(read.deviceID == "device" && read.userID == "Zoë" && read.sessionID == .number(-1))
    #expect(read.groups == event.groups && read.context == event.context)
    #expect(read.userOperations == event.userOperations)
    #expect(read.groupOperations == event.groupOperations)
  }

  @Test(arguments: [31, 40, 100])
  func `a value as deep as any preset takes comes back whole`(depth: Int) throws {
    let value = (0..<depth).reduce(PropertyValue.string("deep")) { inner, _ in ["k": inner] }
    let event = Event("a", ["v": value], identifier: .own("mine"), milliseconds: 0)
    #expect(try #require(Event(bytes: event.bytes)).properties == event.properties)
  }

  @Test func `what was written by hand comes back as it was`() throws {
    var event = Event("$identify", identifier: .own("mine"), milliseconds: 0)
    event.userOperations = IdentifyOperations(asWritten: ["$set": [:], "plain": 1])
    event.groupOperations = IdentifyOperations(asWritten: ["$unset": ["a": "-"]])
    let read = try #require(Event(bytes: event.bytes))
    #expect(read.bytes == event.bytes)
    #expect(read.userOperations?.written == ["$set": [:], "plain": 1])
    #expect(read.groupOperations?.written == ["$unset": ["a": "-"]])
  }

  @Test func `what is missing stays missing`() throws {
    var event = Event("a", identifier: .own("mine"), milliseconds: -5)
    event.sessionID = .text("")
    let read = try #require(Event(bytes: event.bytes))
    #expect(read.bytes == event.bytes && read.id == "mine" && read.sessionID == .text(""))
    #expect(read.deviceID == nil && read.userID == nil && read.userOperations == nil)
    #expect(read.groupOperations == nil && read.groups.isEmpty && read.context.isEmpty)
  }

  @Test func `a part of it is nothing, whatever the length`() {
    let bytes = Self.full.bytes
    for length in bytes.indices {
      guard let read = Event(bytes: Array(bytes[..<length])) else { continue }
      // Cut between two fields: what is required is there.
      #expect(read.id == Self.full.id && read.sequence == 42, "length \(length)")
    }
    #expect(Event(bytes: []) == nil)
    #expect(Event(bytes: [1]) == nil)
  }

  @Test func `any byte may be wrong, and nothing traps`() {
    let bytes = Self.full.bytes
    for place in bytes.indices {
      for flip: UInt8 in [1, 0x80, 0xff] {
        var damaged = bytes
        damaged[place] ^= flip
        _ = Event(bytes: damaged)?.bytes
      }
    }
  }

  @Test func `a later version's fields are passed over, its versions are not read`() throws {
    var later = Self.full.bytes + [200, 2, 0, 0, 0, 1, 2]
    #expect(Event(bytes: later)?.bytes == Self.full.bytes)
    later[0] = 2
    #expect(Event(bytes: later) == nil)
  }

  @Test func `what lies too deep to be sent is not kept`() throws {
    var value: PropertyValue = 1
    for _ in 0..<1_000 { value = .array([value]) }
    let event = Event("a", ["v": value], identifier: .own("x"), milliseconds: 0)
    #expect(try #require(Event(bytes: event.bytes)).bytes == event.bytes)
  }
}
