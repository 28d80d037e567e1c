import Testing

@testable import FootfallCLI

@Suite struct `A moment in an option` {
  @Test(
    arguments: [
      ("2026-12-01", 1_796_083_200_000), ("1970-01-01", 0),
      ("2026-12-01T09:30:00Z", 1_796_117_400_000), ("2026-12-01t09:30:00z", 1_796_117_400_000),
      ("2026-12-01T09:30:00.5Z", 1_796_117_400_500),
      ("2026-12-01T09:30:00.123Z", 1_796_117_400_123),
      ("2026-12-01T11:30:00+02:00", 1_796_117_400_000),
      ("2026-12-01T04:00:00.250-05:30", 1_796_117_400_250),
    ] as [(String, Int64)]
  )
  func `is the moment it names, to the millisecond`(text: String, ms: Int64) {
    #expect(WrittenMoment(text)?.ms == ms)
  }

  @Test(arguments: [
    "", "yesterday", "2026-12-01x", "2026-12-01Tgarbage", "2026-12-01T09:30", "2026-12-01T09:30:00",
    "2026-12-01 09:30:00Z", "2026-12-01T09:30:00Zz", "2026-12-01T09:30:00+2", "2026-13-01",
    "2026-02-30", "2026-12-01T25:00:00Z", "2026-12-01T09:60:00Z", "2026-12-01T09:30:00+25:00",
    "٢٠٢٦-12-01", "2026-12-01T09:30:00.Z", "12026-12-01",
  ])
  func `is none when any of it makes no sense`(text: String) {
    #expect(WrittenMoment(text) == nil)
  }
}
