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

  @Test func `a request holds client, losses and the sealed events as they are`() {
    var losses = DropCounts()
    losses.count(.tooLarge, 2)
    losses.count(.backlogFull, 12)
    let events = Array(#"{"id":"1"},"#.utf8) + [0x0a] + Array(#"{"id":"2"}"#.utf8)
    let request = codec.request(
      events: events[...],
      losses: losses,
      sentAtMilliseconds: 1_764_581_400_123
    )
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
    let large = codec.request(
      events: [UInt8](repeating: 0x20, count: 300)[...],
      losses: DropCounts(),
      sentAtMilliseconds: 0
    )
    #expect(large.body == [0x1f, 0x8b])
    #expect(large.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" })
    let small = codec.request(events: [0x20], losses: DropCounts(), sentAtMilliseconds: 0)
    #expect(small.body.first == UInt8(ascii: "{"))
  }

  @Test(
    arguments: [
      (#"{"accepted":2,"duplicates":0,"rejected":[]}"#, [:]),
      (
        #"{"accepted":0,"rejected":[{"index":0,"id":"a","reason":"name"},{"index":2,"reason":"ts"},"#
          + #"{"index":3,"reason":"name"},{"index":4}]}"#,
        ["name": 2, "ts": 1, "unknown": 1]
      ),
      ("", [:]), ("garbage", [:]), (#"{"rejected":7}"#, [:]), ("[]", [:]),
    ] as [(String, [String: Int])]
  )
  func `rejections are counted by reason, and what cannot be read refuses nothing`(
    body: String,
    expected: [String: Int]
  ) {
    let response = UploadResponse.answered(status: 202, headers: [:], body: Array(body.utf8))
    #expect(codec.rejections(response) == expected)
  }

  @Test func `no answer is a failure with the transport's words`() {
    let cases: [(TransportFailure, DeliveryProblem.Kind)] = [
      (.timedOut, .timedOut), (.offline("no route"), .offline), (.tls("expired"), .offline),
    ]
    for (failure, kind) in cases {
      guard case .failed(let problem, nil) = codec.verdict(.failed(failure), now: 0) else {
        Issue.record("\(failure) should be a failure")
        continue
      }
      #expect(problem.kind == kind)
      #expect(problem.description.contains("\(failure)"))
    }
  }

  @Test func `Retry-After is read from the answer's header`() {
    let answer = UploadResponse.answered(status: 429, headers: ["retry-after": "7"], body: [])
    guard case .failed(_, retryAfterSeconds: 7) = codec.verdict(answer, now: 0) else {
      Issue.record("The header was not read.")
      return
    }
  }
}
