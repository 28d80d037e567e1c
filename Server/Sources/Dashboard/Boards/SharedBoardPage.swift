import Catalog

/// A board as people see it who have its link: nothing leads anywhere else.
struct SharedBoardPage: Page {
  let board: Board
  /// The link's secret, under which the charts are.
  let token: String

  var title: String { board.name }
  // A link that was passed on is not to be found by searching.
  var head: HTML { #"<meta name="robots" content="noindex">"# }

  var content: HTML {
    """
    <div class="page-head"><h1>\(board.name)</h1></div>
    \(board.cards.isEmpty
      ? #"<section class="card"><p class="empty-line">Nothing stands on this board.</p></section>"#
      : #"<div class="board">\#(board.cards.map(card))</div>"# as HTML)
    """
  }

  private func card(_ card: BoardCard) -> HTML {
    BoardCardView(card: card, source: Address("shared", token, "cards", "\(card.id)")).html
  }
}
