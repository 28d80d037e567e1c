import EventRecord
import Testing

@testable import Wire

@Suite struct `Fields of a native event` {
  @Test(arguments: [
    ("1764581400123", 123), ("1764581400", 0), ("1764581400.5", 500), ("1764581400.1239", 123),
    ("1.7645814e9", 0), ("1764581400123.9", 123), (#""2025-12-01T09:30:00Z""#, 0),
    (#""2025-12-01t11:30:00.250+02:00""#, 250), (#""2025-12-01 04:00:00.1-0530""#, 100),
    (#""2025-12-01T09:30:00.123999999Z""#, 123), (#""1764581400""#, 0),
    (#""2025\u002d12-01T09:30:00Z""#, 0),
  ])
  func `a time is read in every form`(ts: String, millis: Int64) throws {
    let decoded = try Decoded.native(#"[{"id":"a","name":"n","ts":\#(ts)}]"#)
    #expect(decoded.events.map(\.timestampMs) == [t0 + millis], "\(decoded.answer)")
  }

  @Test(arguments: [
    (#""yesterday""#, RejectionReason.invalidTimestamp),
    (#""2025-12-01T09:30:00""#, .invalidTimestamp),
    (#""2025-02-29T09:30:00Z""#, .invalidTimestamp),
    (#""2025-12-01T24:00:00Z""#, .invalidTimestamp),
    (#""2025-13-01T09:30:00Z""#, .invalidTimestamp),
    (#""2025-12-01T09:30:00Z ""#, .invalidTimestamp),
    (#""2025-12-01T09:30:00.Z""#, .invalidTimestamp), (#""""#, .invalidTimestamp),
    ("true", .invalidTimestamp), ("{}", .invalidTimestamp), ("null", .missingTimestamp),
    ("0", .timestampOutOfRange), ("-5", .timestampOutOfRange), ("1e300", .timestampOutOfRange),
    ("1e999", .timestampOutOfRange), ("99999999999999999999", .timestampOutOfRange),
    ("253402300800000", .timestampOutOfRange),
  ])
  func `another time is refused with its reason`(ts: String, reason: RejectionReason) throws {
    let decoded = try Decoded.native(#"[{"id":"a","name":"n","ts":\#(ts)}]"#)
    #expect(decoded.acceptance?.rejections == [reason: 1])
  }

  @Test(
    arguments: [
      ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2000-03-01T00:00:00Z", 951_868_800_000),
      ("1970-01-01T00:00:00Z", 0), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ] as [(String, Int64)]
  )
  func `calendar dates become milliseconds`(text: String, expected: Int64) {
    var text = text
    #expect(text.withUTF8 { Timestamp.read(UnsafeRawBufferPointer($0)) } == expected)
  }

  @Test(arguments: [
    "2024-02-29T23:59:59.123Z", "2023-02-29T00:00:00.000Z", "1969-12-31T00:00:00.001Z",
    "2026-11-02T24:00:00.000Z", "2026-11-02T23:60:00.000Z", "2026-11-02T23:59:60.999Z",
    "2026-11-02T23:59:61.000Z", "2026-00-02T09:30:00.000Z", "2026-13-02T09:30:00.000Z",
    "2026-11-00T09:30:00.000Z", "2026-11-31T09:30:00.000Z", "0000-01-01T00:00:00.000Z",
    "2026-11-02T09:30:15.123Z",
  ])
  func `the usual form is read like any other, and nothing else as it`(usual: String) {
    func read(_ bytes: [UInt8]) -> Int64? { bytes.withUnsafeBytes { Timestamp.read($0) } }
    /// The same with one more digit, which is cut off.
    func longer(_ bytes: [UInt8]) -> [UInt8] { bytes.dropLast() + [UInt8(ascii: "0"), bytes[23]] }
    let bytes = Array(usual.utf8)
    #expect(read(bytes) == read(longer(bytes)))
    for place in bytes.indices {
      for sign in Array("09/:-. TtZz".utf8) + [0, 0x10, 0x80, 0xb0, 0xff] {
        var changed = bytes
        changed[place] = sign
        #expect(read(changed) == read(longer(changed)), "\(sign) at \(place)")
      }
    }
  }

  @Test(arguments: [(86_400_000, false), (86_400_001, true)])
  func `a time over a day ahead is kept, and the receive time is used`(
    aheadMs: Int64,
    isFuture: Bool
  ) throws {
    let decoded = try Decoded.native(#"[{"id":"a","name":"n","ts":\#(t0 + aheadMs)}]"#)
    let event = try #require(decoded.events.first)
    #expect(event.timestampMs == t0 + aheadMs)
    #expect(event.flags.contains(.timeInFuture) == isFuture)
  }

  @Test(arguments: [(60_000, 0), (60_001, -60_001), (-60_000, 0), (-3_600_000, 3_600_000)])
  func `a clock that is over 60 s off is corrected`(aheadMs: Int64, correctionMs: Int64) throws {
    let decoded = try Decoded.native(
      #"[{"id":"a","name":"n","ts":\#(t0 + aheadMs)}]"#,
      sentAtMs: t0 + aheadMs
    )
    #expect(decoded.header?.clockCorrectionMs == correctionMs)
    #expect(decoded.header?.sentAtMs == t0 + aheadMs)
    #expect(decoded.events.first?.timestampMs == t0 + aheadMs)
  }

  @Test func `limits on age use the corrected time`() throws {
    let aheadMs: Int64 = 40 * 365 * 86_400_000
    let decoded = try Decoded.native(
      #"[{"id":"a","name":"n","ts":\#(t0 + aheadMs)}]"#,
      sentAtMs: t0 + aheadMs
    )
    #expect(decoded.events.first?.flags == [])
  }

  @Test(arguments: [
    (#""user_id":12345"#, "12345"), (#""user_id":"ü\ud83c\udfa7""#, "ü🎧"), (#""user_id":null"#, ""),
    (#""user_id":-9223372036854775808"#, "-9223372036854775808"),
    (#""user_id":"\ud83c""#, "\u{fffd}"), (#""user_id":"a\u0000b""#, "a\u{fffd}b"),
  ])
  func `an id is a text or an integer`(member: String, expected: String) throws {
    #expect(try Decoded.event(member).userID == expected)
  }

  @Test(arguments: [
    (#""user_id":1.5"#, RejectionReason.invalidIdentity), (#""device_id":{}"#, .invalidIdentity),
    (#""session_id":true"#, .invalidIdentity),
    (#""user_id":9223372036854775808"#, .invalidIdentity),
    (#""user_id":"\#(String(repeating: "x", count: 1025))""#, .invalidIdentity),
    (#""id":"""#, .invalidID), (#""id":[]"#, .invalidID), (#""id":null"#, .missingID),
    (#""id":"\#(String(repeating: "x", count: 1025))""#, .invalidID),
    (#""name":5"#, .invalidName), (#""name":"""#, .missingName), (#""name":null"#, .missingName),
    (#""name":"\#(String(repeating: "ü", count: 257))""#, .nameTooLong),
    (#""props":[]"#, .invalidField), (#""props":"x""#, .invalidField),
    (#""groups":1"#, .invalidField),
    (#""ops":"$set""#, .invalidField), (#""seq":"1""#, .invalidField),
    (#""seq":1.5"#, .invalidField),
    (#""test":"yes""#, .invalidField), (#""props":{"a":1e400}"#, .numberOutOfRange),
    (#""props":{"a":"\#(String(repeating: "x", count: 8193))"}"#, .stringTooLong),
    (#""props":{"a":[[[[[[[[]]]]]]]]}"#, .tooDeep), (#""other":{"a":[[[[[[[[]]]]]]]]}"#, .tooDeep),
    (#""props":{\#((0..<257).map { "\"k\($0)\":0" }.joined(separator: ","))}"#, .tooManyProperties),
    ((0..<257).map { "\"k\($0)\":0" }.joined(separator: ","), .tooManyProperties),
    (
      #""props":{\#((0..<9).map { "\"k\($0)\":\"\(String(repeating: "x", count: 8000))\"" }.joined(separator: ","))}"#,
      .eventTooLarge
    ),
  ])
  func `a field over its limit refuses the event`(member: String, reason: RejectionReason) throws {
    #expect(try Decoded.rejection(member) == reason)
  }

  @Test(arguments: [
    #""name":"\#(String(repeating: "ü", count: 256))""#,
    #""props":{"a":"\#(String(repeating: "x", count: 8192))"}"#,
    #""props":{"a":"\#(String(repeating: "\\n", count: 8192))"}"#,
    #""props":{"a":[[[[[[[]]]]]]]}"#,
    #""props":{\#((0..<256).map { "\"k\($0)\":0" }.joined(separator: ","))}"#,
    (0..<256).map { "\"k\($0)\":0" }.joined(separator: ","),
    #""test":null,"seq":null,"props":null,"groups":null,"ops":null,"device_id":null"#,
  ])
  func `a field at its limit is kept`(member: String) throws {
    _ = try Decoded.event(member)
  }

  @Test(arguments: [
    (#""name":"$identify","ops":{"$set":{"a":1}}"#, EventRecord.Kind.identify, "$identify"),
    (
      #""name":"$groupidentify","groups":{"o":"1"},"ops":{"$set":{"a":1}}"#, .groupIdentify,
      "$groupidentify"
    ),
    (#""name":null,"ops":{"$set":{"a":1}}"#, .identify, "$identify"),
    (#""name":"Signed Up","ops":{"$set":{"a":1}}"#, .event, "Signed Up"),
    (#""name":"$identifying""#, .event, "$identifying"),
  ])
  func `names and operations make the kind`(
    members: String,
    kind: EventRecord.Kind,
    name: String
  ) throws {
    let event = try Decoded.event(members)
    #expect(event.kind == kind)
    #expect(event.name == name)
  }

  @Test func `empty objects are no objects`() throws {
    let event = try Decoded.event(#""props":{ },"groups":{},"ops":{}"#)
    #expect(event.properties == "")
    #expect(event.groups == "")
    #expect(event.operations == "")
  }

  @Test func `unknown members are kept as context`() throws {
    let event = try Decoded.event(#""a b":[1, 2],"n":null,"x":{"y" : "z"},"a b":3"#)
    #expect(event.context == #"{"x":{"y":"z"},"a b":3}"#)
  }

  @Test func `a session among the properties that is no id is only a property`() throws {
    let event = try Decoded.event(#""props":{"session_id":{"a":1}}"#)
    #expect(event.sessionID == "")
    #expect(event.properties == #"{"session_id":{"a":1}}"#)
  }
}
