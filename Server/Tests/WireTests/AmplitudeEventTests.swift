import EventRecord
import Testing

@testable import Wire

@Suite struct `Fields of an Amplitude event` {
  @Test func `addresses are never kept`() throws {
    let event = try Self.event(#""ip":"203.0.113.7","country":"Poland""#)
    #expect(event.context == #"{"country":"Poland"}"#)
    #expect(try Self.event(#""ip":"$remote""#).context == "")
    #expect(try Self.event(#""\u0069p":"203.0.113.7""#).context == "")
  }

  @Test(arguments: [
    (
      #"{"$set":{"a":1},"$add":{"b":2},"$unset":{"c":"-"}}"#,
      #"{"$set":{"a":1},"$add":{"b":2},"$unset":{"c":"-"}}"#
    ),
    (#"{"plan":"pro", "theme":"dark"}"#, #"{"$set":{"plan":"pro","theme":"dark"}}"#),
    (#"{"plan":"pro","$add":{"b":2}}"#, #"{"$add":{"b":2},"$set":{"plan":"pro"}}"#),
    (
      #"{"a":1,"b":2,"$set":{"b":3,"c":4},"$append":{"l":"x"}}"#,
      #"{"$append":{"l":"x"},"$set":{"a":1,"b":3,"c":4}}"#
    ),
    (#"{"a":1,"$set":{}}"#, #"{"$set":{"a":1}}"#),
    (#"{"$clearAll":"-"}"#, #"{"$clearAll":"-"}"#),
    ("{}", ""), ("null", ""),
  ])
  func `user properties become operations`(properties: String, operations: String) throws {
    let event = try Self.event(#""user_properties":\#(properties)"#)
    #expect(event.kind == .event)
    #expect(event.operations == operations)
    let identify = try Self.event(
      #""user_properties":\#(properties),"event_type":"$identify""#
    )
    #expect(identify.kind == .identify)
    #expect(identify.operations == operations)
  }

  @Test func `a group identify needs no id and operates on the group`() throws {
    let decoded = try Decoded.amplitude(
      events: #"""
        [{"event_type":"$groupidentify","groups":{"orgId":"15"},"group_properties":{"$set":{"plan":"enterprise"}},
          "user_properties":{"x":1}}]
        """#
    )
    let event = try #require(decoded.events.first)
    #expect(event.kind == .groupIdentify)
    #expect(event.groups == #"{"orgId":"15"}"#)
    #expect(event.operations == #"{"$set":{"plan":"enterprise"}}"#)
    #expect(event.context == #"{"user_properties":{"x":1}}"#)
  }

  @Test func `group properties of another event are kept beside it`() throws {
    let event = try Self.event(#""group_properties":{"a":1}"#)
    #expect(event.operations == "")
    #expect(event.context == #"{"group_properties":{"a":1}}"#)
  }

  @Test(arguments: [
    ("-1", "", ""), ("1764581400000", "1764581400000", ""), (#""s-1""#, "s-1", ""),
    ("null", "", ""), ("1.5", "", #"{"session_id":1.5}"#),
  ])
  func `a session is an id, and -1 is none`(
    value: String,
    sessionID: String,
    context: String
  ) throws {
    let event = try Self.event(#""session_id":\#(value)"#)
    #expect(event.sessionID == sessionID)
    #expect(event.context == context)
  }

  @Test(arguments: [("42", 42, ""), ("null", 0, ""), (#""x""#, 0, #"{"event_id":"x"}"#)])
  func `the event id orders events`(value: String, sequence: Int64, context: String) throws {
    let event = try Self.event(#""event_id":\#(value)"#)
    #expect(event.sequence == sequence)
    #expect(event.context == context)
  }

  @Test(arguments: ["os_name", "carrier", "a_key_that_is_longer_than_most", "\u{e4}", ""])
  func `null takes back what the same event said before`(key: String) throws {
    #expect(try Self.event(#""\#(key)":"x","\#(key)":null,"b":1"#).context == #"{"b":1}"#)
    #expect(try Self.event(#""\#(key)":null,"\#(key)":"x""#).context == #"{"\#(key)":"x"}"#)
  }

  @Test func `null under another spelling of a key takes back the same`() throws {
    #expect(try Self.event(#""c\u0061rrier":"x","carrier":null,"b":1"#).context == #"{"b":1}"#)
    #expect(try Self.event(#""carrier":"x","c\u0061rrier":null,"b":1"#).context == #"{"b":1}"#)
  }

  @Test func `events of two devices by turns have their own keys`() throws {
    let (one, two) = (#""device_id":"device-1""#, #""device_id":"device-2""#)
    let events = [one, two, one, #""device_id":"device\u002d1""#].map { device in
      #"{"event_type":"e","insert_id":"same",\#(device)}"#
    }
    let decoded = try Decoded.amplitude(events: "[" + events.joined(separator: ",") + "]")
    #expect(
      decoded.events.map(\.key) == [
        .amplitude(project: 7, deviceID: "device-1", insertID: "same"),
        .amplitude(project: 7, deviceID: "device-2", insertID: "same"),
      ]
    )
  }

  @Test func `long texts are cut silently`() throws {
    let long = String(repeating: "é", count: 1025)
    let event = try Self.event(
      #""event_properties":{"a":"\#(long)","b":["\#(long)"]},"event_type":"\#(long)""#
    )
    let cut = String(repeating: "é", count: 1024)
    #expect(event.properties == #"{"a":"\#(cut)","b":["\#(cut)"]}"#)
    #expect(event.name == cut)
  }

  @Test(arguments: [
    (#""event_properties":[]"#, "event_properties"), (#""user_properties":"x""#, "user_properties"),
    (#""user_properties":{"$set":1}"#, "user_properties"), (#""groups":"org""#, "groups"),
    (#""time":1764581400000.5"#, "time"), (#""time":-1"#, "time"),
    (#""time":253402300800000"#, "time"), (#""event_type":5"#, "event_type"),
    (#""event_properties":{"a":1e999}"#, "event_properties"),
    (
      #""event_properties":\#(String(repeating: #"{"a":"#, count: 41))1\#(String(repeating: "}", count: 41))"#,
      "event_properties"
    ),
    (#""device_id":true"#, "device_id"), (#""insert_id":[]"#, "insert_id"),
    (#""colo\u0075r":1e999"#, "colour"),
    (#""user_id":"\#(String(repeating: "x", count: 1025))""#, "user_id"),
  ])
  func `a field that cannot be kept is named`(member: String, field: String) throws {
    let decoded = try Decoded.amplitude(
      events:
        #"[{"event_type":"e","device_id":"device-1"},{"event_type":"e","device_id":"device-1",\#(member)}]"#
    )
    #expect(
      decoded.answer
        == #"{"code":400,"error":"Invalid field values on some events","events_with_invalid_fields":{"\#(field)":[1]}}"#
    )
  }

  @Test func `an element that is no object is named`() throws {
    let decoded = try Decoded.amplitude(events: "[7]")
    #expect(
      decoded.answer
        == #"{"code":400,"error":"Invalid event JSON","events_with_missing_fields":{"event_type":[0]}}"#
    )
  }

  @Test func `forty levels are kept`() throws {
    let nested =
      String(repeating: #"{"a":"#, count: 39) + "{}" + String(repeating: "}", count: 39)
    #expect(try Self.event(#""event_properties":\#(nested)"#).properties == nested)
  }

  @Test func `a time far ahead is kept and flagged`() throws {
    let event = try Self.event(#""time":\#(t0 + 86_400_001)"#)
    #expect(event.timestampMs == t0 + 86_400_001)
    #expect(event.flags.contains(.timeInFuture))
  }

  private static func event(_ members: String) throws -> EventRecord {
    let decoded = try Decoded.amplitude(
      events: #"[{"event_type":"e","device_id":"device-1",\#(members)}]"#
    )
    return try #require(decoded.events.first, "\(decoded.answer)")
  }
}
