import Catalog
import Foundation

/// A project's boards.
struct BoardsPage: Page {
  let visitor: Visitor
  let project: Project
  let boards: [Board]
  var problem: String?
  var typed = ""

  var title: String { "Boards of \(project.name)" }

  private var mayChange: Bool { visitor.user.role.may(.manageBoards) }

  var content: HTML {
    """
    <div class="page-head"><h1>Boards</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(boards.isEmpty ? nothing : #"<div class="board-list">\#(boards.map(link))</div>"#)
    \(mayChange ? form : nil)
    """
  }

  private var nothing: HTML {
    """
    <section class="card"><p class="empty-line"><b>No board yet.</b> A board keeps the charts that a team \
    looks at together; any question can be saved to one.</p>
    \(mayChange ? startForm : #"<p class="hint">An editor can make one.</p>"#)</section>
    """
  }

  private var startForm: HTML {
    """
    <form method="post" action="\(Address("projects", "\(project.id)", "boards"))">\
    \(FormToken.field(visitor.formToken))<input type="hidden" name="kind" value="start">\
    <button type="submit" class="button button-main">Make a board with the usual charts</button></form>
    """
  }

  private func link(_ board: Board) -> HTML {
    let charts = board.cards.count { if case .chart = $0.content { true } else { false } }
    return """
      <a class="board-link" href="\(board.address)"><b>\(board.name)</b>\
      <span class="faint">\(charts) \(charts == 1 ? "chart" : "charts")</span></a>

      """
  }

  private var form: HTML {
    """
    <section class="card"><h2 class="card-title">New board</h2>
    <form method="post" action="\(Address("projects", "\(project.id)", "boards"))" class="row-form">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" value="\(typed)" required maxlength="100" \
    placeholder="Onboarding" autocomplete="off"></label>
    <button type="submit" class="button">Make board</button></form></section>
    """
  }
}

extension Board {
  /// Where the board is.
  var address: Address { Address("projects", "\(project)", "boards", "\(id)") }

  /// Where something of the board is.
  func address(_ parts: String...) -> Address {
    Address(segments: ["projects", "\(project)", "boards", "\(id)"] + parts)
  }
}
