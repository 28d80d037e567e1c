import EventRecord
import Testing

@testable import Wire

@Suite struct `Members of Pinpoint's events in any order` {
  private static let session =
    #""Session":{"Id":"s-1","StartTimestamp":"2025-12-01T09:30:00.000Z"}"#
  private static let head = #""EventType":"e","Timestamp":"2025-12-01T09:30:00.123Z""#

  /// Events as clients and others write them; each says what is special about it.
  private static let events = [
    #"{\#(head),"Attributes":{"a":"1"},"Metrics":{"m":2},\#(session)}"#,
    #"{\#(session),"Metrics":{"m":2},"Attributes":{"a":"1"},\#(head)}"#,
    // The same session once more, and one that differs in its blanks, its order, its id.
    #"{\#(head),\#(session),"Attributes":{"a":"1"}}"#,
    #"{\#(head),"Session" : { "Id":"s-1" , "StartTimestamp":"2025-12-01T09:30:00.000Z" }}"#,
    #"{\#(head),"Session":{"StartTimestamp":"2025-12-01T09:30:00.000Z","Id":"s-1"}}"#,
    #"{\#(head),"Session":{"Id":"s-2","StartTimestamp":"2025-12-01T09:30:00.000Z"}}"#,
    #"{\#(head),"Session":{"Id":"s-2","StartTimestamp":"2025-12-01T09:30:00.000Z"}}"#,
    // Sessions that are kept otherwise than they were written, or say less.
    #"{\#(head),"Session":{"Id":"s\u002d3"}}"#, #"{\#(head),"Session":{"Id":"s\u002d3"}}"#,
    #"{\#(head),"Session":{"Id":"x","Id":"s-4"}}"#, #"{\#(head),"Session":{"Id":"x","Id":"s-4"}}"#,
    #"{\#(head),"Session":{"Id":"s-5","n":"\u0000"}}"#,
    #"{\#(head),"Session":{"Id":"s-5","n":"\u0000"}}"#,
    #"{\#(head),"Session":{"Duration":1}}"#, #"{\#(head),"Session":{"Duration":1}}"#,
    #"{\#(head),"Session":{"Id":null}}"#, #"{\#(head),"Session":null}"#,
    #"{\#(head),"Session":"s"}"#, #"{\#(head),"Session":[{"Id":"s-6"}]}"#,
    #"{\#(head),"Session":{"Id":7}}"#,
    // The same member twice: the last one counts.
    #"{\#(head),"Session":{"Id":"s-7"},"Session":{"Duration":1}}"#,
    #"{\#(head),"Session":{"Id":"s-7"},"Session":{"Id":"s-8"}}"#,
    #"{\#(head),\#(session),"AppTitle":"t",\#(session)}"#,
    #"{\#(head),"Attributes":{"a":1},"Attributes":{"b":"2"}}"#,
    #"{\#(head),"Attributes":{"a":"1"},"Metrics":{"a":2},"Attributes":{"b":"2"},"Metrics":{"c":3}}"#,
    #"{\#(head),"Attributes":{"a":"1"},"Attributes":null,"Metrics":{"m":1}}"#,
    #"{\#(head),"AppTitle":"t","App\u0054itle" : "u","AppPackageName":"p","AppTitle":"v"}"#,
    #"{\#(head),"SdkName":"n\"\\","ClientSdkVersion":"1.2.3-beta.4 \"x\"","SdkName":"a long name"}"#,
    // A name written with escapes is another member.
    #"{\#(head),"Attribut\u0065s":{"a":"1"},"Sess\u0069on":{"Id":"s"}}"#,
    // What is wrong is said of one event, and the ones behind it are read as ever.
    #""no object""#, #"{\#(head),"Attributes":[]}"#, #"{\#(head),"Metrics":"m"}"#, "null", "[1]",
    #"{\#(head),"Session":{"Id":"\#(String(repeating: "i", count: 1_025))"}}"#,
    #"{\#(head),"deep":[[[[[[[[[1]]]]]]]]],\#(session)}"#,
    #"{\#(head),\#(session)}"#,
  ]

