import Catalog
import Foundation

/// Who may sign in, what each may do, and where they are signed in.
struct PeoplePage: Page {
  let visitor: Visitor
  let people: [User]
  let sessions: [DashboardSession]
  /// A sign-in address that was just made; shown this once.
  var link: (name: String, address: String)?
  var problem: String?

  var title: String { "People" }

  var content: HTML {
    """
    <div class="page-head"><h1>People</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(link.map(linkNotice))
    <section class="card"><h2 class="card-title">Who may sign in</h2>
    <p class="definition">Viewers look. Editors also change projects and their keys. Owners also \
    make projects, add people and read the audit log.</p>
    <div class="scroll"><table class="table table-stack">
    <thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Password</th>\
    <th scope="col">Added</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
    <tbody>\(people.map(row))</tbody></table></div></section>
    <section class="card"><h2 class="card-title">Add someone</h2>
    <form method="post" action="\(Address("people"))" class="row-form">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" required maxlength="100" \
    autocomplete="off" spellcheck="false"></label>
    <label class="field"><span>Role</span><select name="role">\(Self.options(.viewer))</select></label>
    <button type="submit" class="button button-main">Add</button></form>
    <p class="definition">They sign in with a one-time link, which you get here and hand on.</p>
    </section>
    \(SessionTable(
      visitor: visitor,
      sessions: sessions,
      action: Address("people", "sessions", "end"),
      showsUser: true
    ).html)
    """
  }

  private func linkNotice(_ link: (name: String, address: String)) -> HTML {
    """
    <section class="card card-new" role="status">
    <h2 class="card-title">A sign-in link for \(link.name)</h2>
    <p class="definition">It works once, within an hour, and is shown only now.</p>
    \(Snippet(id: "made-link", label: "the link", language: "Address", code: link.address).html)
    </section>
    """
  }

  private func row(_ person: User) -> HTML {
    let name: HTML = #"<input type="hidden" name="name" value="\#(person.name)">"#
    let token = FormToken.field(visitor.formToken)
    return """
      <tr><td>\(person.name)\(person.id == visitor.user.id ? #" <span class="faint">you</span>"# as HTML : nil)</td>
      <td data-label="Role"><form method="post" action="\(Address("people", "role"))" class="line-form">\(token)\(name)\
      <select name="role" aria-label="Role of \(person.name)">\(Self.options(person.role))</select>\
      <button type="submit" class="button button-small">Save</button></form></td>
      <td data-label="Password"><span>\(person.hasPassword ? "set" : "none")</span></td>
      <td data-label="Added">\(Moment(ms: person.createdAtMs, zone: .gmt).dateElement)</td>
      <td class="end"><div class="line-form line-end"><form method="post" \
      action="\(Address("people", "link"))">\(token)\(name)\
      <button type="submit" class="button button-small">Sign-in link</button></form>\
      <a class="quiet danger" href="\(Address("people", "remove").with("name", person.name))" \
      aria-label="Remove \(person.name)">Remove…</a></div></td></tr>

      """
  }

  private static func options(_ chosen: Role) -> [HTML] {
    Role.allCases.reversed().map { role in
      """
      <option value="\(role.rawValue)"\(" selected", if: role == chosen)>\(role.title)</option>
      """
    }
  }
}

extension Role {
  /// The role as people say it.
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// Asks once more before someone's access is taken away.
struct RemovePersonPage: Page {
  let visitor: Visitor
  let person: User

  var title: String { "Remove \(person.name)" }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>Remove \(person.name)?</h1>
    <p>They are signed out everywhere and cannot sign in any more. What they changed stays, and so \
    does what the audit log says about it.</p>
    <form method="post" action="\(Address("people", "remove"))" class="actions">
    \(FormToken.field(visitor.formToken))<input type="hidden" name="name" value="\(person.name)">
    <button type="submit" class="button button-danger">Remove</button>
    <a class="button" href="\(Address("people"))">Keep</a></form>
    </section>
    """
  }
}

/// Where people are signed in, each with a button that ends it.
struct SessionTable {
  let visitor: Visitor
  let sessions: [DashboardSession]
  /// Where the buttons lead.
  let action: Address
  let showsUser: Bool

  var html: HTML {
    """
    <section class="card"><h2 class="card-title">Signed in</h2>
    <div class="scroll"><table class="table table-stack"><thead><tr>\
    \(showsUser ? #"<th scope="col">Name</th>"# as HTML : nil)<th scope="col">Browser</th>\
    <th scope="col">Since</th><th scope="col">Until</th>\
    <th scope="col"><span class="hidden">Action</span></th></tr></thead>
    <tbody>\(sessions.map(row))</tbody></table></div></section>
    """
  }

  private func row(_ session: DashboardSession) -> HTML {
    let isOwn = session.id == Catalog.sessionID(ofToken: visitor.session)
    let browser = session.browser.isEmpty ? "unknown" : session.browser
    return """
      <tr>\(showsUser ? "<td>\(session.user)</td>" as HTML : nil)<td>\(browser)\
      \(isOwn ? #" <span class="faint">this one</span>"# as HTML : nil)</td>
      <td data-label="Since">\(Moment(ms: session.createdAtMs, zone: .gmt).dateElement)</td>
      <td data-label="Until">\(Moment(ms: session.expiresAtMs, zone: .gmt).dateElement)</td>
      <td class="end"><form method="post" action="\(action)" class="line-form line-end">\
      \(FormToken.field(visitor.formToken))<input type="hidden" name="session" value="\(session.id)">\
      <button type="submit" class="button button-small" aria-label="End the session of \
      \(session.user) in \(browser)">End</button></form></td></tr>

      """
  }
}
