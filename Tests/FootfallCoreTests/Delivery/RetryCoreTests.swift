import FootfallCore
import Testing

@Suite struct `Retry` {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `delays are full jitter between nothing and a doubling bound of at most 300 s`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    var retry = RetryCore()
    for failure in 0..<200 {
      let bound = failure < 9 ? Double(1 << failure) : 300
      #expect(retry.boundSeconds == min(bound, 300))
      let delay = retry.failed(using: &random)
      #expect((0...bound).contains(delay))
    }
    retry.reset()
    #expect(retry.boundSeconds == 1)
  }

  @Test func `the jitter fills its range`() {
    var random = SeededRandom(seed: 5)
    let delays = (0..<1_000).map { _ in
      var retry = RetryCore()
      return retry.failed(using: &random)
    }
    #expect(delays.contains { $0 < 0.1 } && delays.contains { $0 > 0.9 })
  }

  @Test(arguments: [(90.0, 90.0), (7_200, 3_600), (-5, 0)])
  func `Retry-After is a lower bound of at most an hour`(asked: Double, atLeast: Double) {
    var random = SeededRandom(seed: 1)
    var retry = RetryCore()
    let delay = retry.failed(retryAfterSeconds: asked, using: &random)
    #expect(delay >= atLeast && delay <= max(atLeast, 1))
  }

  @Test(arguments: [
    ("90", 90.0), (" 5 ", 5), ("0", 0), ("-1", nil), ("soon", nil), ("", nil),
    ("Tue, 01 Dec 2026 09:30:45 GMT", 45), ("Tue, 01 Dec 2026 09:29:00 GMT", 0),
    ("Tue, 01 Foo 2026 09:29:00 GMT", nil), ("Thu, 29 Feb 2028 00:00:00 GMT", 39_277_800),
  ])
  func `Retry-After is read as seconds or as a date`(value: String, seconds: Double?) {
    // 1 December 2026, 09:30:00 UTC.
    #expect(RetryAfter.seconds(value, now: 1_796_117_400) == seconds)
  }
}
