import Catalog
import EventStore
import Foundation
import Insights
import ProjectQuestions
import ServerApp

extension Command {
  private static let places: Set<String> = ["data", "project", "format", "share"]

  /// `footfall query`: the questions of the dashboard, asked of a stopped server's store.
  static let query = Command(
    name: "query",
    summary: "Ask a question: \(QuestionKind.all.map(\.word).joined(separator: ", "))",
    usage: """
      Usage: footfall query QUESTION [options]

      Asks a question of the store of a server that is not running; the same questions are in the
      dashboard and, while the server runs, in its API, with the same options as parameters.

        --data DIR      the data folder (default ./data)
        --project P     the project's number or name; not needed while there is one project
        --format F      text (default), csv or json
        --share DIR     the folder with libduckdb

      \(QuestionKind.all.map(Self.usage).joined(separator: "\n\n"))

      For every question:
      \(QuestionKind.shared.map(Self.line).joined(separator: "\n"))
      """
  ) { words, terminal in
    guard let word = words.first, let kind = QuestionKind.all.first(where: { $0.word == word })
    else {
      // An option in its place is told of as such, if there is none of that name.
      if words.first?.hasPrefix("-") == true {
        _ = try Arguments(words, shape: Arguments.Shape(options: Self.places))
      }
      let known = QuestionKind.all.map(\.word).joined(separator: ", ")
      throw UsageError("Which question? It is one of \(known).")
    }
    let own = Set(kind.parameters.map(\.name))
    let arguments = try Arguments(
      Array(words.dropFirst()),
      shape: Arguments.Shape(options: own.union(Self.places))
    )
    let format = try arguments.choice("format", of: ["text", "csv", "json"], default: "text")
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let form = QuestionForm(
      arguments.options.filter { own.contains($0.key) },
      QuestionForm.Setting(
        project,
        in: catalog,
        nowMs: Int64(Date().timeIntervalSince1970 * 1_000)
      )
    )
    let store = try OpenedStore(try Serving.settings(arguments))
    defer { store.close() }
    do {
      let report = try kind.report(form, on: store.store)
      switch format {
      case "json": terminal.out(report.json)
      case "csv": terminal.out(report.csv.trimmingCharacters(in: .newlines))
      default: terminal.out(ReportText.text(report))
      }
    } catch let problem as QuestionForm.Problem {
      throw UsageError(problem.description)
    }
  }

  private static func usage(_ kind: QuestionKind) -> String {
    "\(kind.word): \(kind.about)\n" + kind.own.map(line).joined(separator: "\n")
  }

  private static func line(_ parameter: QuestionKind.Parameter) -> String {
    let what =
      switch parameter.kind {
      case .choice(let words): Set(words).count < 8 ? " (\(words.joined(separator: ", ")))" : ""
      default: ""
      }
    return "  --\(parameter.name)".padding(
      toLength: max(16, parameter.name.count + 6),
      withPad: " ",
      startingAt: 0
    )
      + parameter.about + what
  }
}

/// A report as lines for a person.
enum ReportText {
  static func text(_ report: Report) -> String {
    var lines = [report.title, report.definition, ""]
    for figure in report.figures {
      let value = number(figure.value, figure.unit)
      let before = figure.previous.map { ", before \(number($0, figure.unit))" } ?? ""
      lines.append("\(figure.title): \(value)\(before)")
    }
    for table in report.tables {
      lines += ["", table.title]
      let heads = table.columns.map(\.title)
      let cells = table.rows.map { row in
        zip(row, table.columns).map { cell, column in
          if case .number(let value) = cell { return number(value, column.unit) }
          return cell.text(report.interval, zone: report.timeZone)
        }
      }
      lines += TextTable.lines(
        heads,
        cells,
        numbers: table.columns.map { ![.text, .time].contains($0.unit) }
      )
    }
    return lines.map { EventLine.printable($0) }.joined(separator: "\n")
  }

  private static func number(_ value: Double?, _ unit: Report.Unit) -> String {
    guard let value else { return "-" }
    switch unit {
    case .share: return String(format: "%.1f %%", value * 100)
    case .change: return String(format: "%+.1f %%", value * 100)
    case .money: return String(format: "%.2f", value)
    case .duration: return String(format: "%.0f s", value / 1_000)
    default: return Int64(exactly: value).map(String.init) ?? String(format: "%.2f", value)
    }
  }
}
