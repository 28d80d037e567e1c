import Catalog
import Foundation
import Insights

/// How well a project's events arrive: what is kept, and what is not and why.
struct QualityPage: Page {
  let visitor: Visitor
  let project: Project
  let range: String
  let report: Report
  let view: ReportView
  let losses: Losses
  let zone: TimeZone

  var title: String { "Data quality of \(project.name)" }

  static let ranges: [(word: String, title: String)] = [
    ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days"),
  ]

  /// Losses put together by kind and reason.
  struct Losses {
    /// One reason.
    struct Entry {
      let kind: DayLosses.Kind
      let reason: String
      let count: Int
      let lastDay: Int64
      /// The libraries it came from, the most frequent first.
      let libraries: [String]
    }

    let entries: [Entry]
    /// By day (days since 1970, UTC) and kind.
    let days: [Int64: [DayLosses.Kind: Int]]

    init(_ losses: [DayLosses]) {
      struct Place: Hashable {
        var kind: DayLosses.Kind
        var reason: String
      }
      var days: [Int64: [DayLosses.Kind: Int]] = [:]
      for loss in losses {
        days[loss.place.day, default: [:]][loss.place.kind, default: 0] += loss.count
      }
      self.days = days
      let groups = Dictionary(grouping: losses) {
        Place(kind: $0.place.kind, reason: $0.place.reason)
      }
      entries = groups.map { place, losses in
        let libraries = Dictionary(grouping: losses, by: \.place.library)
          .mapValues { $0.reduce(0) { $0 + $1.count } }
        return Entry(
          kind: place.kind,
          reason: place.reason,
          count: losses.reduce(0) { $0 + $1.count },
          lastDay: losses.map(\.place.day).max() ?? 0,
          libraries: libraries.sorted {
            $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value
          }.map(\.key).filter { !$0.isEmpty }
        )
      }.sorted { $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count }
    }
  }

  var content: HTML {
    """
    <div class="page-head"><h1>Data quality</h1>\(CatalogueTab.tabs(project.id, .quality, for: visitor))</div>
    <div class="page-head"><nav class="tabs" aria-label="Time">\(Self.ranges.map(tab))</nav></div>
    \(view.period)<section class="figures" aria-label="In numbers">\(view.figureItems)</section>
    \(report.isEmpty ? #"<section class="card"><p class="empty-line">Nothing arrived in this time.</p></section>"# : arrived)
    \(lost)
    """
  }

  private func tab(_ range: (word: String, title: String)) -> HTML {
    let address = Address("projects", "\(project.id)", "quality").with("range", range.word)
    return """
      <a href="\(address)"\(#" aria-current="true""#, if: range.word == self.range)>\(range.title)</a>
      """
  }

  private var arrived: HTML {
    """
    <section class="card chart-card"><div class="card-head"><h2 class="card-title" id="report-title">\
    \(report.title)</h2><div class="card-actions">\(view.pictureButton)</div></div>
    \(view.chart)\(view.note)\(view.toggled)</section>
    <section class="card"><h2 class="card-title">By library</h2><p class="definition">The library and \
    version that the client told with its events.</p>\
    <div class="scroll scroll-tall" tabindex="0">\(view.table(1))</div></section>
    """
  }

  private var lost: HTML {
    """
    <section class="card"><h2 class="card-title">What was not kept, and why</h2>
    <p class="definition">Counted by the collector as it answers, by days in UTC, and kept every two seconds: \
    a crash of the server forgets that much. “Dropped by clients” is what apps tell of events they gave up \
    before sending.</p>
    \(losses.entries.isEmpty ? #"<p class="empty-line">Everything that came was kept, and no client says that it dropped anything.</p>"# as HTML : tables)
    </section>
    """
  }

  private var tables: HTML {
    let kinds = DayLosses.Kind.allCases
    let days = losses.days.sorted { $0.key > $1.key }.map { day, counts -> HTML in
      let cells = kinds.map { kind -> HTML in
        let count = counts[kind] ?? 0
        return #"<td class="end num\#(" zero", if: count == 0)">\#(count.grouped)</td>"#
      }
      let moment = Moment(ms: day * 86_400_000, zone: .gmt)
      return """
        <tr><th scope="row" class="num no-wrap" data-value="\(day)">\(moment.date)</th>\(cells)</tr>

        """
    }
    let heads = kinds.map { #"<th scope="col" class="end">\#(Self.title($0))</th>"# as HTML }
    return """
      <div class="scroll"><table class="table table-tight"><caption class="hidden">By reason</caption><thead>\
      <tr><th scope="col">Reason</th><th scope="col">What</th><th scope="col" class="end">Number</th>\
      <th scope="col">Libraries</th><th scope="col">Last</th></tr></thead>
      <tbody>\(losses.entries.map(row))</tbody></table></div>
      <details class="table-toggle"><summary>Day by day</summary><div class="scroll scroll-tall" tabindex="0">\
      <table class="table table-tight"><caption class="hidden">Day by day</caption><thead><tr>\
      <th scope="col">Day</th>\(heads)</tr></thead><tbody>\(days)</tbody></table></div></details>
      """
  }

  private func row(_ entry: Losses.Entry) -> HTML {
    let libraries = entry.libraries.prefix(3).joined(separator: ", ")
    let last = Moment(ms: entry.lastDay * 86_400_000, zone: .gmt)
    return """
      <tr><th scope="row" class="name-cell mono">\(entry.reason)</th><td>\(Self.title(entry.kind))</td>\
      <td class="end num">\(entry.count.grouped)</td>\
      <td>\(libraries)\(entry.libraries.count > 3 ? " …" : "")</td>\
      <td class="no-wrap" data-value="\(entry.lastDay)">\(last.date)</td></tr>

      """
  }

  private static func title(_ kind: DayLosses.Kind) -> String {
    switch kind {
    case .rejected: "Refused events"
    case .refused: "Refused requests"
    case .repeated: "Repeats in a request"
    case .dropped: "Dropped by clients"
    }
  }
}
