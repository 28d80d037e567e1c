import Catalog
import Foundation

/// Who changed what, newest first.
struct AuditPage: Page {
  static let pageSize = 100

  let entries: [AuditEntry]
  let projects: [Project]
  let isFirst: Bool

  var title: String { "Audit log" }

  var content: HTML {
    """
    <div class="page-head"><h1>Audit log</h1></div>
    <section class="card">
    <p class="definition">Every change of projects, keys, rules and people, and every sign-in. The \
    last \(Int(Catalog.maxAuditEntries).grouped) are kept. Times are UTC.</p>
    \(entries.isEmpty ? #"<p class="empty-line">Nothing was changed yet.</p>"# as HTML : table)
    \(older)
    </section>
    """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-stack">
    <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th>\
    <th scope="col">Project</th><th scope="col">Detail</th></tr></thead>
    <tbody>\(entries.map(row))</tbody></table></div>
    """
  }

  private func row(_ entry: AuditEntry) -> HTML {
    let moment = Moment(ms: entry.atMs, zone: .gmt)
    let project = entry.project.map { id in
      projects.first { $0.id == id }?.name ?? "project \(id)"
    }
    return """
      <tr><td class="no-wrap"><time datetime="\(moment.iso)">\(moment.shortDate) \
      \(moment.minute)</time></td><td data-label="Who">\(entry.actor)</td><td data-label="What"><code>\(entry.action)</code></td>\
      <td data-label="Project">\(project ?? "")</td><td data-label="Detail">\(entry.detail)</td></tr>

      """
  }

  private var older: HTML? {
    guard entries.count == Self.pageSize, let last = entries.last else {
      return isFirst ? nil : #"<p class="older"><a href="\#(Address("audit"))">Newest</a></p>"#
    }
    return """
      <p class="older"><a class="button" href="\(Address("audit").with("before", "\(last.id)"))">\
      Older changes</a></p>
      """
  }
}
