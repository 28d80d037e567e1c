import FootfallCore
import FootfallPlatform
import Testing

@testable import FootfallEngine

@Suite struct `Native codec` {
  let codec = NativeCodec(
    url: "http://127.0.0.1:4001/v1/events",
    key: "ff_pub_k",
    device: DeviceContext(library: "footfall-swift/1.0.0", platform: "iOS", os: "iOS \"19\""),
    gzip: .none
  )
  static let nothing = BatchContent(events: [], count: 0, commonContent: [])

  func request(
    _ events: [UInt8],
    sealed: [UInt8]? = nil,
    losses: DropCounts = DropCounts(),
    by other: NativeCodec? = nil
  ) -> UploadRequest {
    let codec = other ?? codec
    return codec.request(
      BatchContent(
        events: events[...],
        count: 1,
        commonContent: sealed ?? codec.commonContent
      ),
      attempt: AttemptInfo(sentAtMilliseconds: 1_764_581_400_123, losses: losses)
    )
  }

  func encode(_ event: Event, by other: NativeCodec? = nil) -> String {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let reason = (other ?? codec).encode(event, into: &buffer, losses: &losses)
    #expect(reason == nil)
    #expect(losses.isEmpty)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  func event(_ name: EventName, _ context: EventContext) -> Event {
    let id = EventID(milliseconds: 0x0197_a1b2_c3d4, counter: 1, random: 2)
    return Event(
      name,
      identifier: .made(id),
      milliseconds: 1_764_581_400_123,
      context: context
    )
  }

  @Test(
    arguments: [
      ([:], ""),
      ([.appVersion: "4.1.0"], #","context":{"app":"4.1.0"}"#),
      ([.os: nil, .plan: ["version": 3]], #","context":{"os":null,"plan":{"version":3}}"#),
      ([.platform: "iOS", .extra: "mine"], ""),
    ] as [(EventContext, String)]
  )
  func `an event says only what is not as in the client's context`(
    own: EventContext,
    expected: String
  ) {
    let text = encode(event("a", own.filled(from: codec.common)))
    #expect(text.hasSuffix(#""ts":1764581400123,"name":"a"\#(expected)}"#))
  }

  @Test func `what is taken out of an event's context is taken back on the wire`() {
    var context = codec.common
    context[.os] = nil
    #expect(encode(event("a", context)).hasSuffix(#","context":{"os":null}}"#))
  }

  @Test func `a batch says what was true when it was sealed`() {
    let sealed = Array(#"{"app":"4.1.0"}"#.utf8)
    var losses = DropCounts()
    let request = request([0x31], sealed: sealed, losses: losses)
    #expect(
      String(decoding: request.body, as: UTF8.self) == #"{"client":{"app":"4.1.0"},"events":[1]}"#
    )
    losses.count(.tooLarge)
    let bodies = [Array("{}".utf8), sealed].map {
      String(decoding: self.request([0x31], sealed: $0, losses: losses).body, as: UTF8.self)
    }
    #expect(
      bodies == [
        #"{"client":{"dropped":{"too_large":1}},"events":[1]}"#,
        #"{"client":{"app":"4.1.0","dropped":{"too_large":1}},"events":[1]}"#,
      ]
    )
  }

  @Test func `a batch sealed without a context gets the codec's`() {
    let body = String(decoding: request([0x31], sealed: []).body, as: UTF8.self)
    #expect(body.hasPrefix(#"{"client":{"library":"footfall-swift/1.0.0","#))
  }

  @Test func `fields without a place of their own follow in the order of their names`() {
    let codec = NativeCodec(
      url: "",
      key: "",
      common: [.timeZone: "Europe/London", .language: "en", .appVersion: "1", .country: "GB"],
      gzip: .none
    )
    #expect(
      String(decoding: codec.commonContent, as: UTF8.self)
        == #"{"app":"1","country":"GB","language":"en","time_zone":"Europe/London"}"#
    )
  }

  @Test(arguments: ["Song Played", "a \"quoted\" \\ name\n\u{1}é🎸", "x"])
  func `id and name are read from an event's bytes`(name: String) throws {
    var event = event(EventName(name), codec.common)
    event.deviceID = "d\"1"
    event.sessionID = 5
    event.isTest = true
    event.identifier = .own("order \"17\"")
    let bytes = Array(encode(event).utf8)
    let found = try #require(codec.identity(of: bytes[...]))
    #expect(found == ("order \"17\"", name))
    for end in 0..<bytes.count { _ = codec.identity(of: bytes[..<end]) }
    #expect(codec.identity(of: []) == nil)
    #expect(codec.identity(of: Array("[1]".utf8)[...]) == nil)
  }

