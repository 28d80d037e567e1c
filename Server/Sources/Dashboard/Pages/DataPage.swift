import Catalog
import Foundation

/// Taking a project's events along, erasing some of them, and what the server is at of that.
struct DataPage: Page {
  let visitor: Visitor
  let project: Project
  /// The latest first.
  let jobs: [Job]
  /// Jobs whose file is there.
  let files: Set<Int64>
  /// Of each import that left lines out, the first of them.
  let rejected: [Int64: [String]]
  /// Whether files are taken here.
  let takesFiles: Bool
  let zone: TimeZone
  var problem: String?
  /// What was typed, when that was refused.
  var typed = ConditionsForm()

  var title: String { "Export and import of \(project.name)" }

  /// Lines that are shown of those an import left out.
  static let shownRejected = 3

  private var mayImport: Bool { takesFiles && visitor.user.role.may(.importEvents) }
  private var mayErase: Bool { visitor.user.role.may(.changeEvents) }
  private var page: Address { Address("projects", "\(project.id)", "data") }

  var content: HTML {
    """
    <div class="page-head"><h1>Export and import</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(jobList)
    <section class="card"><h2 class="card-title">Export</h2>
    <p class="definition">Writes the events that meet every condition into a file. It is kept here for a \
    day.</p>
    <form method="post" action="\(Address("projects", "\(project.id)", "data", "export"))" class="stack">
    \(FormToken.field(visitor.formToken))
    \(fields("export"))
    <label class="field"><span>Format</span><select name="format"><option value="ndjson">Lines of \
    JSON</option><option value="csv">CSV</option><option value="parquet">Parquet</option>\
    <option value="spreadsheet">CSV for spreadsheets (not to be imported again)</option></select></label>
    <button type="submit" class="button button-main">Export</button></form></section>
    \(mayImport ? importForm : nil)
    \(mayErase ? eraseForm : nil)
    """
  }

  private var importForm: HTML {
    """
    <section class="card"><h2 class="card-title">Import</h2>
    <p class="definition">Adds the events of a file that the project does not have: lines of JSON or CSV \
    with at least name and ts (in milliseconds), Parquet, or the .zip of an Amplitude export as it is \
    downloaded. Lines that are no events are left out and listed.</p>
    <form method="post" action="\(Address("projects", "\(project.id)", "data", "import"))" class="stack" \
    data-upload="\(Address("projects", "\(project.id)", "data", "upload"))">
    \(FormToken.field(visitor.formToken))
    <input type="hidden" name="upload" value=""><input type="hidden" name="file_name" value="">
    <div class="two"><label class="field"><span>File</span><input type="file" required></label>
    <label class="field"><span>Format</span><select name="format"><option value="ndjson">Lines of \
    JSON</option><option value="csv">CSV</option><option value="parquet">Parquet</option>\
    <option value="amplitude">Amplitude export</option></select></label></div>
    <button type="submit" class="button button-main">Import</button>
    <p class="remark" role="status"></p></form></section>
    """
  }

  private var eraseForm: HTML {
    """
    <section class="card"><h2 class="card-title">Erase</h2>
    <p class="definition">Removes the events that meet every condition (at least one), what is known of \
    people by them, and every exported file of this project. What arrives late of them is left out. \
    Events that happen afterwards are new. <b>There is no way back.</b></p>
    <form method="post" action="\(Address("projects", "\(project.id)", "data", "erase"))" class="stack">
    \(FormToken.field(visitor.formToken))
    \(fields("erase"))
    <label class="field"><span>To erase, type the project’s name: \(project.name)</span><input \
    name="confirmation" autocomplete="off" spellcheck="false"></label>
    <div class="actions"><button type="submit" name="action" value="count" class="button">Only \
    count</button><button type="submit" name="action" value="erase" \
    class="button button-danger">Erase</button></div></form></section>
    """
  }

  /// The same fields in both forms; each has ids of its own by its form.
  private func fields(_ form: StaticString) -> HTML {
    let isTyped = "\(form)" == typed.form
    let values = isTyped ? typed : ConditionsForm()
    return """
      <div class="two"><label class="field"><span>User</span><input name="user" \
      value="\(values.user)" maxlength="1024" autocomplete="off" spellcheck="false"></label>
      <label class="field"><span>Device</span><input name="device" value="\(values.device)" \
      maxlength="1024" autocomplete="off" spellcheck="false"></label>
      <label class="field"><span>Event’s name</span><input name="name" value="\(values.name)" \
      maxlength="256" autocomplete="off" spellcheck="false"></label></div>
      <div class="two"><label class="field"><span>From day</span><input type="date" name="from" \
      value="\(values.from)"></label>
      <label class="field"><span>To day, this one included</span><input type="date" name="to" \
      value="\(values.to)"></label></div>
      """
  }

  // MARK: Jobs

  private var jobList: HTML {
    let isBusy = jobs.contains { !$0.state.isOver }
    let polling: HTML =
      isBusy
      ? ##" hx-get="\##(page)" hx-trigger="every 2s" hx-select="#jobs" hx-swap="outerHTML""## : ""
    return """
      <section class="card" id="jobs"\(polling)><h2 class="card-title">Jobs</h2>
      <p class="definition">The server does them one after the other, and goes on after a stop.</p>
      \(jobs.isEmpty ? #"<p class="empty-line">None yet. What you ask for below is listed here.</p>"# as HTML : jobTable)
      </section>
      """
  }

  private var jobTable: HTML {
    """
    <div class="scroll"><table class="table table-stack"><thead><tr><th scope="col">Job</th>\
    <th scope="col">State</th><th scope="col">Asked</th><th scope="col" class="end"></th></tr></thead>
    <tbody>\(jobs.map(row))</tbody></table></div>
    """
  }

  private func row(_ job: Job) -> HTML {
    let moment = Moment(ms: job.askedAtMs, zone: zone)
    return """
      <tr><td><b>\(JobWords(job).title)</b><span class="remark">\(job.summary)</span></td>\
      <td data-label="State"><div>\(state(job))</div></td>\
      <td data-label="Asked"><div>\(moment.shortDate), \(moment.minute)<span class="remark">\(job.actor)</span></div></td>\
      <td class="end">\(action(job))</td></tr>

      """
  }

  private func state(_ job: Job) -> HTML {
    let words = JobWords(job)
    switch job.state {
    case .failed:
      return
        #"<span class="tag tag-test">\#(words.state)</span><span class="remark">\#(job.problem ?? "")</span>"#
    case .done:
      let lines = (rejected[job.id] ?? []).map { #"<span class="remark">\#($0)</span>"# as HTML }
      return #"\#(words.state)<span class="remark">\#(words.outcome)</span>\#(lines)"#
    case .queued, .running, .cancelled: return "\(words.state)"
    }
  }

  private func action(_ job: Job) -> HTML? {
    if files.contains(job.id) || rejected[job.id] != nil {
      return """
        <a class="quiet" download href="\(Address("projects", "\(project.id)", "data", "\(job.id)", "file"))">\
        \(job.kind == "import" ? "Lines left out" : "Download")</a>
        """
    }
    guard visitor.user.role.may(job.permission), !job.state.isOver, !job.isStopping,
      job.state == .queued || job.kind != "erase"
    else { return nil }
    return """
      <form method="post" action="\(Address("projects", "\(project.id)", "data", "\(job.id)", "cancel"))" \
      class="line-form line-end">\(FormToken.field(visitor.formToken))\
      <button type="submit" class="as-link quiet danger">Cancel</button></form>
      """
  }
}
