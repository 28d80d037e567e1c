import Catalog
import Foundation
import Insights

/// One kind of question: the form it is asked with, and below it the answer.
struct QuestionPage: Page {
  let project: Project
  let kind: QuestionKind
  let controls: QuestionControls
  /// The answer; nil when there is none yet.
  var report: Report?
  /// How far the answer is, where it is on its way.
  var waiting: WaitingView?
  /// Why there is none, if something is wrong with the question.
  var problem: String?
  /// Names in the question that no event has, with what was probably meant.
  var unknown: HTML?
  /// Saves the question to a board; nil where nobody may.
  var saving: HTML?
  /// How an answer comes about, where nothing was asked yet.
  var hint: String?

  var title: String { "\(kind.title) · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>\(kind.title)</h1>
    <nav class="tabs tabs-page" id="questions" aria-label="Questions">\(QuestionKind.all.map(tab))</nav></div>
    <div id="insight">
    \(controls.html)
    <div id="answer">\(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(hint.map { #"<section class="card"><p class="empty-line">\#($0)</p></section>"# as HTML })
    \(unknown)\(report.map(answer))
    \(waiting?.html)</div>
    </div>
    """
  }

  private func tab(_ other: QuestionKind) -> HTML {
    // What every question has goes along.
    let shared = QuestionKind.shared.map(\.name).filter { $0 != "interval" }
    var address = Address("projects", "\(project.id)", "insights", other.word)
    for name in shared { address = address.with(name, controls.values[name]) }
    return
      #"<a href="\#(address)"\#(#" aria-current="page""#, if: other.word == kind.word)>\#(other.title)</a>"#
  }

  private func answer(_ report: Report) -> HTML {
    ReportView(
      report: report,
      csv: controls.address(["format": "csv"]),
      hidesFirstTable: !["funnel", "retention"].contains(kind.word),
      saving: saving,
      isOfHours: kind.word == "hours",
      place: showsPeople ? (report.tables.count - 1, "who") : nil,
      link: { table, row, column in link(report, table, row, column) }
    ).html
  }

  /// Whether the people of a step of a funnel are listed, in the last table.
  private var showsPeople: Bool { kind.word == "funnel" && controls.values["people"] != nil }

  /// Who dropped out of a funnel is a click away, and so is what one of them did.
  private func link(_ report: Report, _ table: Int, _ row: Int, _ column: Int) -> Address? {
    guard kind.word == "funnel" else { return nil }
    if table == 0, column == 4, row > 0 {
      return controls.address(["people": "\(row)", "people-who": ""]).at("who")
    }
    if table == 0, column == 1 {
      return controls.address(["people": "\(row + 1)", "people-who": "came"]).at("who")
    }
    guard showsPeople, table == report.tables.count - 1, table > 0,
      case .text(let id) = report.tables[table].rows[row][0]
    else { return nil }
    return PersonAddress(id).address(project: project.id)
  }
}
