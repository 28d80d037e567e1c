import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// Every question over the fortnight of `Fixtures/insights`, whose README says what happened.
///
/// Each day 46 regulars have three events each, 138 together; the numbers below start from there.
@Suite struct `A fortnight whose numbers are known` {
  private static let nowMs: Int64 = 1_793_700_000_000  // 3 November

  private let duck: TestStore
  private let model: InMemoryEventStore

  init() throws {
    duck = try TestStore()
    try duck.load(ReasonedHistory.sent())
    model = InMemoryEventStore(try ReasonedHistory.counted())
  }

  /// Asks DuckDB and the definition, which must agree.
  private func report(_ kind: QuestionKind, _ values: [String: String] = [:]) throws -> Report {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let fortnight = ["from": "2026-10-19", "to": "2026-11-01"]
    let form = QuestionForm(
      fortnight.merging(values) { $1 },
      .init(project: 1, timeZone: berlin, currency: "EUR", nowMs: Self.nowMs)
    )
    let report = try kind.report(form, on: duck.store)
    #expect(try report == kind.report(form, on: model), "\(kind.word) \(values)")
    return report
  }

  private func figures(_ report: Report) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: report.figures.map { ($0.title, $0.value ?? .nan) })
  }

  /// A table's rows by their first cells.
  private func rows(_ table: Report.Table) -> [String: [Report.Cell]] {
    Dictionary(
      table.rows.map { row in
        if case .text(let text) = row[0] { (text, Array(row.dropFirst())) } else { ("", []) }
      },
      uniquingKeysWith: { $1 }
    )
  }

  private func counts(_ numbers: [Int]) -> [Double?] { numbers.map(Double.init) }

  // MARK: Trend

  /// What comes to the 138: m 5; Bought 10; once 20 + 10; refunds 2; m 5; m 5; d1 2; crashes 3; Bought 6;
  /// nothing; l1, although it came a day later; n 2 and b1 by its corrected time; n 2; nothing.
  private static let days = [143, 148, 168, 140, 143, 143, 140, 141, 144, 138, 139, 141, 140, 138]

  @Test func `events count once, on the day in Berlin when they happened`() throws {
    let trend = try report(.trend, ["interval": "day"])
    #expect(trend.chart?.lines.first?.values == counts(Self.days))
    #expect(figures(trend)["Events"] == 2_006)
    // By UTC the two that viewed after midnight did so before it; nobody else is near a midnight.
    let utc = try report(.trend, ["interval": "day", "zone": "UTC"])
    var days = Self.days
    days[11] += 2
    days[12] -= 2
    #expect(utc.chart?.lines.first?.values == counts(days))
    // With tests there are ten more on day 3; the other project's five stay its own.
    let tests = try report(.trend, ["interval": "day", "test": "true"])
    #expect(tests.chart?.lines.first?.values[2] == 178)
    #expect(figures(tests)["Events"] == 2_016)
  }

  @Test func `weeks and months begin where they are told to`() throws {
    // The first seven days, and the last.
    let monday = try report(.trend, ["interval": "week"])
    #expect(monday.chart?.lines.first?.values == [1_025, 981])
    // Six days up to Saturday, seven from Sunday 25 October on, Sunday 1 November.
    let sunday = try report(.trend, ["interval": "week", "week": "sun"])
    #expect(sunday.chart?.lines.first?.values == [885, 983, 138])
    let months = try report(.trend, ["interval": "month"])
    #expect(months.chart?.lines.first?.values == [1_868, 138])
    // Sunday 25 October has 25 hours; at 10:00 there are 138 on each day, and the two pings at 02:30 lie in
    // two different hours.
    let hours = try report(
      .trend,
      ["from": "2026-10-25", "to": "2026-10-25", "interval": "hour"]
    )
    let values = hours.chart?.lines.first?.values ?? []
    #expect(values.count == 25)
    #expect([2, 3, 11].map { values[$0] } == [1, 1, 138])
  }

  @Test func `people are users with all devices`() throws {
    // 46 regulars, 20 once, 5 with what they did before signing in, n1, n2, d1, l1, b1.
    #expect(figures(try report(.trend, ["measure": "people"]))["People"] == 76)
    // The five have two devices each.
    let devices = try report(.trend, ["measure": "people", "unit": "devices"])
    #expect(figures(devices)["Devices"] == 81)
    let each = try report(.trend, ["measure": "per-person"])
    #expect(figures(each)["Events per person"] == 2_006.0 / 76)
    let visits = try report(.trend, ["measure": "per-session"])
    #expect(figures(visits)["Events per session"] == 2_006.0 / 681)
  }

  @Test func `a property's numbers, groups, filters and formulas`() throws {
    func views(_ measure: String) throws -> Double? {
      let report = try report(
        .trend,
        ["events": "Item Viewed", "measure": measure, "property": "price"]
      )
      return report.figures.first?.value
    }
    // 46 times 14 prices of 1 and as many of 3; the views of others have none.
    #expect(try views("sum") == 2_576)
    #expect(try views("average") == 2)
    #expect(try views("median") == 2)
    #expect(try views("p90") == 3)
    #expect(try views("minimum") == 1 && views("maximum") == 3)
    let platforms = try report(.trend, ["by": "platform"])
    // iOS: 30 regulars with 42 events, 16 Bought, 2 Refunded; Android: 16 with 42, 3 crashes; the web: 30;
    // none: 15 of the five, 4 of n1 and n2, 4 pings.
    let lines = Dictionary(
      uniqueKeysWithValues: (platforms.chart?.lines ?? []).map {
        ($0.name, $0.values.compactMap { $0 }.reduce(0, +))
      }
    )
    #expect(lines == ["iOS": 1_278, "Android": 675, "Web": 30, "(not set)": 23])
    let dear = try report(.trend, ["where": "props.price:over:2"])
    #expect(figures(dear)["Events"] == 644)
    // 16 Bought of 681 App Opened: 644 of regulars, 20, 15 and 2; on days without any there is a 0.
    let formula = try report(
      .trend,
      ["events": "Bought;App Opened", "formula": "A / B * 100", "interval": "day"]
    )
    #expect(formula.figures.first?.value == 16.0 / 681 * 100)
    #expect(formula.chart?.lines.first?.values[1] == 10.0 / 46 * 100)
    // Nobody pinged on the first day: nothing to divide by.
    let gap = try report(.trend, ["events": "Bought;Ping", "formula": "A/B", "interval": "day"])
    #expect(gap.chart?.lines.first?.values[0] == nil && gap.chart?.lines.first?.values[6] == 0)
    // 981 events in the second week after 1,025 in the first.
    let compared = try report(
      .trend,
      ["from": "2026-10-26", "to": "2026-11-01", "compare": "true"]
    )
    #expect(compared.figures.first?.previous == 1_025)
  }

  // MARK: Activity and retention

  @Test func `active, new and returning people`() throws {
    let active = try report(.active, ["interval": "day"])
    let lines = active.chart?.lines ?? []
    // Beside the 46: m on days 1, 5 and 6, once on day 3, d1, l1, n with b1, n.
    #expect(lines[0].values == counts([51, 46, 66, 46, 51, 51, 47, 46, 46, 46, 47, 49, 48, 46]))
    #expect(lines[1].values == counts([51, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0]))
    // Up to day 7: 46, 20, 5 and d1; up to day 14: 46, l1, b1, n1 and n2.
    #expect(lines[2].values[6] == 72 && lines[2].values[13] == 50)
    #expect(lines[3].values[13] == 76)
    #expect(figures(active)["Stickiness"] == 46.0 / 76)
    // Of the 51 of day 6 all but the five came back on days 7 to 13.
    #expect(figures(active)["Seven-day retention"] == 46.0 / 51)
    #expect(figures(active)["First to last day"] == 46.0 / 51 - 1)
  }

  @Test func `who came back a week later`() throws {
    let retention = try report(.retention, ["interval": "week", "entry": "new", "by": "platform"])
    // 72 first seen in the first week, of whom the regulars came back; four in the second, after which
    // the third is not over.
    #expect(figures(retention)["Cohorts’ people"] == 76)
    #expect(figures(retention)["Week 1"] == 46.0 / 72)
    #expect(retention.tables[0].rows.map { $0[1] } == [.count(76), .count(72), .count(4)])
    let groups = rows(retention.tables[1])
    #expect(groups["iOS"]?.first == .count(30) && groups["iOS"]?[1] == .number(1))
    #expect(groups["Web"]?.first == .count(20) && groups["Web"]?[1] == .number(0))
  }

  // MARK: Funnel

  @Test func `from opening to buying`() throws {
    let steps = ["steps": "App Opened;Item Viewed;Bought"]
    let funnel = try report(.funnel, steps.merging(["by": "platform"]) { $1 })
    // 46, 20, 5 and 2 opened; 46, 10 and 2 viewed; 10 and 6 bought.
    #expect(funnel.tables[0].rows.map { $0[1] } == [.count(73), .count(58), .count(16)])
    // 56 took 10 s to view and two took 20 minutes; all who bought did a minute after opening.
    #expect(
      funnel.tables[0].rows.map { $0[5] } == [.number(nil), .number(10_000), .number(60_000)]
    )
    #expect(funnel.tables[0].rows[1][6] == .number(2_960_000.0 / 58))
    #expect(
      funnel.tables[1].rows.map { $0.prefix(4) } == [
        [.text("iOS"), .count(30), .count(30), .count(16)],
        [.text("Web"), .count(20), .count(10), .count(0)],
        [.text("Android"), .count(16), .count(16), .count(0)],
        [.text("(not set)"), .count(7), .count(2), .count(0)],
      ]
    )
    // Directly one after the other: nobody buys before the second view, everybody after it.
    let direct = try report(
      .funnel,
      ["steps": "App Opened;Item Viewed;Item Viewed;Bought", "order": "strict"]
    )
    #expect(
      direct.tables[0].rows.map { $0[1] } == [.count(73), .count(58), .count(46), .count(16)]
    )
    // Within an hour of the same price: 1 and 3 lie ten seconds apart, so no price is viewed twice.
    let same = try report(
      .funnel,
      ["steps": "Item Viewed;Item Viewed", "window": "1", "same": "props.price"]
    )
    #expect(same.tables[0].rows.map { $0[1] } == [.count(46), .count(0)])
    // r01 and r02 gave something back before they opened again: with a refund in between none completes.
    let without = try report(
      .funnel,
      ["steps": "Bought;Refunded;App Opened", "without": "Item Viewed"]
    )
    #expect(without.tables[0].rows.map { $0[1] } == [.count(16), .count(0), .count(0)])
    let people = try report(
      .funnel,
      ["steps": "Bought;Refunded", "people": "2", "people-who": "came"]
    )
    #expect(people.tables.last?.rows == [[.text("r01")], [.text("r02")]])
  }

  // MARK: Sessions

  @Test func `sessions, their lengths, bounces and crashes`() throws {
    let sessions = try report(.sessions, ["interval": "day"])
    let numbers = figures(sessions)
    // 644 of regulars, 20, 15 of single events, and two over midnight.
    #expect(numbers["Sessions"] == 681)
    // 626 of 20 s, 16 with a purchase of 60 s, 2 with a refund of 120 s, 10 of 10 s, 2 of 20 minutes.
    #expect(numbers["Average length"] == 16_220_000.0 / 681)
    // The once and the five are below 20 s; regulars have just that.
    #expect(numbers["Bounce rate"] == 35.0 / 681)
    #expect(numbers["Crash-free"] == 678.0 / 681)
    // 46, 20, 5, 2.
    #expect(numbers["Per person"] == 681.0 / 73)
    let days = sessions.tables[0].rows.map { $0[1] }
    #expect(days[11] == .count(48) && days[12] == .count(46))
  }

  // MARK: Revenue

  @Test func `revenue by currency, never added`() throws {
    let euros = try report(.revenue)
    // Five of 5 and one of 7 that names no currency.
    #expect(euros.title == "Revenue in EUR")
    #expect(figures(euros)["Revenue"] == 32)
    #expect(figures(euros)["Purchases"] == 6 && figures(euros)["Paying people"] == 6)
    let dollars = try report(.revenue, ["currency": "USD"])
    // Ten of 20, two of 10 given back; what names no currency stays in the project's.
    #expect(figures(dollars)["Revenue"] == 180)
    #expect(figures(dollars)["Units sold"] == 20)
    let prices = try report(.revenue, ["currency": "USD", "formula": "price"])
    #expect(figures(prices)["Revenue"] == 80)
  }

  // MARK: Paths, hours, sign-ins

  @Test func `paths from opening and to buying`() throws {
    let paths = try report(.paths, ["event": "App Opened", "steps": "3"])
    #expect(figures(paths)["Paths"] == 681 && figures(paths)["People"] == 73)
    #expect(
      paths.tables[2].rows.map { Array($0.prefix(3)) } == [
        // Regulars view twice; once and the five open only; ten and two view once.
        [.text("App Opened → Item Viewed → Item Viewed"), .count(644), .count(46)],
        [.text("App Opened"), .count(25), .count(15)],
        [.text("App Opened → Item Viewed"), .count(12), .count(12)],
      ]
    )
    #expect(figures(paths)["Stopped there"] == 25.0 / 681)
    let merged = try report(.paths, ["event": "App Opened", "steps": "3", "merge": "true"])
    #expect(
      merged.tables[2].rows.map { Array($0.prefix(2)) } == [
        // 644 less 16 purchases, 3 crashes and 2 refunds, and twelve.
        [.text("App Opened → Item Viewed"), .count(635)], [.text("App Opened"), .count(25)],
        [.text("App Opened → Item Viewed → Bought"), .count(16)],
        [.text("App Opened → Item Viewed → app_crashed"), .count(3)],
        [.text("App Opened → Item Viewed → Refunded"), .count(2)],
      ]
    )
    let back = try report(.paths, ["event": "Bought", "direction": "to", "steps": "2"])
    #expect(back.tables[2].rows.map { $0[0] } == [.text("Item Viewed → Bought")])
    // Within days the two of midnight open on one and view on the other.
    let days = try report(.paths, ["event": "App Opened", "within": "day", "steps": "2"])
    #expect(days.tables[2].rows.map { $0[1] } == [.count(654), .count(27)])
  }

  @Test func `hours of the week, and sign-ins by names of one's own`() throws {
    let hours = try report(.hours, ["event": "App Opened"])
    let table = rows(hours.tables[1])
    // Two of each weekday at 10; once on a Wednesday at 12; the five at 9 on a Monday, Friday, Saturday.
    #expect(table["Monday"]?[10] == .count(92) && table["Monday"]?[9] == .count(5))
    #expect(table["Wednesday"]?[12] == .count(20))
    #expect(table["Friday"]?[23] == .count(2) && table["Saturday"]?[9] == .count(5))
    let pings = rows(try report(.hours, ["event": "Ping"]).tables[1])
    #expect(pings["Sunday"]?[2] == .count(2))
    let signIns = try report(
      .signIns,
      ["sign-in": "Bought;Refunded", "sign-up": "Ping", "failure": "app_crashed"]
    )
    #expect(signIns.figures.map(\.value) == [18, 4, 3])
  }
}
