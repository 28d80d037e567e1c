import EventStore
import Insights

/// The chart's frame: its ranges, its legend, and the table that says the same in numbers.
///
/// The chart itself is drawn by the script from `data-series`; without it the table is there.
struct SeriesView {
  let numbers: LiveNumbers
  let project: UInt32
  let zoneName: String

  private var query: LiveQuery { numbers.query }
  private var series: EventSeries.Output { numbers.series }

  var html: HTML {
    """
    <section class="card chart-card" aria-labelledby="chart-title">
    <div class="card-head">
    <h2 class="card-title" id="chart-title">\(title)</h2>
    <nav class="tabs" aria-label="Time range">\(LiveQuery.Range.allCases.map(tab))</nav>
    </div>
    <div class="chart" id="chart" role="img" aria-labelledby="chart-title chart-note"></div>
    \(data)
    <p class="definition" id="chart-note">Counts events by when they happened (corrected time, \
    \(zoneName)). Test events and changes to a person’s properties are not counted. \
    The last bar, drawn hatched, is still growing.</p>
    <details class="table-toggle" id="series-details"><summary>Show as a table</summary>
    <div class="scroll scroll-tall" tabindex="0">\(table)</div></details>
    </section>
    """
  }

  private var title: String { query.range == .hour ? "Events per minute" : "Events per day" }

  private func tab(_ range: LiveQuery.Range) -> HTML {
    let address = query.over(range).address(project: project)
    return """
      <a href="\(address)" id="range-\(range.rawValue)" hx-get="\(address)" hx-target="#live" \
      hx-select="#live" hx-swap="outerHTML" hx-push-url="true"\
      \(#" aria-current="true""#, if: range == query.range)>\(range.title)</a>

      """
  }

  /// The chart's data and legend; replaced while the page is open.
  private var data: HTML {
    let items = series.lines.enumerated().map { index, line -> HTML in
      let text: HTML = """
        <i class="swatch" aria-hidden="true"></i><span class="cut">\(Self.name(of: line))</span> \
        <b class="num">\(line.total.grouped)</b>
        """
      guard let name = line.name else {
        return #"<li data-series="other"><span class="legend-item">\#(text)</span></li>"#
      }
      let isOnly = query.name == name
      let address = query.only(name: isOnly ? nil : name).address(project: project)
      return """
        <li data-series="\(index + 1)" data-name="\(name)"><a class="legend-item" href="\(address)" \
        hx-get="\(address)" hx-target="#live" hx-select="#live" hx-swap="outerHTML" \
        hx-push-url="true" title="\(isOnly ? "Show all events" : "Show only \(name)")">\(text)</a></li>

        """
    }
    let content: HTML =
      items.isEmpty
      ? #"<p class="muted legend-none">Nothing happened in this time.</p>"#
      : #"<ul class="legend">\#(items)</ul>"#
    return #"<div id="series" data-series="\#(json)">\#(content)</div>"#
  }

  private var table: HTML {
    let heads = series.lines.map {
      #"<th scope="col" class="end"><span class="cut" title="\#(Self.name(of: $0))">\#(Self.name(of: $0))</span></th>"#
        as HTML
    }
    let rows = series.bucketStartsMs.indices.reversed().map { index -> HTML in
      let cells = series.lines.map { line in
        let count = line.counts[index]
        return #"<td class="end num\#(" zero", if: count == 0)">\#(count.grouped)</td>"# as HTML
      }
      let sum = series.lines.reduce(0) { $0 + $1.counts[index] }
      return """
        <tr><th scope="row" class="num">\(label(series.bucketStartsMs[index]))</th>\(cells)\
        <td class="end num strong">\(sum.grouped)</td></tr>

        """
    }
    return """
      <table class="table table-tight" id="series-table">
      <caption class="hidden">\(title), \(query.range.title), newest first</caption>
      <thead><tr><th scope="col">\(query.range == .hour ? "Minute" : "Day")</th>\(heads)\
      <th scope="col" class="end">All</th></tr></thead><tbody>
      \(rows)</tbody></table>
      """
  }

  private func label(_ ms: Int64) -> String {
    let moment = Moment(ms: ms, zone: numbers.zone)
    return query.range == .hour ? moment.minute : moment.shortDate
  }

  private func longLabel(_ ms: Int64) -> String {
    let moment = Moment(ms: ms, zone: numbers.zone)
    return query.range == .hour ? "\(moment.longDate), \(moment.minute)" : moment.longDate
  }

  static func name(of line: EventSeries.Line) -> String {
    guard let name = line.name else { return "Other names" }
    return name.isEmpty ? "(no name)" : name
  }

  /// What the script draws.
  private var json: String {
    func member(_ name: String, _ value: JSONText) -> JSONText.Member {
      .init(name: name, value: value)
    }
    let lines = series.lines.enumerated().map { index, line in
      JSONText.object([
        member("name", .string(Self.name(of: line))),
        member("slot", line.name == nil ? .null : .number("\(index + 1)")),
        member("counts", .array(line.counts.map { .number("\($0)") })),
      ])
    }
    return JSONText.object([
      member("labels", .array(series.bucketStartsMs.map { .string(label($0)) })),
      member("titles", .array(series.bucketStartsMs.map { .string(longLabel($0)) })),
      member("lines", .array(lines)),
    ]).encoded(indent: nil)
  }
}
