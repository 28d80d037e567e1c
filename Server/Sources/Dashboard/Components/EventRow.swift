import EventRecord
import EventStore
import Foundation
import Insights

/// One event in the live list: what happened, to whom, where, when.
///
/// The same markup comes with the page and, later, through the stream.
struct EventRow {
  let event: StoredEvent
  let project: UInt32
  let zone: TimeZone
  let nowMs: Int64
  /// The day under which the event stands.
  ///
  /// Its time of day is told in place of how long ago it was, and its own day where it is another. Nil tells how long ago it was.
  var day: Moment?
  /// Whether the list is one person's, who stands above it: no row names them again.
  var isOfOnePerson = false

  /// What is larger is not read for a row, since a page has many; Amplitude's events reach a megabyte.
  private static let maxPreviewBytes = 64 * 1_024

  var html: HTML {
    let preview = preview
    return """
      <li class="event" data-key="\(event.key.description)" data-name="\(event.name)" \
      data-place="\(RecentEvents.Place(of: event).text)" data-kind="\(event.kind.word)">\
      <a href="\(Self.address(of: event, project: project))">\
      <span class="event-name"><i class="dot" aria-hidden="true"></i>\
      <span class="cut" title="\(event.name)">\(event.displayName)</span>\(tags)</span>\
      <span class="event-props cut" title="\(preview)">\(preview)</span>\
      \(isOfOnePerson ? nil : #"<span class="event-person cut">\#(person)</span>"# as HTML)\
      <span class="event-app cut">\(app)</span>\
      <span class="event-time">\(late)\(day.map(moment.clockElement(besides:)) ?? moment.element(nowMs: nowMs))</span>\
      </a></li>
      """
  }

  /// Where an event's own page is.
  static func address(of event: StoredEvent, project: UInt32) -> Address {
    Address("projects", "\(project)", "events", event.key.description)
  }

  private var moment: Moment { Moment(ms: event.correctedMs, zone: zone) }

  private var tags: HTML {
    """
    \(event.kind == .event ? nil : #"<span class="tag">\#(event.kind.word)</span>"# as HTML)\
    \(event.isTest ? #"<span class="tag tag-test" title="From a debug build or an internal device">test</span>"# as HTML : nil)
    """
  }

  /// The first few properties on one line.
  private var preview: String {
    let text = event.kind == .event ? event.properties : event.operations
    let bytes = text.utf8.count
    guard bytes <= Self.maxPreviewBytes else {
      return "\((bytes / 1_024).grouped) KB of properties"
    }
    return (JSONText(text)?.members ?? []).prefix(6)
      .map { "\($0.name): \(String($0.value.plain.prefix(80)))" }
      .joined(separator: "  ·  ")
  }

  private var person: HTML {
    if !event.userID.isEmpty {
      return #"<span title="User \#(event.userID)">\#(event.userID)</span>"#
    }
    guard !event.deviceID.isEmpty else { return #"<span class="faint">nobody</span>"# }
    return """
      <span class="mono faint" title="Device \(event.deviceID)">\
      \(event.deviceID.count > 12 ? event.deviceID.prefix(8) + "…" : event.deviceID[...])</span>
      """
  }

  private var app: HTML {
    // What the event says of its own counts before what its client says, also that there is none.
    let (own, client) = (JSONText(event.context), JSONText(event.client))
    let values = ["platform", "app"].compactMap { own?[$0] ?? client?[$0] }
    let parts = values.filter { $0 != .null }.map(\.plain).filter { !$0.isEmpty }
    let text = parts.joined(separator: " ")
    return #"<span title="\#(text)">\#(text)</span>"#
  }

  /// Says so when the event waited on its device for more than a minute.
  private var late: HTML? {
    let seconds = (event.receivedMs - event.correctedMs) / 1_000
    guard seconds > 60 else { return nil }
    let received = Moment(ms: event.receivedMs, zone: zone).full
    return """
      <span class="late" title="Arrived \(Moment.span(seconds)) after it happened, at \(received)">\
      late</span>
      """
  }
}

extension StoredEvent {
  /// The name, or a stand-in for the empty one.
  var displayName: String { name.isEmpty ? "(no name)" : name }
}

extension EventRecord.Kind {
  /// The kind as one word.
  var word: String {
    switch self {
    case .event: "event"
    case .identify: "identify"
    case .groupIdentify: "group"
    // Never stored: it is there for the stream's readers.
    case .streamRecord: "record"
    }
  }
}
