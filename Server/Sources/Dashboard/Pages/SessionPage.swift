import Catalog
import EventStore
import Foundation
import Insights

/// One session: what happened in it, from its first event to its last.
struct SessionPage: Page {
  /// The most events that are read of it.
  static let shownEvents = 1_000

  let project: Project
  let session: RecentSessions.Session
  /// What happened in it, the first thing first.
  let events: [StoredEvent]
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "Session of \(session.person) · \(project.name)" }

  static func address(_ session: RecentSessions.Session, project: UInt32) -> Address {
    Address("projects", "\(project)", "sessions")
      .with("session", session.id).with("person", session.person)
  }

  var content: HTML {
    """
    <p class="crumbs crumbs-wide"><a href="\(Address("projects", "\(project.id)", "sessions"))">Sessions</a></p>
    <div class="page-head profile-head"><h1 class="name-cell">Session of \
    <a href="\(PersonAddress(session.person).address(project: project.id))">\(session.person)</a></h1>\
    \(session.isPassive ? #"<span class="tag">passive</span>"# as HTML : nil)</div>
    \(devices)
    <section class="figures" aria-label="In numbers">
    \(figure("Began", "\(begun.shortDate), \(begun.minute)", "The time of its first event, in \(zoneName)."))
    \(figure("Length", Moment.span(session.lengthMs / 1_000), "From its first to its last event."))
    \(figure("Events", session.events.grouped, "How many it has, test events left out."))</section>
    <section class="card list-card"><div class="card-head"><h2 class="card-title">What happened</h2></div>
    <p class="definition list-note">\(isCut ? "\(events.count.grouped) of its events" : "All of its events"), \
    the first one first, on \(begun.longDate). Session <code class="name-cell">\(session.id)</code></p>
    <ol class="events events-own" aria-label="What happened, the first thing first">\(rows)</ol>
    \(events.isEmpty ? #"<p class="nothing">Its events are not kept any more.</p>"# as HTML : nil)</section>
    """
  }

  /// With what it was: device, system and app, as its events say; each once, where there were several.
  private var devices: [HTML] {
    var seen: Set<String> = []
    return events.compactMap { event -> HTML? in
      let words = DeviceWords(client: event.client, context: event.context).text
      guard !words.isEmpty || !event.deviceID.isEmpty,
        seen.insert(event.deviceID + "\n" + words).inserted
      else { return nil }
      let parts = [words, event.deviceID.isEmpty ? "" : "device \(event.deviceID)"].filter {
        !$0.isEmpty
      }
      return #"<p class="muted session-device">\#(parts.joined(separator: "  ·  "))</p>\#n"#
    }
  }

  private var begun: Moment { Moment(ms: session.begunMs, zone: zone) }
  private var zoneName: String { project.timeZone.replacingOccurrences(of: "_", with: " ") }
  private var isCut: Bool { events.count < session.events }

  private var rows: [HTML] {
    events.map {
      EventRow(
        event: $0,
        project: project.id,
        zone: zone,
        nowMs: nowMs,
        day: begun,
        isOfOnePerson: true
      ).html
    }
  }

  private func figure(_ title: String, _ value: String, _ definition: String) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
    <p class="definition">\(definition)</p></div>

    """
  }
}
