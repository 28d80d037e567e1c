import Catalog
import Insights

/// Saves the question on a page to a board.
struct SaveMenu {
  let visitor: Visitor
  let project: UInt32
  let boards: [Board]
  let question: SavedQuestion
  /// The title that is suggested.
  let title: String
  /// Whether the question has a number for each of some times, of which an alert can tell.
  var mayAlert = false

  var html: HTML {
    let options = boards.map { board -> HTML in
      #"<option value="\#(board.id)">\#(board.name)</option>"#
    }
    let alert = Address("projects", "\(project)", "alerts")
      .with("question", question.kind.word + "?" + question.query)
    return """
      \(mayAlert && question.kind.hasNumberToWatch ? #"<a class="quiet" href="\#(alert)">Alert me</a>"# as HTML : nil)\
      <details class="menu menu-end save-menu" data-menu><summary>Save to board</summary>\
      <div class="menu-box"><form method="post" action="\(Address("projects", "\(project)", "charts"))" \
      class="card-form">\(FormToken.field(visitor.formToken))
      <input type="hidden" name="question" value="\(question.kind.word)">\
      <input type="hidden" name="parameters" value="\(question.query)">
      <label class="field"><span>Title</span><input name="title" value="\(title)" required \
      maxlength="200" autocomplete="off"></label>
      <label class="field"><span>Board</span><select name="board">\(options)\
      <option value="new">A new board</option></select></label>
      <label class="field"><span>Width</span><select name="width"><option value="half">Half</option>\
      <option value="full">Full</option></select></label>
      <button type="submit" class="button button-main button-small">Save</button></form></div></details>
      """
  }
}
