import Catalog
import Foundation

/// A board with its cards, and how it is changed and shared.
struct BoardPage: Page {
  let visitor: Visitor
  let board: Board
  let links: [BoardLink]
  let zone: TimeZone
  /// A link's whole address, that was just made; shown this once.
  var made: String?
  var problem: String?

  var title: String { board.name }

  private var mayChange: Bool { visitor.user.role.may(.manageBoards) }

  var content: HTML {
    """
    <div class="page-head"><h1>\(board.name)</h1>\
    <a class="quiet" href="\(Address("projects", "\(board.project)", "boards"))">All boards</a></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(made.map(madeNotice))
    \(board.cards.isEmpty ? nothing : #"<div class="board">\#(board.cards.map(card))</div>"#)
    \(mayChange ? #"<div class="two board-edit">\#(textForm)\#(shareForm)\#(boardForm)</div>"# as HTML : nil)
    """
  }

  private var nothing: HTML {
    """
    <section class="card"><p class="empty-line"><b>Nothing stands here yet.</b> Ask a question on \
    <a href="\(Address("projects", "\(board.project)", "insights"))">Insights</a> and save it to this \
    board.</p></section>
    """
  }

  private func madeNotice(_ address: String) -> HTML {
    """
    <section class="card card-new" role="status"><h2 class="card-title">Copy the link now</h2>
    <p class="definition">It is shown this once: the server keeps only a fingerprint of it. Whoever has \
    it sees this board, and nothing else, until it is revoked or over.</p>
    \(Snippet(id: "made-link", label: "the link", language: "Link", code: address).html)</section>
    """
  }

  private func card(_ card: BoardCard) -> HTML {
    BoardCardView(
      card: card,
      source: board.address("cards", "\(card.id)"),
      question: card.question(of: board),
      menu: mayChange ? menu(card) : nil
    ).html
  }

  private func menu(_ card: BoardCard) -> HTML {
    let address = board.address("cards", "\(card.id)")
    var text: HTML?
    if case .text(let words) = card.content {
      text = """
        <label class="field"><span>Text</span><textarea name="text" rows="5" maxlength="4000" required>\
        \(words)</textarea></label>
        """
    }
    let index = board.cards.firstIndex { $0.id == card.id } ?? 0
    func move(_ label: String, _ places: Int, _ isOffered: Bool) -> HTML? {
      guard isOffered else { return nil }
      return #"<button type="submit" name="move" value="\#(places)">\#(label)</button>"#
    }
    return """
      <details class="menu menu-end" data-menu><summary aria-label="Change “\(card.title)”">\
      \(Icons.chevron)</summary><div class="menu-box">
      <form method="post" action="\(address)" class="card-form">\(FormToken.field(visitor.formToken))
      <label class="field"><span>Title</span><input name="title" value="\(card.title)" maxlength="200" \
      autocomplete="off"></label>\(text)
      <label class="field"><span>Width</span><select name="width">\
      <option value="half"\(" selected", if: card.width == .half)>Half</option>\
      <option value="full"\(" selected", if: card.width == .full)>Full</option></select></label>
      <button type="submit" class="button button-main button-small">Save</button></form>
      <form method="post" action="\(address)" class="card-moves">\(FormToken.field(visitor.formToken))\
      \(move("Earlier", -1, index > 0))\(move("Later", 1, index < board.cards.count - 1))\
      <button type="submit" name="move" value="remove">Take away</button></form></div></details>
      """
  }

  // MARK: Forms

  private var textForm: HTML {
    """
    <section class="card"><h2 class="card-title">Add a text</h2>
    <form method="post" action="\(board.address("cards"))" class="stack">\
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Title</span><input name="title" maxlength="200" autocomplete="off"></label>
    <label class="field"><span>Text</span><textarea name="text" rows="3" required maxlength="4000">\
    </textarea></label>
    <button type="submit" class="button">Add text</button></form></section>
    """
  }

  private var shareForm: HTML {
    let rows = links.map { link -> HTML in
      let until =
        link.expiresAtMs.map { " until \(Moment(ms: $0, zone: zone).date)" } ?? " until revoked"
      return """
        <form method="post" action="\(board.address("links", "\(link.id)", "revoke"))" class="line-form \
        link-row">\(FormToken.field(visitor.formToken))<span><code>\(link.hint)…</code>\(until)</span>\
        <button type="submit" class="as-link quiet danger">Revoke</button></form>
        """
    }
    return """
      <section class="card"><h2 class="card-title">Share</h2>
      <p class="definition">A link shows this board to anyone who has it, without signing in. Charts that \
      tell people apart are left out; the values of other properties are shown as they are here.</p>
      \(rows)
      <form method="post" action="\(board.address("links"))" class="row-form">\
      \(FormToken.field(visitor.formToken))
      <label class="field"><span>Ends after days</span><input name="days" inputmode="numeric" \
      placeholder="never" autocomplete="off"></label>
      <button type="submit" class="button">Make a link</button></form></section>
      """
  }

  private var boardForm: HTML {
    """
    <section class="card"><h2 class="card-title">Board</h2>
    <form method="post" action="\(board.address)" class="row-form">\(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" value="\(board.name)" required \
    maxlength="100" autocomplete="off"></label><button type="submit" class="button">Rename</button></form>
    <form method="post" action="\(board.address("delete"))">\(FormToken.field(visitor.formToken))\
    <button type="submit" class="as-link quiet danger">Delete this board and its links</button></form>
    </section>
    """
  }
}

/// A card as boards show it: a chart is fetched once the board is there.
struct BoardCardView {
  let card: BoardCard
  /// Where the chart's answer is.
  let source: Address
  /// Where the question can be asked on; nil where nobody may.
  var question: Address?
  /// What changes the card.
  var menu: HTML?

  var html: HTML {
    let isText = if case .text = card.content { true } else { false }
    return """
      <section class="card board-card\(" board-full", if: card.width == .full)" id="card-\(card.id)">\
      <div class="card-head"><h2 class="card-title" id="card-\(card.id)-title">\(title)</h2>\(menu)</div>
      <div class="board-body\(" board-text-card", if: isText)">\(content)</div></section>

      """
  }

  private var title: HTML {
    question.map { #"<a href="\#($0)">\#(card.title)</a>"# } ?? "\(card.title)"
  }

  private var content: HTML {
    switch card.content {
    case .text(let text): #"<p class="board-text">\#(text)</p>"#
    case .chart:
      """
      <p class="empty-line" hx-get="\(source)" hx-trigger="load" hx-swap="outerHTML" role="status">\
      Counting…</p>
      """
    }
  }
}

extension BoardCard {
  /// Where the card's question can be asked on.
  func question(of board: Board) -> Address? { question(ofProject: board.project) }

  /// Where the card's question can be asked on in a project.
  func question(ofProject project: UInt32) -> Address? {
    guard case .chart(let word, let parameters) = content else { return nil }
    var address = Address("projects", "\(project)", "insights", word)
    for pair in parameters.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      address = address.with(parts[0], parts[1].removingPercentEncoding)
    }
    return address
  }
}
