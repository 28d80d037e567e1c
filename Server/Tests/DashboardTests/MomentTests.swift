import Foundation
import Testing

@testable import Dashboard

@Suite struct `Moments` {
  private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  @Test func `a time is written in the project's zone, with summer time`() {
    let winter = Moment(ms: 1_796_117_405_123, zone: berlin)
    #expect(winter.full == "1 Dec 2026, 10:30:05.123 +01:00")
    #expect(winter.iso == "2026-12-01T09:30:05.123Z")
    #expect(winter.longDate == "Tue 1 Dec 2026")
    let summer = Moment(ms: 1_780_000_000_000, zone: berlin)
    #expect(summer.full == "28 May 2026, 22:26:40.000 +02:00")
    #expect(Moment(ms: 0, zone: .gmt).full == "1 Jan 1970, 00:00:00.000 UTC")
    let west = TimeZone(secondsFromGMT: -12_600) ?? .gmt
    #expect(Moment(ms: 0, zone: west).full == "31 Dec 1969, 20:30:00.000 −03:30")
  }

  @Test func `dates agree with the calendar over four centuries`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: Int64(-60_000), to: 90_000, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let iso = Moment(ms: day * 86_400_000, zone: .gmt).iso
      let expected = [parts.year, parts.month, parts.day].map { number in
        let text = String(number ?? 0)
        return text.count < 2 ? "0" + text : text
      }
      #expect(iso.prefix(10) == expected.joined(separator: "-"))
    }
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `a time from a broken client does not stop the page`(ms: Int64) {
    #expect(!Moment(ms: ms, zone: berlin).full.isEmpty)
  }

  @Test(arguments: [
    (0, "now"), (4, "now"), (5, "5 s ago"), (59, "59 s ago"), (60, "1 min ago"),
    (3_599, "59 min ago"), (3_600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 d ago"),
    (2_591_999, "29 d ago"),
    (2_592_000, "1 Nov 2026"), (-60, "now"), (-61, "in 1 min"),
  ])
  func `ages have one unit and say that they are no lengths`(secondsAgo: Int64, text: String) {
    let now: Int64 = 1_796_117_400_000
    #expect(Moment(ms: now - secondsAgo * 1_000, zone: .gmt).age(nowMs: now) == text)
  }

  @Test(arguments: [
    (0, "0 ms"), (240, "240 ms"), (3_250, "3.2 s"), (59_999, "59.9 s"), (300_000, "5 min"),
  ])
  func `short lengths are told to the millisecond`(ms: Int64, text: String) {
    #expect(Moment.fineSpan(ms) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (1_550, "1.6 KB"),
    (999_949, "999.9 KB"), (999_950, "1 MB"), (2_000_000_000, "2 GB"),
    (1_234_000_000_000_000, "1,234 TB"),
  ])
  func `sizes are told in the largest unit`(bytes: Int, text: String) {
    #expect(bytes.byteSize == text)
  }

  @Test func `a time of day has its day where another is meant`() {
    let midnight = Moment(ms: 1_796_079_600_000, zone: berlin)
    #expect(midnight.full == "1 Dec 2026, 00:00:00.000 +01:00")
    let before = Moment(ms: midnight.ms - 2_000, zone: berlin)
    #expect(before.clock(besides: midnight) == "30 Nov, 23:59:58.000")
    #expect(midnight.clock(besides: midnight) == "00:00:00.000")
    #expect(before.clockElement(besides: midnight).text.contains(">30 Nov, 23:59:58<"))
    #expect(midnight.clockElement(besides: midnight).text.contains(">00:00:00<"))
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "−12,345"),
  ])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(number.grouped == text)
  }
}