  private static func body(_ events: [(id: Int, json: String)]) -> [UInt8] {
    let members = events.map { #""ev\#($0.id)":\#($0.json)"# }.joined(separator: ",")
    return Array(#"{"BatchItem":{"e":{"Endpoint":{},"Events":{\#(members)}}}}"#.utf8)
  }

  @Test func `an event is kept as if it had come alone, whatever stands before it`() throws {
    let all = Self.events.enumerated().map { (id: $0, json: $1) }
    var alone: [EventRecord] = []
    var statuses: [Substring] = []
    for event in all {
      let decoded = try Decoded.pinpoint(Self.body([event]))
      alone += decoded.events.filter { $0.kind == .event }
      statuses.append(try Self.statuses(decoded.answer))
    }
    for order in [all, all.reversed()] {
      let decoded = try Decoded.pinpoint(Self.body(order))
      let kept = decoded.events.filter { $0.kind == .event }
      let expected = order.map(\.id).compactMap { id in alone.first { $0.id == "ev\(id)" } }
      #expect(kept.map(\.id) == expected.map(\.id))
      for (event, expected) in zip(kept, expected) {
        var event = event
        event.sequence = expected.sequence
        #expect(event == expected)
      }
      #expect(
        try Self.statuses(decoded.answer)
          == order.map { String(statuses[$0.id]) }.joined(separator: ",")
      )
    }
    // All but those that are wrong.
    #expect(alone.count == Self.events.count - 7)
  }

  /// What an answer says of its events.
  private static func statuses(_ answer: String) throws -> Substring {
    let start = try #require(answer.firstRange(of: #""EventsItemResponse":{"#)).upperBound
    return answer[start...].dropLast(4)
  }

  @Test(
    arguments: [
      (0, "s-1", #"{"a":"1","m":2}"#), (1, "s-1", #"{"a":"1","m":2}"#), (2, "s-1", #"{"a":"1"}"#),
      (3, "s-1", ""), (6, "s-2", ""), (8, "s-3", ""), (10, "s-4", ""), (12, "s-5", ""),
      (14, "", ""), (15, "", ""), (20, "s-7", ""), (21, "s-8", ""), (22, "s-1", ""),
      (23, "", #"{"b":"2"}"#), (24, "", #"{"b":"2","c":3}"#), (25, "", #"{"m":1}"#), (28, "", ""),
    ] as [(Int, String, String)]
  )
  func `session and properties are what the event says last`(
    place: Int,
    session: String,
    properties: String
  ) throws {
    let decoded = try Decoded.pinpoint(Self.body([(place, Self.events[place])]))
    let event = try #require(decoded.events.last)
    #expect(event.sessionID == session)
    #expect(event.properties == properties)
  }

  @Test func `a session that is known is kept as it was written`() throws {
    let events = [Self.events[0], Self.events[2]].enumerated().map { (id: $0, json: $1) }
    let kept = try Decoded.pinpoint(Self.body(events)).events.filter { $0.kind == .event }
    #expect(kept.count == 2)
    #expect(kept.allSatisfy { $0.sessionID == "s-1" && $0.context.contains(Self.session) })
  }

  @Test func `an event is as deep in the check as it is`() throws {
    func body(_ levels: Int) -> [UInt8] {
      let (open, close) = (
        String(repeating: "[", count: levels), String(repeating: "]", count: levels)
      )
      return Self.body([(0, #"{\#(Self.head),"x":\#(open)1\#(close)}"#)])
    }
    // With the event and its number there are as many levels as the scanner follows.
    #expect(try Decoded.pinpoint(body(JSONScanner.maxDepth - 2)).status == 202)
    #expect(try Decoded.pinpoint(body(JSONScanner.maxDepth - 1)).status == 400)
  }
}
