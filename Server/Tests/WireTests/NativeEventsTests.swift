import EventRecord
import Testing

@testable import Wire

@Suite struct `Native events` {
  static let body = #"""
    {"client":{"library":"footfall-swift/1.0.0","platform":"iOS","dropped":{"tooLarge":3},"ring":[1, 2]},
     "events":[
      {"id":"0197-A","seq":41,"name":"Song Played","ts":1764581400123,"device_id":"d-1","user_id":"user-12345",
       "session_id":1764581000000,"props":{"title":"Here Comes the Sun", "duration_s":185,"genres":["rock","pop"]},
       "groups":{"orgId":["15"]}},
      {"id":"0197-B","seq":42,"name":"$identify","ts":1764581400200,"device_id":"d-1",
       "ops":{"$set":{"plan":"pro"},"$add":{"logins":1}}, "colour":"red", "test":true}]}
    """#

  @Test func `the example of the wire format arrives field by field`() throws {
    let decoded = try Decoded.native(Self.body)
    #expect(decoded.status == 202)
    #expect(decoded.answer == #"{"accepted":2,"duplicates":0,"rejected":[]}"#)
    #expect(decoded.header == RecordHeader(source: .native, project: 7, receivedAtMs: t0))
    #expect(
      decoded.client == #"{"library":"footfall-swift/1.0.0","platform":"iOS","ring":[1,2]}"#
    )
    #expect(decoded.acceptance?.clientDropped == ["tooLarge": 3])
    #expect(
      decoded.events == [
        EventRecord(
          key: .native(project: 7, id: "0197-a"),
          timestampMs: 1_764_581_400_123,
          sequence: 41,
          id: "0197-A",
          name: "Song Played",
          deviceID: "d-1",
          userID: "user-12345",
          sessionID: "1764581000000",
          properties:
            #"{"title":"Here Comes the Sun","duration_s":185,"genres":["rock","pop"]}"#,
          groups: #"{"orgId":["15"]}"#
        ),
        EventRecord(
          key: .native(project: 7, id: "0197-b"),
          kind: .identify,
          flags: .test,
          timestampMs: 1_764_581_400_200,
          sequence: 42,
          id: "0197-B",
          name: "$identify",
          deviceID: "d-1",
          operations: #"{"$set":{"plan":"pro"},"$add":{"logins":1}}"#,
          context: #"{"colour":"red"}"#
        ),
      ]
    )
  }

  @Test func `the example of SimpleDataLogs arrives with its own spellings`() throws {
    let decoded = try Decoded.native(
      #"""
      {"events":[
        {"event_id":"0f0b7c9e","name":"export_finished","ts":"2025-12-01T09:29:59.123Z","device_id":"anon-1",
         "props":{"format":"png","duration_ms":412,"is_pro":true,"session_id":"S-\u0031","app_state":"active"}}]}
      """#
    )
    let event = try #require(decoded.events.first)
    #expect(event.id == "0f0b7c9e")
    #expect(event.timestampMs == t0 - 877)
    #expect(event.sessionID == "S-1")
    #expect(
      event.properties
        == #"{"format":"png","duration_ms":412,"is_pro":true,"session_id":"S-\u0031","app_state":"active"}"#
    )
  }

  static let one = #"{"id":"a","event":"n","ts":1764581400,"properties":{"x":1}}"#

  @Test(arguments: [
    ("an envelope", #"{"events":[\#(one)]}"#, "application/json"),
    ("an envelope with a byte-order mark", "\u{feff}{\"events\":[\(one)]}", nil),
    ("a bare list", " [ \(one) ] ", "application/json; charset=utf-8"),
    ("a bare list as text", "[\(one)]", "text/plain;charset=UTF-8"),
    ("a single event", one, nil),
    ("a single line", one + "\n", "application/x-ndjson"),
    ("lines without saying so", one + "\n", "application/json"),
  ])
  func `every form of body holds the same event`(
    form: String,
    body: String,
    contentType: String?
  ) throws {
    let decoded = try Decoded.native(body, contentType: contentType)
    #expect(decoded.answer == #"{"accepted":1,"duplicates":0,"rejected":[]}"#)
    #expect(
      decoded.events == [
        EventRecord(
          key: .native(project: 7, id: "a"),
          timestampMs: t0,
          id: "a",
          name: "n",
          properties: #"{"x":1}"#
        )
      ]
    )
  }

  @Test func `lines are events in their order`() throws {
    let decoded = try Decoded.native(
      (0..<3).map { #"{"id":"\#($0)","name":"n","ts":\#(t0)}"# }.joined(separator: "\r\n"),
      contentType: "application/x-ndjson"
    )
    #expect(decoded.events.map(\.sequence) == [0, 1, 2])
    #expect(decoded.events.map(\.id) == ["0", "1", "2"])
  }

  @Test func `a repeat within the request is counted and left out`() throws {
    let decoded = try Decoded.native(
      #"""
      [{"id":"AB","name":"first","ts":1764581400123},{"id":"ab","name":"second","ts":1764581400123},
       {"event_id":"c","name":"third","ts":1764581400123}]
      """#
    )
    #expect(decoded.answer == #"{"accepted":2,"duplicates":1,"rejected":[]}"#)
    #expect(decoded.events.map(\.name) == ["first", "third"])
  }

  @Test func `a refused event is named in the spelling it came in, and the others stay`() throws {
    let decoded = try Decoded.native(
      #"""
      [{"id":"a\u000a","ts":1764581400123},{"event_id":"b","ts":1764581400123},{"id":5,"ts":1764581400123},
       {"name":"n","ts":1764581400123},7,{"id":"ok","name":"n","ts":1764581400123}]
      """#
    )
    #expect(
      decoded.answer
        == #"{"accepted":1,"duplicates":0,"rejected":[{"index":0,"id":"a\u000a","reason":"missing_name"},"#
        + #"{"index":1,"event_id":"b","reason":"missing_name"},{"index":2,"id":5,"reason":"missing_name"},"#
        + #"{"index":3,"reason":"missing_id"},{"index":4,"reason":"not_an_object"}]}"#
    )
    #expect(
      decoded.acceptance?.rejections == [.missingName: 3, .missingID: 1, .notAnObject: 1]
    )
    #expect(decoded.events.map(\.sequence) == [5])
  }

  @Test func `a batch with one event of eleven years ago keeps the other two (SDL-89)`() throws {
    let old = t0 - 11 * 365 * 86_400_000
    let decoded = try Decoded.native(
      #"""
      {"events":[{"event_id":"a","name":"n","ts":\#(t0)},{"event_id":"b","name":"n","ts":\#(old)},
       {"event_id":"c","name":"n","ts":\#(t0)}]}
      """#
    )
    #expect(decoded.status == 202)
    #expect(
      decoded.answer
        == #"{"accepted":2,"duplicates":0,"rejected":[{"index":1,"event_id":"b","reason":"ts_out_of_range"}]}"#
    )
    #expect(decoded.events.map(\.id) == ["a", "c"])
  }

  @Test(
    "SDL-113: times up to 3,653 days back are kept, older ones are ts_out_of_range",
    arguments: [(3650, true), (3653, true), (3654, false)]
  )
  func backDating(days: Int64, isKept: Bool) throws {
    let decoded = try Decoded.native(
      #"[{"event_id":"a","name":"n","ts":\#(t0 - days * 86_400_000)}]"#
    )
    #expect(decoded.events.count == (isKept ? 1 : 0))
    #expect(decoded.acceptance?.rejections == (isKept ? [:] : [.timestampOutOfRange: 1]))
  }

  @Test(
    "SDL-91: another content type or an unreadable body is 415, never 400",
    arguments: [
      ("text/csv", "[]"), ("application/x-www-form-urlencoded", "[]"), ("application/json", ""),
      ("application/json", " \n"), ("application/json", "{"), ("application/json", "hello"),
      ("application/json", "7"), ("application/json", #""[]""#), ("application/json", "[1,]"),
      ("application/json", #"{"events":{}}"#), ("application/json", #"{"events":[]} x"#),
      ("application/json", "[{\"id\":\"\u{1}\"}]"), ("application/x-ndjson", "{}\n{"),
      ("application/json", String(repeating: "[", count: 100_000)),
    ]
  )
  func unreadable(contentType: String, body: String) throws {
    let decoded = try Decoded.native(body, contentType: contentType)
    #expect(decoded.status == 415)
    #expect(decoded.answer.hasPrefix(#"{"code":415,"error":"#))
  }

  @Test func `bytes that are not UTF-8 make a body unreadable`() throws {
    for bad: [UInt8] in [
      [0xff], [0x80], [0xc3], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80],
    ] {
      let body = Array(#"[{"id":"a","name":""#.utf8) + bad + Array(#"","ts":1764581400123}]"#.utf8)
      #expect(try Decoded.native(body).status == 415, "\(bad)")
    }
  }

  @Test func `an empty list is accepted and leaves nothing to log`() throws {
    let decoded = try Decoded.native("[]")
    #expect(decoded.answer == #"{"accepted":0,"duplicates":0,"rejected":[]}"#)
    #expect(decoded.acceptance?.record == [])
  }

  @Test(arguments: [(1000, 202), (1001, 413)])
  func `a request holds up to 1,000 events`(count: Int, status: Int) throws {
    let body = (0..<count).map { #"{"id":"\#($0)","name":"n","ts":\#(t0)}"# }
    let decoded = try Decoded.native("[" + body.joined(separator: ",") + "]")
    #expect(decoded.status == status)
    #expect(decoded.events.count == (status == 202 ? count : 0))
  }

  @Test func `a client that stands behind the events holds for them too`() throws {
    let decoded = try Decoded.native(
      #"""
      {"events":[{"id":"a","name":"n","ts":1764581400123},{"id":"b","name":"n","ts":1764581400123,"user_id":null}],
       "client":{"device_id":"d\u002d1","user_id":"u","session_id":5,"app":"4.2","test":true}}
      """#
    )
    #expect(decoded.client == #"{"app":"4.2"}"#)
    #expect(decoded.events.map(\.deviceID) == ["d-1", "d-1"])
    #expect(decoded.events.map(\.userID) == ["u", ""])
    #expect(decoded.events.map(\.sessionID) == ["5", "5"])
    #expect(decoded.events.map(\.isTest) == [true, true])
  }

  @Test func `what an event says itself goes before what the client says`() throws {
    let decoded = try Decoded.native(
      #"""
      {"client":{"device_id":"d","user_id":"u","session_id":5,"test":true},
       "events":[{"id":"a","name":"n","ts":1764581400123,"device_id":"D","user_id":"U","session_id":"S","test":false},
        {"id":"b","name":"n","ts":1764581400123,"props":{"session_id":6}}]}
      """#
    )
    #expect(decoded.events.map(\.deviceID) == ["D", "d"])
    #expect(decoded.events.map(\.userID) == ["U", "u"])
    #expect(decoded.events.map(\.sessionID) == ["S", "6"])
    #expect(decoded.events.map(\.isTest) == [false, true])
  }

  @Test func `a client description over the limits says so and costs no event`() throws {
    let decoded = try Decoded.native(
      #"""
      {"client":{"a":[[[[[[[[[1]]]]]]]]],"device_id":"d"},"events":[{"id":"a","name":"n","ts":1764581400123}]}
      """#
    )
    #expect(decoded.client == #"{"refused":"too_deep"}"#)
    #expect(decoded.events.map(\.deviceID) == ["d"])
  }

  @Test func `the last of two members with one name counts`() throws {
    let decoded = try Decoded.native(
      #"""
      {"client":{"x":1},"client":{"y":1,"y":2},"events":[{"id":"lost","name":"n","ts":1764581400123}],
       "events":[{"id":"a","name":"m","ts":1764581400123,"n\u0061me":"n","extra":1,"extra":2}]}
      """#
    )
    #expect(decoded.client == #"{"y":2}"#)
    #expect(decoded.events.map(\.id) == ["a"])
    #expect(decoded.events.map(\.name) == ["n"])
    #expect(decoded.events.map(\.context) == [#"{"extra":2}"#])
  }
}
