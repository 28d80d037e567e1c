import Catalog
import Foundation

/// A project's keys: what apps send with, what the API is read with.
struct KeysPage: Page {
  let visitor: Visitor
  let project: Project
  let keys: [Key]
  let zone: TimeZone
  let readKeys: ReadKeysCard
  /// A key that was just made; shown in full this once.
  var made: CreatedKey?
  var problem: String?

  var title: String { "Keys of \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>API keys</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(made.map(madeNotice))
    <section class="card">
    <h2 class="card-title">Keys of \(project.name)</h2>
    <p class="definition">A public key sits in an app and can only send events. A secret key reads \
    and administers this project through the API.</p>
    \(keys.isEmpty ? #"<p class="empty-line">No keys yet. Create one to send the first event.</p>"# as HTML : table)
    </section>
    \(mayChange ? #"<div class="two">\#(createForm)\#(adoptForm)</div>"# as HTML : nil)
    \(readKeys.html)
    """
  }

  private var mayChange: Bool { visitor.user.role.may(.manageKeys) }

  private func madeNotice(_ made: CreatedKey) -> HTML {
    let isSecret = made.key.kind == .secret
    return """
      <section class="card card-new" role="status">
      <h2 class="card-title">\(isSecret ? "Copy the secret key now" : "The key is ready")</h2>
      <p class="definition">\(isSecret
        ? "It is shown this once: the server keeps only a fingerprint of it."
        : "Put it into your app. It can only send events.")</p>
      \(Snippet(id: "made-key", label: "the key", language: "Key", code: made.plaintext).html)
      </section>
      """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-keys">
    <thead><tr><th scope="col">Key</th><th scope="col">Kind</th><th scope="col">Label</th>\
    <th scope="col">Created</th><th scope="col"><span class="hidden">Action</span></th></tr></thead>
    <tbody>\(keys.reversed().map(row))</tbody></table></div>
    """
  }

  private func row(_ key: Key) -> HTML {
    let text: HTML =
      key.value.map { #"<code class="key-text">\#($0)</code>"# } ?? "<code>\(key.hint)</code>"
    return """
      <tr\(#" class="off""#, if: key.isRevoked)><td>\(text)</td><td>\(key.kind.title)\
      \(key.isTest ? #" <span class="tag tag-test">test</span>"# as HTML : nil)\
      \(key.role.map { #" <span class="tag">\#($0.rawValue)</span>"# as HTML })</td>\
      <td>\(key.label)</td><td>\(Moment(ms: key.createdAtMs, zone: zone).dateElement)</td>\
      <td class="end">\(action(key))</td></tr>

      """
  }

  private func action(_ key: Key) -> HTML {
    if let revoked = key.revokedAtMs {
      return
        #"<span class="faint">revoked \#(Moment(ms: revoked, zone: zone).dateElement)</span>"#
    }
    guard mayChange else { return "" }
    let revoke: HTML =
      #"<a class="quiet danger" href="\#(address("\(key.id)", "revoke"))" aria-label="Revoke \#(key.hint)">Revoke…</a>"#
    if let ends = key.endsAtMs {
      let moment = Moment(ms: ends, zone: zone)
      return #"<span class="faint">until \#(moment.dateElement)</span> \#(revoke)"#
    }
    guard key.kind.isMadeHere else { return revoke }
    return """
      <form method="post" action="\(address("\(key.id)", "rotate"))" class="line-form line-end">\
      \(FormToken.field(visitor.formToken))<button type="submit" class="quiet as-link" \
      title="Makes a new key; this one goes on working for a day" \
      aria-label="Replace \(key.hint)">Replace</button>\(revoke)</form>
      """
  }

  private var createForm: HTML {
    """
    <section class="card"><h2 class="card-title">Create a key</h2>
    <form method="post" action="\(address())" class="stack">
    \(FormToken.field(visitor.formToken))
    <fieldset class="choices"><legend>Kind</legend>
    \(KeyChoice.allCases.filter { $0.role != .owner || visitor.user.role == .owner }.map(choice))</fieldset>
    <label class="field"><span>Label</span><input name="label" maxlength="100" \
    placeholder="iOS app" autocomplete="off"></label>
    <button type="submit" class="button button-main">Create key</button></form></section>
    """
  }

  private var adoptForm: HTML {
    let options = KeyKind.allCases.filter(\.isAdopted).map {
      #"<option value="\#($0.rawValue)">\#($0.title)</option>"# as HTML
    }
    return """
      <section class="card"><h2 class="card-title">Adopt a key your apps ship</h2>
      <form method="post" action="\(address("adopt"))" class="stack">
      \(FormToken.field(visitor.formToken))
      <label class="field"><span>From</span><select name="kind">\(options)</select></label>
      <label class="field"><span>Key</span><input name="value" required minlength="4" \
      maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none"></label>
      <label class="field"><span>Label</span><input name="label" maxlength="100" \
      autocomplete="off"></label>
      <p class="hint">Apps with that vendor’s SDK then only need this server’s address.</p>
      <button type="submit" class="button">Adopt key</button></form></section>
      """
  }

  private func choice(_ choice: KeyChoice) -> HTML {
    """
    <label><input type="radio" name="kind" value="\(choice.rawValue)"\
    \(" checked", if: choice == .ingest)> <span>\(choice.title)</span></label>

    """
  }

  private func address(_ parts: String...) -> Address {
    Address(segments: ["projects", "\(project.id)", "keys"] + parts)
  }
}

/// The keys that can be made, as the form names them.
enum KeyChoice: String, CaseIterable {
  case ingest
  case test
  case phase
  case secret
  case reading
  case owner

  /// What a secret key may do; nil for one that only sends.
  var role: Role? {
    switch self {
    case .ingest, .test, .phase: nil
    case .secret: .editor
    case .reading: .viewer
    case .owner: .owner
    }
  }

  var title: String {
    switch self {
    case .ingest: "Public, for apps"
    case .test: "Public, for debug builds: all its events are test events"
    case .phase: "Public, for apps with Phase’s SDK"
    case .secret: "Secret, for the API: reads and administers this project"
    case .reading: "Secret, for the API: reads this project"
    case .owner: "Secret, for the API: administers the whole server"
    }
  }
}

/// A text field for a time zone that suggests the known ones.
struct TimeZoneField {
  let value: String

  var html: HTML {
    let zones = Catalog.timeZoneNames.map { #"<option value="\#($0)">"# as HTML }
    return """
      <label class="field"><span>Time zone</span><input name="time_zone" value="\(value)" required \
      list="time-zones" autocomplete="off" spellcheck="false"></label>
      <datalist id="time-zones">\(zones)</datalist>
      """
  }
}

/// Asks once more before a key is revoked.
struct RevokePage: Page {
  let visitor: Visitor
  let project: Project
  let key: Key

  var title: String { "Revoke a key" }

  var content: HTML {
    let keys = Address("projects", "\(project.id)", "keys")
    return """
      <section class="sheet sheet-narrow">
      <h1>Revoke this key?</h1>
      <p><code class="key-text">\(key.value ?? key.hint)</code>\
      \(key.label.isEmpty ? nil : #" <span class="muted">\#(key.label)</span>"# as HTML)</p>
      <p>\(key.kind == .secret
        ? "Whatever reads \(project.name) with it is refused from now on."
        : "Apps that send with it are refused within a second. They keep their events until they get a key that works.") \
      This cannot be undone.</p>
      <form method="post" action="\(Address("projects", "\(project.id)", "keys", "\(key.id)", "revoke"))" \
      class="actions">
      \(FormToken.field(visitor.formToken))
      <button type="submit" class="button button-danger">Revoke key</button>
      <a class="button" href="\(keys)">Keep it</a></form>
      </section>
      """
  }
}

/// Makes a project.
struct NewProjectPage: Page {
  let visitor: Visitor
  var name = ""
  var timeZone = "UTC"
  var problem: String?

  var title: String { "New project" }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <h1>New project</h1>
    <p>A project is one app, or a family of apps whose events belong together.</p>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    <form method="post" action="\(Address("projects"))" class="stack">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" value="\(name)" required \
    maxlength="100" autocomplete="off" autofocus></label>
    \(TimeZoneField(value: timeZone).html)
    <p class="hint">Days begin at midnight in this zone. It can be changed later.</p>
    <button type="submit" class="button button-main">Create project</button>
    </form>
    </section>
    """
  }
}

extension KeyKind {
  /// The kind as people say it.
  var title: String {
    switch self {
    case .ingest: "Public"
    case .secret: "Secret"
    case .amplitude: "Amplitude"
    case .simpledatalogs: "SimpleDataLogs"
    case .phase: "Phase"
    case .aws: "AWS"
    }
  }
}
