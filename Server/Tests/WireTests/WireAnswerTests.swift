import Testing

@testable import Wire

@Suite struct `Answers without decoding` {
  @Test(arguments: [
    (NativeEvents.unknownKey(), 401), (NativeEvents.tooLarge(limitBytes: 10), 413),
    (NativeEvents.unsupported("\"x\"\n"), 415),
    (NativeEvents.overloaded(retryAfterSeconds: 3), 503),
    (NativeEvents.overloaded(status: 429, retryAfterSeconds: 3), 429),
    (AmplitudeHTTPV2.unknownKey("k"), 400), (AmplitudeHTTPV2.tooLarge(), 413),
    (AmplitudeHTTPV2.overloaded(retryAfterSeconds: 3), 503),
    (AmplitudeHTTPV2.overloaded(status: 429, retryAfterSeconds: 3), 429),
  ])
  func `every answer is JSON whose code is its status`(answer: WireAnswer, status: Int) throws {
    #expect(answer.status == status)
    #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("{\"code\":\(status),"))
    try answer.body.withUnsafeBytes { body in
      var scanner = JSONScanner(body)
      try scanner.skipValue()
      let isAtEnd = scanner.isAtEnd()
      #expect(isAtEnd)
    }
    #expect(answer.retryAfterSeconds == (status == 503 || status == 429 ? 3 : nil))
  }

  @Test func `a 429 has the number that old Android clients read`() {
    let body = AmplitudeHTTPV2.overloaded(status: 429, retryAfterSeconds: 1).body
    #expect(String(decoding: body, as: UTF8.self).contains("\"eps_threshold\":30"))
  }
}
