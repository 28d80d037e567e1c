/// Signing in with a name and a password, or being told how to get a link.
struct SignInPage: Page {
  let formToken: String
  let next: String?
  /// Whether anyone has a password yet; until then there is only the link.
  let hasPasswords: Bool
  let signInCommand: String
  var name = ""
  /// What was wrong with the last attempt.
  var problem: String?

  var title: String { "Sign in" }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>Sign in</h1>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(hasPasswords ? form : nil)
    \(hasPasswords ? "<h2>No password?</h2>" as HTML : nil)
    <p>Make a link that signs you in once, on the machine the server runs on:</p>
    \(SignInCommand(command: signInCommand).html)
    <p class="hint">The server also printed such a link when it was started for the first time.</p>
    </section>
    """
  }

  private var form: HTML {
    """
    <form method="post" action="\(Address("sign-in"))" class="stack">
    \(FormToken.field(formToken))
    \(next.map { #"<input type="hidden" name="next" value="\#($0)">"# as HTML })
    <label class="field"><span>Name</span>
    <input name="name" value="\(name)" autocomplete="username" autocapitalize="none" \
    spellcheck="false" required autofocus></label>
    <label class="field"><span>Password</span>
    <input type="password" name="password" autocomplete="current-password" required></label>
    <button type="submit" class="button button-main">Sign in</button>
    </form>
    """
  }
}

/// Uses a one-time link up, after a click: mail scanners and previews open links too.
struct SignInLinkPage: Page {
  let formToken: String
  let link: String
  let isValid: Bool
  /// Whether anyone has a password yet; until then there are only links.
  let hasPasswords: Bool
  let signInCommand: String

  var title: String { "Sign in" }

  var content: HTML {
    isValid ? valid : used
  }

  private var valid: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>Welcome to Footfall</h1>
    <p>This link works once. It signs this browser in for 30 days.</p>
    <form method="post" action="\(Address("sign-in", link))">\(FormToken.field(formToken))
    <button type="submit" class="button button-main" autofocus>Sign in</button></form>
    </section>
    """
  }

  private var used: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>This link no longer works</h1>
    <p>It was used already, is more than an hour old, or was not copied whole. To get in:</p>
    \(hasPasswords ? password : nil)
    <h2>Somebody sent it to you?</h2>
    <p>Ask them for a new one. An owner makes it on the dashboard’s page “People”.</p>
    <h2>You look after the server?</h2>
    <p>Make a new one on the machine it runs on:</p>
    \(SignInCommand(command: signInCommand).html)
    </section>
    """
  }

  private var password: HTML {
    """
    <p><a class="button button-main" href="\(Address("sign-in"))">Sign in with a password</a></p>
    """
  }
}

/// What makes a link, to be typed on the server's machine.
struct SignInCommand {
  let command: String

  var html: HTML {
    """
    \(Snippet(id: "sign-in-command", label: "the command", code: command).html)
    \(command.hasSuffix(" DIR") ? folder : nil)
    """
  }

  private var folder: HTML {
    """
    <p class="hint"><code>DIR</code> is the server’s data folder: what <code>footfall serve --data</code> was \
    started with, else the folder <code>data</code> where it was started.</p>
    """
  }
}
