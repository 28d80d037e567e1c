import EventRecord
import Testing

@testable import Wire

/// The moment at which the tests' requests arrive: 1 December 2025, 09:30:00 UTC.
let t0: Int64 = 1_764_581_400_000

/// A decoded request with its record read back.
struct Decoded {
  var status: Int
  var answer: String
  var reason: String?
  var acceptance: WireAcceptance?
  var header: RecordHeader?
  var client = ""
  var events: [EventRecord] = []

  init(_ outcome: WireOutcome) throws {
    switch outcome {
    case .refused(let answer, let reason):
      status = answer.status
      self.answer = String(decoding: answer.body, as: UTF8.self)
      self.reason = reason
    case .accepted(let acceptance):
      status = acceptance.answer.status
      answer = String(decoding: acceptance.answer.body, as: UTF8.self)
      self.acceptance = acceptance
      guard acceptance.events > 0 else {
        #expect(acceptance.record.isEmpty)
        return
      }
      events = try RecordReader.events(of: acceptance.record)
      #expect(events.count == acceptance.events)
      try acceptance.record.withUnsafeBytes { bytes in
        let reader = try RecordReader(bytes)
        header = reader.header
        client = String(decoding: reader.context, as: UTF8.self)
      }
    }
  }

  /// Decodes a native body.
  static func native(
    _ body: [UInt8],
    contentType: String? = "application/json",
    sentAtMs: Int64? = nil,
    places: WirePlaces? = nil,
    scratch: WireScratch = WireScratch()
  ) throws -> Decoded {
    var scratch = scratch
    return try Decoded(
      body.withUnsafeBytes {
        NativeEvents.decode(
          $0,
          contentType: contentType,
          project: 7,
          context: WireContext(receivedAtMs: t0, sentAtMs: sentAtMs, places: places),
          scratch: &scratch
        )
      }
    )
  }

  /// Decodes a native body.
  static func native(
    _ body: String,
    contentType: String? = "application/json",
    sentAtMs: Int64? = nil
  ) throws -> Decoded {
    try native(Array(body.utf8), contentType: contentType, sentAtMs: sentAtMs)
  }

