import EventRecord
import Testing

@testable import Wire

@Suite struct `Amplitude HTTP V2` {
  static let good = #"{"event_type":"e","device_id":"device-1"}"#

  @Test func `the answer names count, size and time`() throws {
    let decoded = try Decoded.amplitude(events: "[\(Self.good),\(Self.good)]")
    #expect(decoded.status == 200)
    let size =
      #"{"api_key":"\#(Decoded.apiKey)","events":[\#(Self.good),\#(Self.good)]}"#.utf8.count
    #expect(
      decoded.answer
        == #"{"code":200,"events_ingested":2,"payload_size_bytes":\#(size),"server_upload_time":\#(t0)}"#
    )
    #expect(decoded.events.count == 2)
  }

  @Test(
    "AMP-V6: a request without body, JSON, key or events is 400 with its own text",
    arguments: [
      ("", #"{"code":400,"error":"Missing request body"}"#),
      (" \n", #"{"code":400,"error":"Missing request body"}"#),
      ("{\"api_key\":", #"{"code":400,"error":"Invalid JSON request body"}"#),
      ("[]", #"{"code":400,"error":"Invalid JSON request body"}"#),
      (
        #"{"events":[]}"#,
        #"{"code":400,"error":"Request missing required field","missing_field":"api_key"}"#
      ),
      (
        #"{"api_key":null,"events":[\#(good)]}"#,
        #"{"code":400,"error":"Request missing required field","missing_field":"api_key"}"#
      ),
      (
        #"{"api_key":"demo-api-key-0001"}"#,
        #"{"code":400,"error":"Request missing required field","missing_field":"events"}"#
      ),
      (
        #"{"api_key":"demo-api-key-0001","events":null}"#,
        #"{"code":400,"error":"Request missing required field","missing_field":"events"}"#
      ),
    ]
  )
  func unreadable(body: String, answer: String) throws {
    let decoded = try Decoded.amplitude(Array(body.utf8))
    #expect(decoded.status == 400)
    #expect(decoded.answer == answer)
  }

  @Test(arguments: [
    #"{"api_key":"N\"OPE","events":[\#(good)]}"#, #"{"events":[\#(good)],"api_key":"N\"OPE"}"#,
    #"{"api_key":"demo-api-key-0001","events":[\#(good)],"api_key":"N\"OPE"}"#,
  ])
  func `an unknown key is repeated to the client, wherever it stands`(body: String) throws {
    let decoded = try Decoded.amplitude(Array(body.utf8))
    #expect(decoded.status == 400)
    #expect(decoded.answer == #"{"code":400,"error":"Invalid API key: N\"OPE"}"#)
    #expect(decoded.reason == "unknown_key")
  }

  @Test(
    "AMP-V8: all bad events are named at once and nothing is kept; the good ones alone are taken"
  )
  func badEvents() throws {
    let events = [
      Self.good, #"{"device_id":"device-1"}"#, Self.good,
      #"{"event_type":null,"user_id":"user-1"}"#,
      #"{"event_type":"e","device_id":"device-1","time":"2025-12-01T09:30:00Z"}"#,
    ]
    let decoded = try Decoded.amplitude(events: "[" + events.joined(separator: ",") + "]")
    #expect(decoded.status == 400)
    #expect(
      decoded.answer
        == #"{"code":400,"error":"Invalid field values on some events","events_with_missing_fields":{"event_type":[1,3]},"events_with_invalid_fields":{"time":[4]}}"#
    )
    #expect(decoded.acceptance == nil)
    let again = try Decoded.amplitude(events: "[\(events[0]),\(events[2])]")
    #expect(again.status == 200)
    #expect(again.events.count == 2)
  }

  @Test("AMP-V9: an id of three characters needs min_id_length, before or behind the events")
  func minIDLength() throws {
    let event = #"{"event_type":"e","user_id":"abc"}"#
    let refused = try Decoded.amplitude(events: "[\(Self.good),\(event)]")
    #expect(refused.status == 400)
    #expect(
      refused.answer
        == #"{"code":400,"error":"Invalid id length for user_id or device_id","events_with_invalid_fields":{"user_id":[1]},"events_with_invalid_id_lengths":{"user_id":[1]}}"#
    )
    let behind = try Decoded.amplitude(
      events: "[\(Self.good),\(event)]",
      #","options":{"min_id_length":3}"#
    )
    #expect(behind.status == 200)
    #expect(behind.events.map(\.userID) == ["", "abc"])
    let before = try Decoded.amplitude(
      Array(
        #"{"api_key":"demo-api-key-0001","options":{"min_id_length":3},"events":[\#(event)]}"#.utf8
      )
    )
    #expect(before.status == 200)
  }

  @Test func `an event over a megabyte is named, and the others are taken without it`() throws {
    let text = "\"" + String(repeating: "x", count: 1_000) + "\""
    let texts = Array(repeating: text, count: 1_050).joined(separator: ",")
    let large = #"{"event_type":"e","device_id":"device-1","event_properties":{"a":[\#(texts)]}}"#
    let body = #"{"api_key":"\#(Decoded.apiKey)","events":[\#(Self.good),\#(large)]}"#
    let refused = try Decoded.amplitude(Array(body.utf8), limits: .batch)
    #expect(refused.status == 400)
    #expect(refused.answer.contains(#""events_with_invalid_fields":{"event_properties":[1]}"#))
    var limits = AmplitudeHTTPV2.Limits.batch
    limits.maxEventBytes = large.utf8.count
    #expect(try Decoded.amplitude(Array(body.utf8), limits: limits).events.count == 2)
  }

  @Test(arguments: [(1_024, 200), (1_025, 400)])
  func `an event has up to 1,024 fields of its own`(fields: Int, status: Int) throws {
    let members = (0..<fields).map { ",\"k\($0)\":0" }.joined()
    let decoded = try Decoded.amplitude(
      events: #"[{"event_type":"e","device_id":"device-1"\#(members)}]"#
    )
    #expect(decoded.status == status, "\(decoded.answer)")
  }

  @Test(arguments: [
    (Int64.max, 400), (1 << 61, 400), (1_025, 400), (8, 200), (0, 200), (-1, 200), (.min, 200),
  ])
  func `a min_id_length of any size is applied`(length: Int64, status: Int) throws {
    let decoded = try Decoded.amplitude(
      events: "[\(Self.good)]",
      #","options":{"min_id_length":\#(length)}"#
    )
    #expect(decoded.status == status, "\(decoded.answer)")
  }

  @Test(
    "AMP-V10: values that stand for an unknown id are refused with their index",
    arguments: [
      #""unknown""#, #""0""#, #""00000000-0000-0000-0000-000000000000""#, #""anonymous""#,
      #""nil""#,
      #""none""#, #""null""#, #""n/a""#, #""NA""#, #""undefined""#, #""""#, #""{}""#, #""LMY47D""#,
      #""-1""#, "0", "-1",
    ]
  )
  func refusedIDs(id: String) throws {
    let decoded = try Decoded.amplitude(
      events: #"[\#(Self.good),{"event_type":"e","user_id":"user-1","device_id":\#(id)}]"#
    )
    #expect(decoded.status == 400)
    #expect(
      decoded.answer
        == #"{"code":400,"error":"Invalid id provided: omit the user_id or device_id field if they are unknown","events_with_invalid_fields":{"device_id":[1]}}"#
    )
  }

  @Test("AMP-V13: null is as good as absent")
  func nulls() throws {
    let decoded = try Fixtures.decode("amplitude/swift-1.18.6-nulls.json")
    #expect(decoded.status == 200)
    #expect(
      decoded.events == [
        EventRecord(
          key: .amplitude(
            project: 7,
            deviceID: "device-1",
            insertID: "5F0B7C9E-1111-4222-8333-444455556666"
          ),
          flags: .timeMissing,
          timestampMs: t0,
          id: "5F0B7C9E-1111-4222-8333-444455556666",
          name: "Opened",
          deviceID: "device-1"
        )
      ]
    )
  }

  @Test("AMP-V14: both spellings of product and revenue type end in the same place")
  func spellings() throws {
    let decoded = try Decoded.amplitude(
      events: #"""
        [{"event_type":"e","device_id":"device-1","product_id":"p","revenue_type":"r","price":1.5},
         {"event_type":"e","device_id":"device-1","productId":"p","revenueType":"r","price":1.5}]
        """#
    )
    #expect(
      decoded.events.map(\.context)
        == Array(repeating: #"{"productId":"p","revenueType":"r","price":1.5}"#, count: 2)
    )
  }

  @Test("AMP-V25: a number as user id is its decimal text")
  func numericUserID() throws {
    let decoded = try Decoded.amplitude(events: #"[{"event_type":"e","user_id":12345}]"#)
    #expect(decoded.events.map(\.userID) == ["12345"])
    let fraction = try Decoded.amplitude(events: #"[{"event_type":"e","user_id":12345.5}]"#)
    #expect(fraction.answer.hasSuffix(#","events_with_invalid_fields":{"user_id":[0]}}"#))
  }

  @Test(
    "AMP-V26: a clock an hour fast is corrected, one 40 s fast is not; the client's time is kept",
    arguments: [(3_600_000, -3_600_000), (60_000, -60_000), (59_999, 0), (40_000, 0)]
  )
  func clock(aheadMs: Int64, correctionMs: Int64) throws {
    let decoded = try Decoded.amplitude(
      events: #"[{"event_type":"e","device_id":"device-1","time":\#(t0 + aheadMs)}]"#,
      #","client_upload_time":"2025-12-01T09:30:00.000Z""#,
      receivedAtMs: t0 - aheadMs
    )
    let header = try #require(decoded.header)
    #expect(header.clockCorrectionMs == correctionMs)
    #expect(header.sentAtMs == t0)
    #expect(decoded.events.map(\.timestampMs) == [t0 + aheadMs])
  }

  @Test("AMP-V29: an event with neither id is missing a field")
  func neitherID() throws {
    let decoded = try Decoded.amplitude(
      events: #"[\#(Self.good),{"event_type":"e"},\#(Self.good)]"#
    )
    #expect(decoded.status == 400)
    #expect(
      decoded.answer
        == #"{"code":400,"error":"Request missing required field","events_with_missing_fields":{"device_id":[1],"user_id":[1]}}"#
    )
    #expect(decoded.acceptance == nil)
  }

  @Test(
    "AMP-V47: four characters are too short for an id, five are not",
    arguments: [
      (#""device_id":"abcd""#, 400), (#""device_id":"abcde""#, 200), (#""user_id":"ab123""#, 200),
      (#""device_id":"äöüß""#, 400), (#""device_id":"äöüßé""#, 200), (#""user_id":1234"#, 400),
      (#""device_id":"ab\u0063d""#, 400),
    ]
  )
  func idLengths(member: String, status: Int) throws {
    let decoded = try Decoded.amplitude(events: #"[{"event_type":"e",\#(member)}]"#)
    #expect(decoded.status == status)
    if status == 400 { #expect(decoded.answer.contains(#"":[0]}"#)) }
  }

  @Test(arguments: [(2000, 200), (2001, 413)])
  func `a request holds up to 2,000 events`(count: Int, status: Int) throws {
    let event = #"{"event_type":"e","device_id":"device-1"}"#
    let decoded = try Decoded.amplitude(
      events: "[" + Array(repeating: event, count: count).joined(separator: ",") + "]"
    )
    #expect(decoded.status == status)
    if status == 413 { #expect(decoded.answer == #"{"code":413,"error":"Payload too large"}"#) }
  }

  @Test func `1 MB is for uploads, 20 MB for batches`() throws {
    let event =
      #"{"event_type":"e","device_id":"device-1","x":"\#(String(repeating: "x", count: 600_000))"}"#
    let body = Array(#"{"api_key":"demo-api-key-0001","events":[\#(event),\#(event)]}"#.utf8)
    #expect(try Decoded.amplitude(body).status == 413)
    #expect(try Decoded.amplitude(body, limits: .batch).status == 200)
  }

  @Test func `a repeated insert id counts once per device and week`() throws {
    let week: Int64 = 7 * 86_400_000
    func event(_ device: String, _ time: Int64) -> String {
      #"{"event_type":"e",\#(device)"user_id":"user-1","insert_id":"i","time":\#(time)}"#
    }
    let events = [
      event("\"device_id\":\"device-1\",", t0), event("\"device_id\":\"device-1\",", t0 - week + 1),
      event("\"device_id\":\"device-1\",", t0 - week), event("\"device_id\":\"device-2\",", t0),
      event("", t0), event("", t0 - 5),
    ]
    let decoded = try Decoded.amplitude(events: "[" + events.joined(separator: ",") + "]")
    #expect(decoded.acceptance?.duplicates == 2)
    #expect(decoded.events.map(\.sequence) == [0, 2, 3, 4])
    #expect(decoded.answer.hasPrefix(#"{"code":200,"events_ingested":6,"#))
  }

  @Test func `an event without insert id is never a repeat`() throws {
    let scratch = WireScratch()
    var keys: Set<EventKey> = []
    for _ in 0..<3 {
      let body = Array(
        #"{"api_key":"demo-api-key-0001","events":[\#(Self.good),\#(Self.good)]}"#.utf8
      )
      let decoded = try Decoded.amplitude(body, scratch: scratch)
      #expect(decoded.events.allSatisfy { $0.flags.contains(.keyIsRandom) })
      keys.formUnion(decoded.events.map(\.key))
    }
    #expect(keys.count == 6)
  }

  @Test func `what holds for the events may stand behind them`() throws {
    let decoded = try Decoded.amplitude(
      Array(
        #"{"events":[{"event_type":"e","user_id":"abc","insert_id":"i"}],"client_upload_time":"2025-12-01T10:30:00Z","options":{"min_id_length":1},"api_key":"demo-api-key-0001"}"#
          .utf8
      )
    )
    #expect(decoded.header?.clockCorrectionMs == -3_600_000)
    #expect(decoded.header?.project == 7)
    #expect(decoded.events.map(\.key) == [.amplitude(project: 7, deviceID: "", insertID: "i")])
  }
}
