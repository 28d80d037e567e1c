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
    (0, "now"), (4, "now"), (5, "5 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"),
    (3_600, "1 h"), (86_399, "23 h"), (86_400, "1 d"), (2_591_999, "29 d"),
    (2_592_000, "1 Nov 2026"), (-60, "now"), (-61, "in 1 min"),
  ])
  func `ages have one unit`(secondsAgo: Int64, text: String) {
    let now: Int64 = 1_796_117_400_000
    #expect(Moment(ms: now - secondsAgo * 1_000, zone: .gmt).age(nowMs: now) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "−12,345"),
  ])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(number.grouped == text)
  }
}
