import Testing

@testable import Wire

@Suite struct `What Amplitude's clients count` {
  @Test(
    arguments: [
      (
        #"{"tags":{"os":"ios"},"counters":{"analytics.events.sent":40,"analytics.events.dropped":3},"events":[]}"#,
        3
      ),
      (#"{"counters":{"analytics.events.dropped":"3"}}"#, 0), (#"{"counters":null}"#, 0), ("{}", 0),
      (#"{"counters":{"analytics.events.dropped":-3}}"#, 0), ("", nil), ("[]", nil), ("{} {}", nil),
      (#"{"counters":{"#, nil),
    ] as [(String, Int64?)]
  )
  func `dropped events are found among all the rest`(body: String, dropped: Int64?) {
    let found = Array(body.utf8).withUnsafeBytes { AmplitudeDiagnostics.droppedEvents($0) }
    #expect(found == dropped)
  }
}
