import Catalog
import Foundation
import Insights

/// A project's latest sessions, and which of them were passive.
struct SessionsPage: Page {
  /// Which sessions are listed.
  enum Shown: String, CaseIterable {
    case all
    case active
    case passive

    var title: String {
      switch self {
      case .all: "All"
      case .active: "Active"
      case .passive: "Passive"
      }
    }

    /// As the question has it.
    var isPassive: Bool? { self == .all ? nil : self == .passive }
  }

  /// How far back sessions are listed, in days.
  static let days: Int64 = 30
  static let pageSize = 100

  let project: Project
  let shown: Shown
  let sessions: [RecentSessions.Session]
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "Sessions · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>Sessions</h1></div>
    <section class="card">
    <div class="card-head"><nav class="tabs" aria-label="Kind of sessions">\(Shown.allCases.map(link))</nav></div>
    <p class="definition">The last \(Self.pageSize) that began within \(Int(Self.days)) days, test events left out. \
    A column’s head sorts these \(Self.pageSize) only; the time leads to what happened in it. \
    A session is passive when the app was never in front: whatever its events say of <code>app_state</code> is \
    <code>background</code>.</p>
    \(sessions.isEmpty ? nothing : table)
    </section>
    """
  }

  private var nothing: HTML {
    let what = shown == .all ? "session" : "\(shown.rawValue) session"
    return """
      <p class="empty-line"><b>No \(what) in the last \(Int(Self.days)) days.</b> An event belongs to one when the app \
      sends a session with it, as the SDK does by itself.</p>
      """
  }

  private func link(_ shown: Shown) -> HTML {
    let address = Address("projects", "\(project.id)", "sessions")
      .with("show", shown == .all ? nil : shown.rawValue)
    return
      #"<a href="\#(address)"\#(#" aria-current="true""#, if: shown == self.shown)>\#(shown.title)</a> "#
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-stack">
    <thead><tr><th scope="col">Began</th><th scope="col">Person</th><th scope="col" class="end">Length</th>\
    <th scope="col" class="end">Events</th><th scope="col">Kind</th></tr></thead>
    <tbody>\(sessions.map(row))</tbody></table></div>
    """
  }

  private func row(_ session: RecentSessions.Session) -> HTML {
    """
    <tr data-session="\(session.id)"><td class="no-wrap">\
    <a href="\(SessionPage.address(session, project: project.id))">\
    \(Moment(ms: session.begunMs, zone: zone).element(nowMs: nowMs))</a></td>\
    <td data-label="Person"><a class="cut" href="\(PersonAddress(session.person).address(project: project.id))">\(session.person)</a></td>\
    <td class="end num" data-label="Length" data-value="\(session.lengthMs)">\(Moment.span(session.lengthMs / 1_000))</td>\
    <td class="end num" data-label="Events" data-value="\(session.events)"><a href="\(SessionPage.address(session, project: project.id))" \
    aria-label="\(session.events.grouped) events of the session">\(session.events.grouped)</a></td>\
    <td data-label="Kind">\(session.isPassive ? #"<span class="tag">passive</span>"# as HTML : "active")</td></tr>

    """
  }
}
