/// How the server is doing: its parts, and what the store refused.
struct SystemPage: Page {
  let visitor: Visitor
  let checks: [Operations.Check]
  let setAside: [Operations.SetAside]
  let setAsideCount: Int
  /// How many records were just handed to the log again.
  var replayed: Int?

  var title: String { "System" }

  var content: HTML {
    """
    <div class="page-head"><h1>System</h1></div>
    \(replayed.map(replayNotice))
    <section class="card"><h2 class="card-title">Parts</h2>
    <dl class="facts">\(checks.map(fact))</dl></section>
    <section class="card"><h2 class="card-title">Set aside</h2>
    <p class="definition">Records that the store refused. They wait in the data folder’s \
    <code>poison</code> folder and hold up nothing else. After an update of the server they can be \
    loaded again; what the store has already is left out.</p>
    \(setAside.isEmpty ? #"<p class="empty-line">Nothing was set aside.</p>"# as HTML : records)
    </section>
    """
  }

  private func replayNotice(_ count: Int) -> HTML {
    #"<p class="notice" role="status">\#(count) record\#(count == 1 ? "" : "s") handed to the log again.</p>"#
  }

  private func fact(_ check: Operations.Check) -> HTML {
    """
    <div><dt>\(check.name)</dt><dd>\(check.isProblem
      ? #"<span class="tag tag-test">look</span> "# as HTML : nil)\(check.detail)</dd></div>

    """
  }

  private var records: HTML {
    let rows = setAside.map { record -> HTML in
      """
      <tr><td><code>\(record.name)</code></td><td class="end num">\(record.bytes.grouped)</td>\
      <td>\(record.reason)</td></tr>

      """
    }
    let more = setAsideCount - setAside.count
    return """
      <div class="scroll"><table class="table"><thead><tr><th scope="col">Record</th>\
      <th scope="col" class="end">Bytes</th><th scope="col">Reason</th></tr></thead>
      <tbody>\(rows)</tbody></table></div>
      \(more > 0 ? "<p class=\"definition\">And \(more.grouped) more.</p>" as HTML : nil)
      <form method="post" action="\(Address("system", "replay"))" class="stack">
      \(FormToken.field(visitor.formToken))
      <button type="submit" class="button">Load \(setAsideCount == 1 ? "it" : "all \(setAsideCount.grouped)") again</button></form>
      """
  }
}
