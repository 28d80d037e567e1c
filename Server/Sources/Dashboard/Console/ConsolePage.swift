import Catalog
import EventStore
import Foundation
import Insights

/// The SQL console: a statement, its answer, and statements that are kept.
struct ConsolePage: Page {
  /// What became of a statement.
  enum Outcome {
    case none
    case answer(ConsoleAnswer)
    case problem(String)
  }

  /// The most rows that a page shows; files and the API hold more.
  static let maxRows = 1_000
  /// The most rows of a file.
  static let maxFileRows = 100_000
  /// The most bytes of a file's values, see `ConsoleQuery`.
  static let maxFileBytes = 64 << 20

  let visitor: Visitor
  let project: Project
  let statements: [KeptStatement]
  let text: String
  let outcome: Outcome
  /// What this run is called, so that it can be cancelled.
  let run: String
  var name = ""

  var title: String { "SQL · \(project.name)" }

  private var page: Address { Address("projects", "\(project.id)", "sql") }

  static let example = """
    SELECT name, count(*) AS events, count(DISTINCT person) AS people
    FROM events
    WHERE NOT test AND time > now()::TIMESTAMP - INTERVAL 7 DAY
    GROUP BY name
    ORDER BY events DESC
    LIMIT 20
    """

  var content: HTML {
    """
    <div class="page-head"><h1>SQL</h1>\(CatalogueTab.tabs(project.id, .sql, for: visitor))</div>
    <section class="card"><h2 class="card-title">Ask in SQL</h2>
    <p class="definition">One SELECT in DuckDB’s SQL, over this project’s events alone. It is stopped after \
    30 seconds; the page shows up to \(Self.maxRows.grouped) rows and \(ConsoleQuery.usualMaxBytes >> 20) MB, a file \
    holds \(Self.maxFileRows.grouped) rows and \(Self.maxFileBytes >> 20) MB. \
    Nothing can be changed, and no file or setting is read.</p>
    <form method="post" action="\(page)" class="stack" id="sql" hx-post="\(page)" hx-target="#sql-answer" \
    hx-select="#sql-answer" hx-swap="outerHTML" hx-disabled-elt="#sql-run">\
    \(FormToken.field(visitor.formToken))<input type="hidden" name="run" value="\(run)">
    <label class="field"><span class="hidden">Statement</span><textarea name="sql" rows="8" class="mono" \
    spellcheck="false" required maxlength="10000">\(text.isEmpty ? Self.example : text)</textarea></label>
    <div class="actions"><button type="submit" class="button button-main" id="sql-run">Run</button>
    <button type="submit" class="button" formaction="\(page)/cancel" hx-post="\(page)/cancel" \
    hx-target="#sql-note" hx-select="#sql-note" hx-swap="outerHTML" formnovalidate>Cancel</button>
    <button type="submit" class="button" name="format" value="csv" formaction="\(page)/csv" \
    data-plain>Save as CSV</button></div>
    <p class="hint" id="sql-note" role="status"></p></form></section>
    \(answer)
    <div class="two">\(kept)\(tables)</div>
    """
  }

  private var answer: HTML {
    let content: HTML
    switch outcome {
    case .none: content = ""
    case .problem(let problem):
      content = #"<p class="alert" role="alert">\#(problem)</p>"#
    case .answer(let answer): content = shown(answer)
    }
    return #"<div id="sql-answer">\#(content)</div>"#
  }

  private func shown(_ answer: ConsoleAnswer) -> HTML {
    let heads = answer.columns.map { column -> HTML in
      #"<th scope="col"\#(#" class="end""#, if: column.isNumber) title="\#(column.type)">\#(column.name)</th>"#
    }
    let rows = answer.rows.map { row -> HTML in
      let cells = zip(row, answer.columns).map { value, column -> HTML in
        guard let value else { return #"<td class="faint\#(" end", if: column.isNumber)">—</td>"# }
        return #"<td class="\#(column.isNumber ? "end num" : "name-cell")">\#(value)</td>"#
      }
      return "<tr>\(cells)</tr>\n"
    }
    let count =
      answer.isCut
      ? "The first \(answer.rows.count.grouped) rows." : "\(answer.rows.count.grouped) rows."
    return """
      <section class="card"><h2 class="card-title">Answer</h2><p class="definition" role="status">\(count)</p>
      \(answer.rows.isEmpty ? #"<p class="empty-line">No row meets that.</p>"# as HTML : #"<div class="scroll scroll-long" tabindex="0"><table class="table table-tight table-answer"><caption class="hidden">Answer</caption><thead><tr>\#(heads)</tr></thead><tbody>\#(rows)</tbody></table></div>"#)
      </section>
      """
  }

  private var kept: HTML {
    let rows = statements.map { statement -> HTML in
      """
      <div class="line-form link-row"><a href="\(page.with("statement", "\(statement.id)"))">\
      \(statement.name)</a>\
      <form method="post" action="\(page)/\(statement.id)/delete">\(FormToken.field(visitor.formToken))\
      <button type="submit" class="as-link quiet danger" aria-label="Delete \(statement.name)">Delete</button>\
      </form></div>

      """
    }
    return """
      <section class="card"><h2 class="card-title">Kept statements</h2>
      \(statements.isEmpty ? #"<p class="empty-line">None is kept yet.</p>"# as HTML : "\(rows)")
      <div class="row-form"><label class="field"><span>Name</span><input name="name" value="\(name)" \
      maxlength="100" autocomplete="off" form="sql"></label><button type="submit" class="button" form="sql" \
      formaction="\(page)/keep" data-plain>Keep the statement above</button></div></section>
      """
  }

  private var tables: HTML {
    let tables = ConsoleTables.descriptions.map { table -> HTML in
      let rows = table.columns.map { column -> HTML in
        #"<tr><th scope="row" class="mono">\#(column.name)</th><td>\#(column.about)</td></tr>"#
      }
      return """
        <h3>\(table.name)</h3><div class="scroll"><table class="table table-tight" data-sortable>\
        <caption class="hidden">\(table.name)</caption><tbody>\(rows)</tbody></table></div>
        """
    }
    return #"<section class="card"><h2 class="card-title">Tables</h2>\#(tables)</section>"#
  }
}
