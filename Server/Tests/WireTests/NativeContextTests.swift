import EventRecord
import Testing

@testable import Wire

@Suite struct `What a native event says beside its client` {
  private func decode(_ members: String) throws -> Decoded {
    try Decoded.native(#"[{"id":"a","name":"n","ts":\#(t0)\#(members)}]"#)
  }

  @Test(arguments: [
    (#","context":{"app":"4.1.0","os":null}"#, #"{"app":"4.1.0","os":null}"#),
    (#","context":{"app":"1","app":"2"}"#, #"{"app":"2"}"#),
    (#","app":"1","context":{"app":"2"},"colour":"red""#, #"{"app":"2","colour":"red"}"#),
    (#","context":{"app":"2"},"app":"1""#, #"{"app":"1"}"#),
    (#","context":{ "plan" : {"version": [1, 2]} }"#, #"{"plan":{"version":[1,2]}}"#),
    (#","context":{"a\u0070p":"2"},"app":null"#, ""),
    (#","context":{}"#, ""), (#","context":null"#, ""),
    (#","context":"west""#, #"{"context":"west"}"#),
    (#","c\u006fntext":{"ip":null}"#, #"{"ip":null}"#),
  ])
  func `its context is kept, null included`(members: String, context: String) throws {
    let decoded = try decode(members)
    #expect(decoded.events.map(\.context) == [context])
    #expect(decoded.acceptance?.rejections == [:])
  }

  /// Where the request came from goes into the client's description, which holds for all its events, unless
  /// the client says itself where it is.
  @Test(arguments: [
    (#"{"events":[EVENT]}"#, #"{"country":"DE","city":"Munich"}"#),
    ("[EVENT]", #"{"country":"DE","city":"Munich"}"#),
    ("EVENT", #"{"country":"DE","city":"Munich"}"#),
    (#"{"client":{"app":"1"},"events":[EVENT]}"#, #"{"app":"1","country":"DE","city":"Munich"}"#),
    (#"{"events":[EVENT],"client":{"app":"1"}}"#, #"{"app":"1","country":"DE","city":"Munich"}"#),
    (#"{"client":{},"events":[EVENT]}"#, #"{"country":"DE","city":"Munich"}"#),
    (#"{"client":{"country":"PL"},"events":[EVENT]}"#, #"{"country":"PL"}"#),
    (#"{"client":{"region":"x"},"events":[EVENT]}"#, #"{"region":"x"}"#),
  ])
  func `the place of a request is the client's`(body: String, client: String) throws {
    let body = body.replacing("EVENT", with: #"{"id":"a","name":"n","ts":\#(t0)}"#)
    for (address, expected) in [("203.0.113.7", client), ("", nil), ("198.51.100.1", nil)] {
      let places = WirePlaces(remoteAddress: address) {
        $0 == "203.0.113.7" ? WirePlace(country: "DE", city: "Munich") : nil
      }
      let record = try #require(
        try Decoded.native(Array(body.utf8), places: places).acceptance?.record
      )
      let found = try record.withUnsafeBytes {
        String(decoding: try RecordReader($0).context, as: UTF8.self)
      }
      if let expected { #expect(found == expected) } else { #expect(!found.contains("Munich")) }
    }
  }

  @Test func `a context over the limits refuses the event`() throws {
    let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
    let decoded = try decode(#","context":{"deep":\#(deep)}"#)
    #expect(decoded.acceptance?.rejections == [.tooDeep: 1])
    let many = (0...256).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(try decode(#","context":{\#(many)}"#).acceptance?.rejections == [.tooManyProperties: 1])
  }

  @Test(arguments: [
    (
      #""$groupidentify""#, EventRecord.Kind.groupIdentify, #"{"$set":{"g":1}}"#,
      #"{"ops":{"$set":{"p":1}}}"#
    ),
    (#""$identify""#, .identify, #"{"$set":{"p":1}}"#, #"{"group_ops":{"$set":{"g":1}}}"#),
    (#""Bought""#, .event, #"{"$set":{"p":1}}"#, #"{"group_ops":{"$set":{"g":1}}}"#),
    ("null", .identify, #"{"$set":{"p":1}}"#, #"{"group_ops":{"$set":{"g":1}}}"#),
  ])
  func `operations are those of the event's kind, and the others are kept too`(
    name: String,
    kind: EventRecord.Kind,
    operations: String,
    context: String
  ) throws {
    let decoded = try Decoded.native(
      #"[{"id":"a","ts":\#(t0),"group_ops":{"$set":{"g":1}},"ops":{"$set":{"p":1}},"name":\#(name)}]"#
    )
    let event = try #require(decoded.events.first)
    #expect(event.kind == kind)
    #expect(event.operations == operations)
    #expect(event.context == context)
  }

  @Test func `operations on a group alone name the event`() throws {
    let decoded = try Decoded.native(
      #"[{"id":"a","ts":\#(t0),"groups":{"orgId":"15"},"group_ops":{"$set":{"seats":250}}}]"#
    )
    let event = try #require(decoded.events.first)
    #expect(event.name == "$groupidentify")
    #expect(event.kind == .groupIdentify)
    #expect(event.operations == #"{"$set":{"seats":250}}"#)
    #expect(event.context.isEmpty)
    let wrong = try decode(#","group_ops":[1]"#)
    #expect(wrong.acceptance?.rejections == [.invalidField: 1])
  }

  @Test(arguments: [
    (#""5e55104e""#, "5e55104e"), ("1764581000000", "1764581000000"), ("-1", ""), (#""-1""#, ""),
    ("null", ""), ("-2", "-2"),
  ])
  func `a session is a number or a text, and -1 is none`(sent: String, kept: String) throws {
    let decoded = try Decoded.native(
      #"{"client":{"session_id":"s"},"events":[{"id":"a","name":"n","ts":\#(t0),"session_id":\#(sent)}]}"#
    )
    #expect(decoded.events.map(\.sessionID) == [kept])
  }
}