  /// Decodes one native event, given its members without braces and without id and time.
  static func event(_ members: String) throws -> EventRecord {
    let decoded = try native(#"[{"id":"a","name":"n","ts":\#(t0),\#(members)}]"#)
    return try #require(decoded.events.first, "\(decoded.answer)")
  }

  /// Decodes one native event, given its members without braces and without id and time, that is
  /// refused.
  static func rejection(_ members: String) throws -> RejectionReason? {
    let decoded = try native(#"[{"id":"a","name":"n","ts":\#(t0),\#(members)}]"#)
    #expect(decoded.status == 202)
    #expect(decoded.events.isEmpty)
    return decoded.acceptance?.rejections.keys.first
  }
}

extension Decoded {
  /// The key that the tests' project has.
  static let apiKey = "demo-api-key-0001"

  /// Decodes an Amplitude body.
  static func amplitude(
    _ body: [UInt8],
    limits: AmplitudeHTTPV2.Limits = .upload,
    receivedAtMs: Int64 = t0,
    scratch: WireScratch = WireScratch()
  ) throws -> Decoded {
    var scratch = scratch
    return try Decoded(
      body.withUnsafeBytes {
        AmplitudeHTTPV2.decode(
          $0,
          project: { $0 == apiKey ? 7 : nil },
          context: WireContext(receivedAtMs: receivedAtMs),
          limits: limits,
          scratch: &scratch
        )
      }
    )
  }

  /// Decodes an Amplitude body with the tests' key around a list of events and further members.
  static func amplitude(
    events: String,
    _ members: String = "",
    receivedAtMs: Int64 = t0
  ) throws -> Decoded {
    let body = #"{"api_key":"\#(apiKey)","events":\#(events)\#(members)}"#
    return try amplitude(Array(body.utf8), receivedAtMs: receivedAtMs)
  }
}

extension Decoded {
  /// Decodes a body of Pinpoint's clients: events, or what changes of endpoints as it is logged.
  static func pinpoint(
    _ body: [UInt8],
    scratch: WireScratch? = nil
  ) throws -> Decoded {
    var random = CountingRandom()
    let outcome = body.withUnsafeBytes {
      PinpointEvents.decode(
        $0,
        app: "0123456789abcdef0123456789abcdef",
        project: 7,
        context: WireContext(receivedAtMs: t0 + 60_000, sentAtMs: t0 + 60_000),
        scratch: scratch ?? WireScratch(using: &random)
      ) { $0.map(pinpointVerdict) }
    }
    switch outcome {
    case .accepted(let acceptance): return try Decoded(.accepted(acceptance))
    case .refused(let refusal, let reason):
      let body = AWSService.pinpoint.body(of: refusal, requestID: "")
      return try Decoded(.refused(WireAnswer(status: refusal.status, body: body), reason: reason))
    case .undecided: throw Undecided()
    }
  }

  /// A request was not decided although all was told.
  private struct Undecided: Error {}

  private static func pinpointVerdict(
    _ embedded: PinpointEvents.Embedded
  ) -> PinpointEvents.Verdict {
    var verdict = PinpointEvents.Verdict(deviceID: embedded.id)
    do throws(AWSRefusal) {
      var endpoint = PinpointEndpoint(id: embedded.id, app: "app", createdAtMs: t0)
      let update = try PinpointEndpointUpdate(embedded.json)
      endpoint.apply(update)
      verdict.userID = endpoint.state.userID
      verdict.context = endpoint.context
      verdict.change = update
    } catch {
      verdict.refusal = error.message
    }
    return verdict
  }

  /// Decodes a body of Phase's clients; what is no batch finds a device and a session.
  static func phase(_ body: [UInt8], name: String) throws -> Decoded {
    let path = PhasePath.allCases.first { name.contains($0.rawValue.dropLast()) } ?? .batch
    let call = try body.withUnsafeBytes { try PhaseSDK.read($0, path: path).get() }
    var known = PhaseKnowledge()
    if path == .events || path == .ping || path == .sessions {
      known.devices["01KBBM8YRGDEVICE000000001A"] = PhaseDevice(
        text: #"{"project":7,"firstSeen":\#(t0),"platform":"ios","properties":{}}"#
      )
    }
    if path == .events || path == .ping {
      known.sessions["01KBBM8YRGSESSN000000001A"] = PhaseSession(
        text:
          #"{"project":7,"declared":\#(t0),"started":\#(t0),"active":\#(t0),"device":"01KBBM8YRGDEVICE000000001A"}"#
      )
    }
    var random = CountingRandom()
    var scratch = WireScratch(using: &random)
    let context = PhaseContext(path: path, project: 7, receivedAtMs: t0 + 60_000)
    return try Decoded(.accepted(call.decide(known, context, scratch: &scratch).acceptance))
  }
}

extension Decoded {
  /// Decodes a put request for a stream of two shards.
  static func stream(_ body: [UInt8], name: String) throws -> Decoded {
    let service: AWSService = name.hasPrefix("firehose/") ? .firehose : .kinesis
    let scratch = StreamScratch()
    var random = CountingRandom()
    var wire = WireScratch(using: &random)
    let put = try body.withUnsafeBytes {
      try StreamPut($0, to: service, isSingle: name.hasSuffix("put-record.json"), scratch: scratch)
    }
    let shards = StreamShards(count: service == .firehose ? 1 : 2)
    let writing = put.write(
      to: StreamTarget(id: 3, name: put.streamName, shards: shards),
      project: 7,
      context: WireContext(receivedAtMs: t0),
      scratch: scratch,
      wire: &wire
    ) { _, _ in true }
    let answer = put.answer(writing, segment: 1, endOffset: 4_096)
    return try Decoded(
      .accepted(
        WireAcceptance(
          record: writing.record,
          events: writing.events,
          duplicates: 0,
          rejections: [:],
          clientDropped: [:],
          answer: WireAnswer(status: 200, body: answer)
        )
      )
    )
  }
}

/// The same numbers every time.
private struct CountingRandom: RandomNumberGenerator {
  var last: UInt64 = 0

  mutating func next() -> UInt64 {
    last += 1
    return last
  }
}
