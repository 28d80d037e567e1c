import EventRecord
import Testing

@testable import Wire

@Suite struct `Amplitude's forms` {
  private static func decode(
    _ purpose: AmplitudeForm.Purpose,
    _ fields: KeyValuePairs<String, String>
  ) throws -> Decoded {
    var scratch = WireScratch()
    return try Decoded(
      AmplitudeForm.decode(
        fields.map { ($0.key, $0.value) },
        for: purpose,
        project: { $0 == Decoded.apiKey ? 7 : nil },
        context: WireContext(receivedAtMs: t0),
        scratch: &scratch
      )
    )
  }

  private static func identification(
    _ purpose: AmplitudeForm.Purpose,
    _ json: String
  ) throws -> Decoded {
    try decode(purpose, ["api_key": Decoded.apiKey, "identification": json])
  }

  @Test func `properties of a person, with what else is known of them`() throws {
    let decoded = try Self.identification(
      .identify,
      #"""
      [{"device_id":"device-1","user_properties":{"plan":"pro","$add":{"n":1}},"groups":{"orgId":"15"},
        "paying":"true","country":"Poland"}, {"user_id":"user-1","user_properties":{"$clearAll":"-"}}]
      """#
    )
    #expect(decoded.status == 200)
    #expect(decoded.answer == "success")
    #expect(decoded.events.map(\.kind) == [.identify, .identify])
    #expect(decoded.events.map(\.name) == ["$identify", "$identify"])
    #expect(
      decoded.events.map(\.operations)
        == [#"{"$add":{"n":1},"$set":{"plan":"pro"}}"#, #"{"$clearAll":"-"}"#]
    )
    #expect(decoded.events[0].groups == #"{"orgId":"15"}"#)
    #expect(decoded.events[0].context == #"{"paying":"true","country":"Poland"}"#)
    #expect(decoded.events.allSatisfy { $0.flags == [.timeMissing, .keyIsContent] })
  }

  @Test(arguments: [
    (#"{"event_type":"Install","idfa":"a","idfv":"v","adid":null}"#, "v"),
    (#"[{"event_type":"Install","adid":"g"}]"#, "g"),
    (#"{"event_type":"Install","idfa":"a","device_id":"own"}"#, "own"),
    (#"{"event_type":"Install","idfa":"00000000-0000-0000-0000-000000000000","adid":"g"}"#, "g"),
  ])
  func `an attribution belongs to the device of its id, or to that of an id of others`(
    json: String,
    device: String
  ) throws {
    let decoded = try Self.decode(.attribution, ["api_key": Decoded.apiKey, "event": json])
    #expect(decoded.answer == "success")
    let event = try #require(decoded.events.first)
    #expect(event.kind == .event && event.name == "Install")
    #expect(event.deviceID == device)
    #expect(event.flags == [.timeMissing, .keyIsContent])
  }

  @Test func `an attribution needs a name and someone it is of, and sets properties`() throws {
    for json in [#"{"event_type":"Install"}"#, #"{"idfa":"a"}"#, "[", "5"] {
      let decoded = try Self.decode(.attribution, ["api_key": Decoded.apiKey, "event": json])
      #expect(decoded.status == 400, "\(json)")
      #expect(decoded.events.isEmpty)
    }
    let decoded = try Self.decode(
      .attribution,
      [
        "api_key": Decoded.apiKey,
        "event":
          #"{"event_type":"Install","idfa":"a","user_properties":{"[Partner] campaign":"c1"}}"#,
      ]
    )
    #expect(decoded.events.first?.operations == #"{"$set":{"[Partner] campaign":"c1"}}"#)
    #expect(decoded.events.first?.context == #"{"idfa":"a"}"#)
    #expect(try Self.decode(.attribution, ["api_key": Decoded.apiKey]).answer == "missing_event")
    #expect(try Self.decode(.attribution, ["event": "{}"]).answer == "invalid_api_key")
  }

  /// Made with `printf '%s' "$v$client$e$upload_time" | md5sum`.
  @Test(arguments: [
    ("c437337a281ada9eba863abd9280fd2c", true), ("C437337A281ADA9EBA863ABD9280FD2C", true),
    ("", true),
    ("c437337a281ada9eba863abd9280fd20", false), ("0", false), ("no checksum", false),
  ])
  func `an upload whose checksum does not hold is asked for again`(
    checksum: String,
    isTaken: Bool
  ) throws {
    let event = #"[{"event_type":"Bücher","device_id":"G","timestamp":1396381378123}]"#
    let decoded = try Self.decode(
      .upload,
      [
        "v": "2", "client": Decoded.apiKey, "e": event, "upload_time": "1396381378200",
        "checksum": checksum,
      ]
    )
    #expect(decoded.answer == (isTaken ? "success" : "bad_checksum"))
    #expect(decoded.status == (isTaken ? 200 : 400))
    #expect(decoded.events.count == (isTaken ? 1 : 0))
  }

  @Test(arguments: [
    (#""15""#, #"{"org\"Id":"15"}"#), (#"["15", "16"]"#, #"{"org\"Id":["15","16"]}"#),
    ("15", #"{"org\"Id":15}"#),
  ])
  func `properties of a group or of several`(value: String, groups: String) throws {
    let decoded = try Self.identification(
      .groupIdentify,
      #"{"group_value":\#(value),"group_type":"org\"Id","group_properties":{"plan":"enterprise"}}"#
    )
    let event = try #require(decoded.events.first, "\(decoded.answer)")
    #expect(event.kind == .groupIdentify)
    #expect(event.name == "$groupidentify")
    #expect(event.groups == groups)
    #expect(event.operations == #"{"$set":{"plan":"enterprise"}}"#)
  }

  @Test(
    arguments: [
      (.identify, #"[{"user_properties":{"a":1}}]"#, #""device_id":[0],"user_id":[0]"#),
      (.identify, #"{"user_id":"user-1","user_properties":{"$set":1}}"#, #""user_properties":[0]"#),
      (.groupIdentify, #"{"group_value":"15","group_properties":{"a":1}}"#, #""group_type":[0]"#),
      (
        .groupIdentify, #"{"group_type":"orgId","group_properties":{"a":1}}"#, #""group_value":[0]"#
      ),
      (.groupIdentify, #"{"group_type":"orgId","group_value":{}}"#, #""group_value":[0]"#),
    ] as [(AmplitudeForm.Purpose, String, String)]
  )
  func `what is wrong with an object is named`(
    purpose: AmplitudeForm.Purpose,
    json: String,
    named: String
  ) throws {
    let decoded = try Self.identification(purpose, json)
    #expect(decoded.status == 400)
    #expect(decoded.answer.contains(named), "\(decoded.answer)")
  }

  @Test(
    arguments: [
      (["api_key": "nobody", "identification": "{}"], 400, "invalid_api_key"),
      (["identification": "{}"], 400, "invalid_api_key"),
      (["api_key": Decoded.apiKey], 400, "missing_event"),
      (["api_key": Decoded.apiKey, "identification": ""], 400, "missing_event"),
      (["api_key": Decoded.apiKey, "identification": "{"], 400, "invalid_json"),
      (["api_key": Decoded.apiKey, "identification": "7"], 400, "invalid_json"),
      (["api_key": Decoded.apiKey, "identification": "{} {}"], 400, "invalid_json"),
      (
        [
          "api_key": Decoded.apiKey,
          "identification": String(repeating: " ", count: 1_048_577),
        ], 413, "request_too_large"
      ),
    ] as [([String: String], Int, String)]
  )
  func `a refusal is a word`(fields: [String: String], status: Int, word: String) throws {
    var scratch = WireScratch()
    let outcome = AmplitudeForm.decode(
      fields.map { ($0.key, $0.value) },
      for: .identify,
      project: { $0 == Decoded.apiKey ? 7 : nil },
      context: WireContext(receivedAtMs: t0),
      scratch: &scratch
    )
    guard case .refused(let answer, _) = outcome else {
      Issue.record("it was taken")
      return
    }
    #expect(answer.status == status)
    #expect(answer.isPlainText)
    #expect(String(decoding: answer.body, as: UTF8.self) == word)
  }

  @Test(arguments: [(1_024, 200), (1_025, 413)])
  func `a request holds up to 1,024 objects`(count: Int, status: Int) throws {
    let objects = Array(repeating: #"{"user_id":"user-1"}"#, count: count)
    let json = "[" + objects.joined(separator: ",") + "]"
    #expect(try Self.identification(.identify, json).status == status)
  }

  @Test func `an old client's bad events are left out and counted, since it cannot do so`() throws {
    let events = #"""
      [{"event_type":"a","device_id":"abc","user_id":"null","timestamp":\#(t0),"event_id":3},
       {"device_id":"device-1"}, {"event_type":"b"}, 7, {"event_type":"c","device_id":"device-1","timestamp":"x"},
       {"event_type":"d","user_id":"user-1","time":\#(t0 + 1),"insert_id":"i"}]
      """#
    let decoded = try Self.decode(.upload, ["client": Decoded.apiKey, "e": events])
    #expect(decoded.answer == "success")
    #expect(decoded.events.map(\.name) == ["a", "d"])
    #expect(decoded.events.map(\.deviceID) == ["abc", ""])
    #expect(decoded.events.map(\.userID) == ["", "user-1"])
    #expect(decoded.events.map(\.timestampMs) == [t0, t0 + 1])
    #expect(decoded.events.map(\.sequence) == [3, 5])
    #expect(
      decoded.acceptance?.rejections
        == [.missingName: 1, .invalidIdentity: 1, .notAnObject: 1, .invalidField: 1]
    )
  }

  @Test func `the form with a key and one event is taken too`() throws {
    let decoded = try Self.decode(
      .upload,
      ["api_key": Decoded.apiKey, "event": #"{"event_type":"a","user_id":"user-1"}"#]
    )
    #expect(decoded.events.map(\.userID) == ["user-1"])
  }
}