  @Test func `a request holds client, losses and the sealed events as they are`() {
    var losses = DropCounts()
    losses.count(.tooLarge, 2)
    losses.count(.backlogFull, 12)
    let events = Array(#"{"id":"1"},"#.utf8) + [0x0a] + Array(#"{"id":"2"}"#.utf8)
    let request = request(events, losses: losses)
    let expected =
      #"{"client":{"library":"footfall-swift/1.0.0","platform":"iOS","os":"iOS \"19\"","#
      + #""dropped":{"backlog_full":12,"too_large":2}},"events":[{"id":"1"},"# + "\n"
      + #"{"id":"2"}]}"#
    #expect(String(decoding: request.body, as: UTF8.self) == expected)
    #expect(request.headers.map(\.name).contains("Content-Encoding") == false)
    #expect(request.timeoutSeconds == 30)
  }

  @Test func `large bodies are compressed, small ones and those without zlib are not`() {
    var codec = codec
    codec.gzip = Gzip { _ in [0x1f, 0x8b] }
    let large = request([UInt8](repeating: 0x20, count: 300), by: codec)
    #expect(large.body == [0x1f, 0x8b])
    #expect(large.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" })
    let small = request([0x20], by: codec)
    #expect(small.body.first == UInt8(ascii: "{"))
  }

  @Test(
    arguments: [
      #"{"accepted":2,"duplicates":0,"rejected":[]}"#, "", "{}", #"{"accepted":4}"#,
      #" {"rejected": [] }"#,
    ]
  )
  func `an answer that refuses nothing means delivered`(body: String) {
    #expect(verdict(202, body) == .delivered(status: 202))
  }

  @Test(
    arguments: [
      "garbage", #"{"rejected":7}"#, "[]", "<html>Sign in to the network</html>", " ",
      #"{"accepted":1,"rejected":[{"index":0,"#, #"<a>"rejected":[]</a>"#,
      #"{"x":""# + String(repeating: "x", count: TransportLimits.maxAnswerBytes) + #""}"#,
    ]
  )
  func `a positive answer that cannot be read explains nothing`(body: String) {
    #expect(verdict(202, body) == .unexplained(status: 202, message: ""))
  }

  @Test func `an answer refuses events by their ids where it names no place`() {
    let events = ["a", "b", "c"].map { #"{"device_id":"d","id":"\#($0)","name":"n"}"# }
    let batch = BatchContent(
      events: Array(events.joined(separator: ",\n").utf8)[...],
      count: 3,
      commonContent: []
    )
    let body =
      #"{"rejected":[{"id":"b","reason":"ts"},{"event_id":"c","reason":"name"},{"id":"z"}]}"#
    let verdict = codec.verdict(
      .answered(status: 202, headers: [:], body: Array(body.utf8)),
      for: batch,
      now: 0
    )
    #expect(
      verdict
        == .partial([
          .delivered(status: 202), .refused(status: 202, reason: "ts", message: "ts"),
          .refused(status: 202, reason: "name", message: "name"),
        ])
    )
  }

  @Test func `an answer refuses events by their place, with a reason`() {
    let body =
      #"{"accepted":0,"rejected":[{"index":0,"id":"a","reason":"name"},{"index":2},{"index":9},"#
      + #"{"index":-1},{"reason":"ts"}]}"#
    #expect(
      verdict(202, body)
        == .partial([
          .refused(status: 202, reason: "name", message: "name"), .delivered(status: 202),
          .refused(status: 202, reason: "unknown", message: "unknown"), .delivered(status: 202),
        ])
    )
    #expect(verdict(415, body) == .unreadable)
  }

  private func verdict(_ status: Int, _ body: String) -> UploadVerdict {
    codec.verdict(
      .answered(status: status, headers: [:], body: Array(body.utf8)),
      for: BatchContent(events: [], count: 4, commonContent: []),
      now: 0
    )
  }

  @Test func `an event's id and name are found in its bytes`() throws {
    var buffer = JSONBuffer(capacity: 256)
    var losses = DropCounts()
    let event = Event(
      "Song \"Played\"\n",
      ["id": "no", "list": [["name": "no"]]],
      identifier: .own("order-1"),
      milliseconds: 5,
      deviceID: "}{",
      groups: ["name": ["x"]]
    )
    #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    let identity = try #require(codec.identity(of: buffer.bytes[...]))
    #expect(identity == ("order-1", "Song \"Played\"\n"))
    #expect(codec.identity(of: [0x7b]) == nil)
  }

  @Test func `no answer is a failure with the transport's words`() {
    let cases: [(TransportFailure, DeliveryProblem.Kind)] = [
      (.timedOut, .timedOut), (.offline("no route"), .offline), (.tls("expired"), .offline),
    ]
    for (failure, kind) in cases {
      guard
        case .failed(let problem, nil) = codec.verdict(.failed(failure), for: Self.nothing, now: 0)
      else {
        Issue.record("\(failure) should be a failure")
        continue
      }
      #expect(problem.kind == kind)
      #expect(problem.description.contains("\(failure)"))
    }
  }

  @Test func `Retry-After is read from the answer's header`() {
    let answer = UploadResponse.answered(status: 429, headers: ["retry-after": "7"], body: [])
    guard case .failed(_, retryAfterSeconds: 7) = codec.verdict(answer, for: Self.nothing, now: 0)
    else {
      Issue.record("The header was not read.")
      return
    }
  }
}
