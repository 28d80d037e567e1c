import Catalog
import Foundation
import Insights

/// A project's imported lists, and the form that imports one.
struct ListsPage: Page {
  let visitor: Visitor
  let project: Project
  let lists: [SavedList]
  let zone: TimeZone
  let nowMs: Int64
  var problem: String?

  var title: String { "Lists · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>Lists</h1>\(PeopleTabs.lists.html(project: project.id))</div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    <section class="card"><h2 class="card-title">Imported lists</h2>
    <p class="definition">A list is fixed: users and devices from a file. Segments ask who is on it.</p>
    \(lists.isEmpty ? #"<p class="empty-line">None was imported.</p>"# as HTML : table)</section>
    \(visitor.user.role.may(.manageProject) ? form : nil)
    """
  }

  private var table: HTML {
    """
    <div class="scroll" tabindex="0"><table class="table"><caption class="hidden">Lists</caption><thead><tr>\
    <th scope="col">List</th><th scope="col" class="end">Members</th><th scope="col" class="end">Lines refused</th>\
    <th scope="col" class="end">Imported</th></tr></thead><tbody>\(lists.map(row))</tbody></table></div>
    """
  }

  private func row(_ list: SavedList) -> HTML {
    """
    <tr><td class="name-cell"><a href="\(SegmentAddress.list(list.id, project.id))">\(list.name)</a></td>\
    <td class="end num">\(list.count.grouped)</td><td class="end num">\(list.failed.grouped)</td>\
    <td class="end no-wrap">\(Moment(ms: list.createdAtMs, zone: zone).element(nowMs: nowMs))</td></tr>

    """
  }

  private var form: HTML {
    """
    <section class="card"><h2 class="card-title">Import a list</h2>
    <p class="definition">A CSV file with a first line of names, one of them <code>user_id</code> or \
    <code>device_id</code>, or a list or export of Amazon Pinpoint’s endpoints (<code>Id</code>, \
    <code>User.UserId</code>; CSV or lines of JSON, gzip or not). A line that cannot be read is told and does \
    not stop the others. Only who is on it is kept, as numbers.</p>
    <form method="post" action="\(SegmentAddress.lists(project.id))" enctype="multipart/form-data" class="row-form">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" required maxlength="100" autocomplete="off"></label>
    <label class="field"><span>File</span><input type="file" name="file" required></label>
    <button type="submit" class="button button-main">Import</button></form></section>
    """
  }
}

/// One imported list.
struct ListPage: Page {
  let visitor: Visitor
  let project: Project
  let list: SavedList
  /// How many of its members have events; nil when that cannot be told now.
  let known: Int?
  let zone: TimeZone

  var title: String { "\(list.name) · \(project.name)" }

  var content: HTML {
    let segment = Segment(.all, [Segment.Group(.all, [.inList(list.id)])])
    var query = PeopleQuery()
    query.rules = [PersonRule.inList(list.id).text]
    let removal = SegmentAddress.listRemoval(list.id, project.id)
    let new = SegmentAddress.new(project.id).with("definition", segment.text)
    return """
      <p class="crumbs crumbs-wide"><a href="\(SegmentAddress.lists(project.id))">Lists</a></p>
      <div class="page-head profile-head"><h1 class="name-cell">\(list.name)</h1><div class="actions profile-actions">\
      <a class="button button-small" href="\(query.address(project: project.id))">Show the people</a>\
      <a class="button button-small" href="\(new)">Use in a segment</a>\
      \(visitor.user.role.may(.manageProject) ? #"<a class="button button-small button-danger" href="\#(removal)">Remove…</a>"# as HTML : nil)</div></div>
      <section class="figures" aria-label="In numbers">
      \(figure("Members", list.count.grouped, "Different users and devices in the file; this never changes."))
      \(figure("With events", known.map(\.grouped) ?? "—", "People with events of whom the user or a device is on the list."))
      \(figure("Lines refused", list.failed.grouped, "Lines of the file that could not be read."))</section>
      \(failures)
      """
  }

  private func figure(_ title: String, _ value: String, _ definition: String) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
    <p class="definition">\(definition)</p></div>

    """
  }

  private var failures: HTML? {
    guard list.failed > 0 else { return nil }
    let rows = list.failures.map { failure -> HTML in
      #"<tr><td class="num">\#(failure.line.grouped)</td><td class="name-cell">\#(failure.reason)</td></tr>"#
    }
    return """
      <section class="card"><h2 class="card-title">Lines that could not be read</h2>
      <p class="definition">\(list.failed > list.failures.count
        ? "The first \(list.failures.count.grouped) of \(list.failed.grouped)." : "All of them.") The other lines were taken.</p>
      <div class="scroll" tabindex="0"><table class="table table-tight"><caption class="hidden">Refused lines</caption>\
      <thead><tr><th scope="col">Line</th><th scope="col">Why</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }
}
