import EventStore
import Foundation
import Insights

/// Events as a list, the newest on top, with a way to older ones.
struct EventList {
  let events: [StoredEvent]
  let query: LiveQuery
  let project: UInt32
  let zone: TimeZone
  let nowMs: Int64

  /// How many events a page of the list holds.
  static let pageSize = 50

  /// The items alone, for a page, for its next part and for the stream.
  var items: HTML {
    let rows = events.map { event in
      EventRow(event: event, project: project, zone: zone, nowMs: nowMs).html
    }
    return "\(rows)\(older)"
  }

  private var older: HTML? {
    guard events.count == Self.pageSize, let last = events.last else { return nil }
    var next = query
    next.before = RecentEvents.Place(of: last)
    let part = next.address(project: project, part: "rows")
    return """
      <li class="older"><a href="\(next.address(project: project))" hx-get="\(part)" \
      hx-target="closest li" hx-swap="outerHTML">Older events</a></li>
      """
  }
}
