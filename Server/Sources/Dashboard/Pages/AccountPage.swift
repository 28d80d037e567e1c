import Catalog

/// One's own name and password, and where one is signed in.
struct AccountPage: Page {
  let visitor: Visitor
  let sessions: [DashboardSession]
  /// Whether the password that there is must be told to set another.
  let asksForPassword: Bool
  var problem: String?
  var wasSaved = false

  var title: String { "Account" }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>Account</h1>
    <dl class="facts"><div><dt>Name</dt><dd>\(visitor.user.name)</dd></div>\
    <div><dt>Role</dt><dd>\(visitor.user.role.title)</dd></div></dl>
    <h2>\(visitor.user.hasPassword ? "Change the password" : "Set a password")</h2>
    <p>\(explanation)</p>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(wasSaved ? #"<p class="notice" role="status">The password is set. Other browsers were signed out.</p>"# as HTML : nil)
    <form method="post" action="\(Address("account", "password"))" class="stack">
    \(FormToken.field(visitor.formToken))
    <input type="hidden" name="username" value="\(visitor.user.name)" autocomplete="username">
    \(asksForPassword ? Self.present : nil)\
    <label class="field"><span>New password</span>
    <input type="password" name="password" autocomplete="new-password" minlength="10" \
    maxlength="1000" required aria-describedby="password-rule"></label>
    <p class="hint" id="password-rule">At least 10 characters. Setting it signs out every other \
    browser.</p>
    <button type="submit" class="button button-main">Save password</button>
    </form>
    </section>
    <div class="below-sheet">\(SessionTable(
      visitor: visitor,
      sessions: sessions,
      action: Address("account", "sessions", "end"),
      showsUser: false
    ).html)</div>
    """
  }

  private static let present: HTML = """
    <label class="field"><span>Current password</span>
    <input type="password" name="current" autocomplete="current-password" maxlength="1000" required \
    aria-describedby="current-rule"></label>
    <p class="hint" id="current-rule">Forgotten? Sign in with a new one-time link: for ten minutes it is not \
    asked for.</p>
    """

  private var explanation: String {
    visitor.user.hasPassword
      ? "You sign in with your name and this password, or with a one-time link."
      : "Until you set one, you sign in with one-time links made on the server."
  }
}
