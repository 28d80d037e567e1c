import Catalog
import EventStore
import Foundation
import Insights

/// What happens right now: counters, a chart, and events as they arrive.
struct LivePage: Page {
  let project: Project
  let query: LiveQuery
  let numbers: LiveNumbers
  let list: EventList
  /// What an app sends with, for the empty page; nil when the project has no working key.
  let ingestKey: String?
  /// Where apps reach this server.
  let endpoint: String
  /// A name that no event has, with what was probably meant.
  var unknown: HTML?

  var title: String { "Live · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head">
    <h1>Live</h1>
    <p class="status" id="status" data-state="off"><i aria-hidden="true"></i>\
    <span id="status-text">Reload for newer events</span></p>
    <nav class="tabs" aria-label="Events"><a href="\(query.address(project: project.id))" aria-current="true">Live</a> \
    <a href="\(ExplorePage.address(project.id, [:]))">Past</a></nav>
    \(isFirstTime ? nil : filters)
    </div>
    <div id="live" data-stream="\(part("stream"))" data-rows="\(part("rows"))" \
    data-numbers="\(part("numbers"))" data-range="\(query.range.rawValue)" \
    data-name="\(query.name ?? "")" data-person="\(query.person ?? "")"\
    \(" data-empty", if: isFirstTime)\(" data-past", if: query.before != nil)>
    \(isFirstTime ? firstTime : overview)
    </div>
    <p class="hidden" id="announce" role="status" aria-live="polite"></p>
    \(drawer)
    """
  }

  private var isFirstTime: Bool {
    list.events.isEmpty && !query.isFiltered && query.before == nil
      && numbers.series.lines.isEmpty
  }

  private func part(_ name: String) -> Address {
    var query = query
    query.before = nil
    return query.address(project: project.id, part: name)
  }

  private var zoneName: String { project.timeZone.replacingOccurrences(of: "_", with: " ") }

  // MARK: With events

  private var overview: HTML {
    """
    \(CountersView(numbers: numbers, zoneName: zoneName).html)
    \(SeriesView(numbers: numbers, project: project.id, zoneName: zoneName).html)
    <section class="card list-card" aria-labelledby="list-title">
    <div class="card-head"><h2 class="card-title" id="list-title">Events</h2>
    <p class="definition">\(query.before == nil
      ? "Everything that arrives, test events included, in the order it arrives."
      : "Older events, in the order they arrived.")</p>
    \(query.before == nil ? pauseButton : backToNow)
    </div>
    <div class="list-head" aria-hidden="true"><span>Event</span><span>Properties</span>\
    <span>Person</span><span>App</span><span>Happened</span></div>
    <div class="list-wrap">
    <button type="button" class="fresh-pill" id="fresh" hidden></button>
    <ol class="events" id="events" aria-label="Events, newest first">\(list.items)</ol>
    \(list.events.isEmpty ? nothingFound : nil)
    </div>
    </section>
    """
  }

  private var pauseButton: HTML {
    """
    <button type="button" class="button button-small" id="pause" aria-pressed="false" hidden>\
    \(Icons.pause)\(Icons.resume)<span>Pause</span></button>
    """
  }

  private var backToNow: HTML {
    var now = query
    now.before = nil
    return
      #"<a class="button button-small" href="\#(now.address(project: project.id))">Back to now</a>"#
  }

  private var nothingFound: HTML {
    let all = query.over(query.range).only(name: nil)
    var everyone = all
    everyone.person = nil
    return """
      <div class="nothing" id="nothing">\(unknown)<p><b>No events match.</b></p>
      <p class="muted">Nothing was received\(query.name.map { " named “\($0)”" } ?? "")\
      \(query.person.map { " from “\($0)”" } ?? ""). New ones appear here as they arrive.</p>
      <p><a class="button" href="\(everyone.address(project: project.id))">Show all events</a></p></div>
      """
  }

  /// Stands outside of what is replaced when a filter changes, so that nothing typed meanwhile is
  /// lost; the script fills it in when the question changes elsewhere.
  private var filters: HTML {
    let page = LiveQuery().address(project: project.id)
    return """
      <form class="filters" id="filters" method="get" action="\(page)" role="search" \
      aria-label="Filter events" hx-get="\(page)" hx-target="#live" hx-select="#live" \
      hx-swap="outerHTML" hx-push-url="true" hx-trigger="submit, change">
      <label class="filter"><span>Event</span><input name="name" id="filter-name" \
      value="\(query.name ?? "")" placeholder="Any" list="names" autocomplete="off" \
      spellcheck="false" autocapitalize="none" enterkeyhint="search"></label>
      <datalist id="names" data-source="\(Address("projects", "\(project.id)", "names"))"></datalist>
      <label class="filter"><span>Person</span><input name="person" id="filter-person" \
      value="\(query.person ?? "")" placeholder="User or device id" autocomplete="off" \
      spellcheck="false" autocapitalize="none" enterkeyhint="search"></label>
      <input type="hidden" name="range" value="\(query.range == .hour ? "" : query.range.rawValue)">
      <button type="submit" class="button button-small filter-go">Filter</button>
      <a class="quiet" id="filter-clear" href="\(page)" hx-get="\(page)" hx-target="#live" \
      hx-select="#live" hx-swap="outerHTML" hx-push-url="true">Clear</a>
      </form>
      """
  }

  private var drawer: HTML {
    """
    <dialog class="drawer" id="drawer" aria-labelledby="event-title">
    <div class="drawer-bar"><button type="button" class="icon-button" id="drawer-newer" \
    aria-label="Newer event">↑</button><button type="button" class="icon-button" id="drawer-older" \
    aria-label="Older event">↓</button><a class="quiet" id="drawer-link" href="#">Open as a page</a>\
    <button type="button" class="icon-button" id="drawer-close" aria-label="Close">\(Icons.close)\
    </button></div>
    <div class="drawer-body" id="drawer-body"></div>
    </dialog>
    """
  }

  // MARK: Before the first event

  private var firstTime: HTML {
    """
    <section class="card first">
    <h2>Send the first event</h2>
    <p class="muted">Add the package to your app and paste these three lines. The event appears \
    here within a second or two of being sent.</p>
    \(ingestKey.map(steps) ?? noKey)
    <p class="waiting"><i aria-hidden="true"></i>Waiting for the first event of \(project.name)…</p>
    </section>
    """
  }

  private func steps(_ key: String) -> HTML {
    """
    \(Snippet.swift(key: key, endpoint: endpoint).html)
    <p class="hint">A program that ends by itself, such as a command-line tool, ends with \
    <code>footfall.shutdown()</code>: it sends what waits, which takes a moment.</p>
    \(isLocal ? localHint : nil)
    <details class="more"><summary>Or try it from a terminal</summary>
    \(Snippet.curl(key: key, endpoint: endpoint).html)</details>
    """
  }

  private var isLocal: Bool {
    endpoint.contains("//127.0.0.1") || endpoint.contains("//localhost")
  }

  private var localHint: HTML {
    """
    <p class="hint">An app on a phone cannot reach \(endpoint): start the server with an address \
    of your network and put that one here.</p>
    """
  }

  private var noKey: HTML {
    """
    <p>This project has no key that works. \
    <a href="\(Address("projects", "\(project.id)", "keys"))">Create one</a> first.</p>
    """
  }
}

/// One event on a page of its own, for a link that can be shared.
struct EventPage: Page {
  let sheet: EventSheet

  var title: String { sheet.event.displayName }

  private var ownSheet: EventSheet {
    var own = sheet
    own.level = 1
    return own
  }

  var content: HTML {
    """
    <p class="crumbs"><a href="\(Address("projects", "\(sheet.project)", "live"))">Live</a></p>
    <div class="sheet sheet-event">\(ownSheet.html)</div>
    """
  }
}
