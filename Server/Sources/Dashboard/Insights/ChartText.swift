import Foundation
import Insights

/// What a chart says beside its lines: what its axis counts, and what is drawn in another way.
struct ChartText {
  let report: Report
  let chart: Report.Chart

  /// What the numbers along the axis are, such as `Events per day` or `USD per week`; nil where the chart
  /// has no such axis.
  var axis: String? {
    guard chart.kind != .flow else { return nil }
    let every: String
    if case .time? = chart.places.first {
      every = " per \(report.interval.rawValue)"
    } else {
      every = ""
    }
    switch chart.unit {
    case .share: return "Share in %" + every
    case .money: return (report.currency ?? "Amount") + every
    case .duration: return "Length of time" + every
    case .change: return "Change in %" + every
    case .count, .number, .text, .time:
      guard let first = report.figures.first?.title, chart.kind != .bars else { return nil }
      // Where each line has a figure of its own, the axis counts what all of them are.
      let lines = chart.lines.filter { !$0.isPrevious }.map(\.name)
      let title = lines.count > 1 && lines.contains(first) ? report.title : first
      // Who was active within seven days is not told “per day”.
      return title + (report.title.hasPrefix("Active ") ? "" : every)
    }
  }

  /// What is hatched or dashed, each with a style for its sign and with words.
  var notes: [(style: String, text: String)] {
    let word = report.interval.rawValue
    let look = chart.kind == .lines ? "Dashed" : "Hatched"
    let style = chart.kind == .lines ? "dashed" : "hatched"
    var notes: [(style: String, text: String)] = []
    if report.isFirstCut {
      notes.append((style, "\(look): the first \(word), counted in part"))
    }
    if chart.isLastOpen {
      notes.append((style, "\(look): this \(word) so far"))
    } else if report.isLastCut {
      notes.append((style, "\(look): the last \(word), counted in part"))
    }
    if chart.kind == .flow { notes.append(("hatched", "Hatched: \(endName.lowercased())")) }
    return notes
  }

  /// What becomes of paths that go no further, or where those came from that began later.
  var endName: String { places?.columns.last?.title ?? "" }

  /// The same by column of the chart, from 0 on, and event.
  var ends: [(step: Int, name: String, count: Int, isFirst: Bool)] {
    guard let places else { return [] }
    return places.rows.compactMap { row in
      guard row.count == 5, case .text(let step) = row[0], case .text(let name) = row[1],
        case .number(let count?) = row[4]
      else { return nil }
      let last = chart.places.count - 1
      // Seen from the event that all paths have: forwards from the first column, or backwards from the last.
      let away = Int(step.drop { !$0.isNumber }) ?? 0
      let isTo = step == "End" || step.hasPrefix("−")
      return (isTo ? last - away : away, name, Int(count), isTo)
    }
  }

  private var places: Report.Table? {
    guard chart.kind == .flow else { return nil }
    return report.tables.first { $0.columns.count == 5 && $0.columns[4].unit == .count }
  }
}
