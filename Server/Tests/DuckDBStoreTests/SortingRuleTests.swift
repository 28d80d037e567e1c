import Testing

@testable import DuckDBStore

@Suite struct `When events are sorted` {
  private static let august = TierCounts.Month(project: 1, number: 2026 * 12 + 7)
  private static let july = TierCounts.Month(project: 2, number: 2026 * 12 + 6)

  /// Pieces of 100 rows; 1,000 hot ones are many, 150 are enough in a quiet moment, 20 stay.
  private static var rule: SortingRule {
    var rule = SortingRule()
    rule.pieceRows = 100
    rule.maxHotRows = 1_000
    rule.quietHotRows = 150
    rule.keptRows = 20
    rule.minRunRows = 400
    rule.maxRunRows = 5_000
    rule.runShare = 0.25
    return rule
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var hot = 0
    var august = (runs: 0, settled: 0)
    var july = (runs: 0, settled: 0)
    var settlesAugust = false
    var moment: SortingRule.Moment
    var step: SortingRule.Step?

    var testDescription: String {
      "\(moment), \(hot) hot, \(august), \(july), \(settlesAugust) → \(String(describing: step))"
    }
  }

  @Test(arguments: [
    Case(hot: 999, august: (runs: 9_999, settled: 0), moment: .busy, step: nil),
    Case(hot: 1_000, moment: .busy, step: .move(100)),
    Case(hot: 1_000, settlesAugust: true, moment: .busy, step: .move(100)),
    Case(hot: 149, moment: .quiet, step: nil),
    Case(hot: 150, moment: .quiet, step: .move(100)),
    // The last rows that arrived stay where they are.
    Case(hot: 20, moment: .quiet, step: nil),
    Case(august: (runs: 399, settled: 0), moment: .quiet, step: nil),
    Case(august: (runs: 400, settled: 1_600), moment: .quiet, step: .settle(august)),
    Case(august: (runs: 400, settled: 1_604), moment: .quiet, step: nil),
    Case(august: (runs: 5_000, settled: 9_999_999), moment: .quiet, step: .settle(august)),
    Case(
      august: (runs: 500, settled: 0),
      july: (runs: 501, settled: 0),
      moment: .quiet,
      step: .settle(july)
    ),
    // What was begun is ended first, unless the hot rows become too many.
    Case(
      hot: 999,
      july: (runs: 501, settled: 0),
      settlesAugust: true,
      moment: .quiet,
      step: .settle(august)
    ),
    Case(hot: 1_000, settlesAugust: true, moment: .quiet, step: .move(100)),
    Case(hot: 1, august: (runs: 1, settled: 0), moment: .asked, step: .move(100)),
    Case(
      august: (runs: 1, settled: 0),
      july: (runs: 1, settled: 0),
      moment: .asked,
      step: .settle(july)
    ),
    Case(august: (runs: 1, settled: 0), settlesAugust: true, moment: .asked, step: .settle(august)),
    Case(august: (runs: 0, settled: 7), moment: .asked, step: nil),
  ])
  func `follows the rule`(of example: Case) {
    var tiers = TierCounts(hot: example.hot)
    for (month, rows) in [(Self.august, example.august), (Self.july, example.july)] {
      tiers.months[month] = TierCounts.Sorted(runs: rows.runs, settled: rows.settled)
    }
    let settling = example.settlesAugust ? Self.august : nil
    #expect(Self.rule.next(tiers, settling: settling, example.moment) == example.step)
  }

  @Test func `a piece may be larger than what stays`() {
    var rule = Self.rule
    rule.keptRows = 90
    #expect(rule.next(TierCounts(hot: 160), settling: nil, .quiet) == .move(70))
  }
}
