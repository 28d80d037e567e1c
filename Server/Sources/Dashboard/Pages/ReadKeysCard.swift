import Catalog
import Foundation

/// The keys of Phase's read API on the page of a project's keys.
struct ReadKeysCard {
  let visitor: Visitor
  let project: Project
  let keys: [PhaseReadKey]
  let nowMs: Int64
  let zone: TimeZone
  /// The text of a key that was just made; shown this once.
  var made: String?
  var problem: String?

  var html: HTML {
    """
    \(made.map(madeNotice))
    <section class="card" id="read-keys">
    <h2 class="card-title">Keys of Phase’s read API</h2>
    <p class="definition">Programs that were written for Phase’s server read this project’s reports with one, \
    under <code>/public-api/v1/apps/\(project.id)</code>. It can do nothing else.</p>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(keys.isEmpty ? #"<p class="empty-line">No read keys yet.</p>"# as HTML : table)
    \(mayChange ? form : nil)
    </section>
    """
  }

  private var mayChange: Bool { visitor.user.role.may(.manageKeys) }

  private func madeNotice(_ made: String) -> HTML {
    """
    <section class="card card-new" role="status">
    <h2 class="card-title">Copy the read key now</h2>
    <p class="definition">It is shown this once: the server keeps only a fingerprint of it.</p>
    \(Snippet(id: "made-read-key", label: "the read key", language: "Key", code: made).html)
    </section>
    """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-keys">
    <thead><tr><th scope="col">Key</th><th scope="col">Name</th><th scope="col">State</th>\
    <th scope="col">Created</th><th scope="col">Last used</th>\
    <th scope="col"><span class="hidden">Action</span></th></tr></thead>
    <tbody>\(keys.reversed().map(row))</tbody></table></div>
    """
  }

  private func row(_ key: PhaseReadKey) -> HTML {
    let state = key.state(atMs: nowMs)
    let used: HTML = key.usedAtMs.map(date) ?? #"<span class="faint">never</span>"#
    let revoke: HTML =
      mayChange && state != .revoked
      ? """
      <a class="quiet danger" href="\(address("\(key.id)", "revoke"))" \
      aria-label="Revoke \(key.name)">Revoke…</a>
      """ : ""
    return """
      <tr\(#" class="off""#, if: state != .active)><td><code>\(key.prefix)…</code></td>\
      <td>\(key.name)</td><td>\(self.state(key, state))</td><td>\(date(key.createdAtMs))</td>\
      <td>\(used)</td><td class="end">\(revoke)</td></tr>

      """
  }

  private func state(_ key: PhaseReadKey, _ state: PhaseReadKey.State) -> HTML {
    switch state {
    case .active: key.expiresAtMs.map { "active until \(date($0))" as HTML } ?? "active"
    case .expired: key.expiresAtMs.map { "expired \(date($0))" as HTML } ?? "expired"
    case .revoked: key.revokedAtMs.map { "revoked \(date($0))" as HTML } ?? "revoked"
    }
  }

  private func date(_ ms: Int64) -> HTML { Moment(ms: ms, zone: zone).dateElement }

  private var form: HTML {
    """
    <form method="post" action="\(address())" class="row-form">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" required maxlength="100" \
    autocomplete="off" placeholder="Weekly report"></label>
    <label class="field"><span>Ends after days</span><input name="days" inputmode="numeric" \
    maxlength="4" autocomplete="off" placeholder="never"></label>
    <button type="submit" class="button">Create read key</button></form>
    """
  }

  private func address(_ parts: String...) -> Address {
    Address(segments: ["projects", "\(project.id)", "read-keys"] + parts)
  }
}

/// Asks once more before a read key is revoked.
struct RevokeReadKeyPage: Page {
  let visitor: Visitor
  let project: Project
  let key: PhaseReadKey

  var title: String { "Revoke a read key" }

  var content: HTML {
    let address = Address("projects", "\(project.id)", "read-keys", "\(key.id)", "revoke")
    return """
      <section class="sheet sheet-narrow">
      <h1>Revoke this read key?</h1>
      <p><code class="key-text">\(key.prefix)…</code> <span class="muted">\(key.name)</span></p>
      <p>Whatever reads \(project.name) with it is refused from now on. This cannot be undone.</p>
      <form method="post" action="\(address)" class="actions">
      \(FormToken.field(visitor.formToken))
      <button type="submit" class="button button-danger">Revoke read key</button>
      <a class="button" href="\(Address("projects", "\(project.id)", "keys"))">Keep it</a></form>
      </section>
      """
  }
}
