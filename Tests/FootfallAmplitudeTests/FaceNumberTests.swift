import Testing

@testable import FootfallAmplitude

/// Numbers that no clock gives, handed over by an app.
@Suite struct `Amplitude: any number of an app's` {
  @Test(
    arguments: [
      (100, 350, 250), (350, 100, -250), (.min, .max, .max), (.max, .min, .min), (1, .min, .min),
      (-1, .max, .max), (1, .max, .max - 1), (0, .min, .min),
    ] as [(start: Int64, end: Int64, duration: Int64)]
  )
  func `a network request may have begun and ended at any time`(
    start: Int64,
    end: Int64,
    duration: Int64
  ) {
    let event = NetworkRequestEvent(
      url: "http://127.0.0.1/",
      method: "GET",
      statusCode: .max,
      startTime: start,
      completionTime: end,
      requestBodySize: .min,
      responseBodySize: .max
    )
    #expect(event.eventProperties?["[Amplitude] Duration"] as? Int64 == duration)
  }
}
