import EventRecord
import EventStore
import Foundation
import Insights

/// How properties changed, as a card; nothing where none ever did.
struct PropertyEdits {
  let edits: [PropertyTimeline.Edit]
  let project: UInt32
  let zone: TimeZone
  let nowMs: Int64

  static let shown = 50

  var html: HTML? {
    guard !edits.isEmpty else { return nil }
    return """
      <section class="card"><h2 class="card-title">How properties changed</h2>
      <p class="definition">Each value a property had, until when, and by which event\
      \(edits.count > Self.shown ? "; the last \(Self.shown) of \(edits.count.grouped) changes" : ""). An event \
      keeps what held when it happened.</p>
      <div class="scroll" tabindex="0"><table class="table"><caption class="hidden">Changes of properties</caption>
      <thead><tr><th scope="col">When</th><th scope="col">Property</th><th scope="col">Was</th>\
      <th scope="col">Became</th><th scope="col">By</th></tr></thead>\
      <tbody>\(edits.prefix(Self.shown).map(row))</tbody></table></div></section>
      """
  }

  private func row(_ edit: PropertyTimeline.Edit) -> HTML {
    let event = Address("projects", "\(project)", "events", edit.place.key.description)
    return """
      <tr><td class="no-wrap">\(Moment(ms: edit.place.correctedMs, zone: zone).element(nowMs: nowMs))</td>\
      <td class="name-cell">\(edit.property)</td><td class="name-cell faint">\(value(edit.old))</td>\
      <td class="name-cell">\(value(edit.new))</td>\
      <td><a href="\(event)">\(edit.event.isEmpty ? "event" : edit.event)</a></td></tr>

      """
  }

  private func value(_ value: PropertyValue?) -> HTML {
    guard let value else { return #"<span class="faint">(not set)</span>"# }
    return "\(PropertyText.text(value))"
  }
}
