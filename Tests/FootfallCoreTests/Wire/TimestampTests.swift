import FootfallCore
import Testing

@Suite struct `Timestamps` {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_764_581_400_123, "2025-12-01T09:30:00.123Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
      (.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)]
  )
  func `a moment is written as RFC 3339 in UTC`(milliseconds: Int64, text: String) {
    #expect(Timestamp.rfc3339(milliseconds: milliseconds) == text)
  }
}
