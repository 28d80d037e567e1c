import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

/// What a board's card shows of the answer to its question.
struct BoardAnswer {
  let card: BoardCard
  let setting: QuestionForm.Setting
  /// Whether somebody looks who is not signed in.
  let isShared: Bool

  /// Asks the store; whatever goes wrong is said on the card, and the rest of the board stands.
  ///
  /// `cancellation` stops the question when whoever asked goes away; nil where others may wait, too.
  func html(_ store: any EventStore, cancellation: Cancellation?) -> HTML {
    guard case .chart(let word, let parameters) = card.content else { return .empty }
    do {
      let question = try SavedQuestion(word: word, query: parameters)
      if isShared, try question.namesPeople(setting.segments) {
        return message("This chart tells people apart and is not shown by links.")
      }
      return shown(try question.report(setting, on: store, cancellation: cancellation), question)
    } catch let problem as QuestionForm.Problem {
      return message("This cannot be asked any more: \(problem.description)")
    } catch StoreError.timedOut(let seconds) {
      return message("This took longer than \(Int(seconds)) seconds and was stopped.")
    } catch {
      // What a store says of itself may name its files.
      return message(isShared ? "This cannot be answered now." : ClientText.of(error))
    }
  }

  private func shown(_ report: Report, _ question: SavedQuestion) -> HTML {
    guard !report.isEmpty else {
      return
        #"\#(ReportPeriod(report: report).html)<p class="empty-line">Nothing like that happened in this time.</p>"#
    }
    let view = ReportView(
      report: report,
      csv: nil,
      hidesFirstTable: true,
      id: "card-\(card.id)",
      name: card.title,
      isOfHours: question.kind.word == QuestionKind.hours.word
    )
    return """
      \(view.period)\(view.figures)\(view.chart)\(view.note)
      <div class="card-actions">\(report.tables.isEmpty ? nil : view.toggled)\(view.pictureButton)</div>
      """
  }

  private func message(_ text: String) -> HTML { #"<p class="empty-line">\#(text)</p>"# }
}
