import Foundation
import Insights

/// A report as markup: its figures, its chart, its tables.
///
/// The chart is drawn by the script from `data-chart`; without it the tables say the same.
struct ReportView {
  let report: Report
  /// Where the report is as comma-separated values; nil offers none.
  let csv: Address?
  /// Whether the first table only says what the chart shows, and waits to be opened.
  let hidesFirstTable: Bool
  /// Saves the question to a board; nil where nobody may.
  var saving: HTML?
  /// What the parts of this report are called on the page, so that several can stand on one.
  var id = "report"
  /// What the report is called; its own title unless told.
  var name: String?
  /// Whether the chart is days of the week by hours, and drawn as that.
  var isOfHours = false
  /// A table that is led to by a name in the address; it gets the focus then.
  var place: (table: Int, id: String)?
  /// Where a cell of a table leads, by table, row and column.
  var link: (_ table: Int, _ row: Int, _ column: Int) -> Address? = { _, _, _ in nil }

  var html: HTML {
    """
    \(period)<section class="figures" aria-label="In numbers">\(figureItems)</section>
    \(report.isEmpty ? nothing : content)
    """
  }

  /// Which days are counted, and which they are compared with.
  var period: HTML { ReportPeriod(report: report).html }

  private var nothing: HTML {
    """
    <section class="card"><p class="empty-line"><b>Nothing like that happened in this time.</b></p>
    <p class="definition">\(report.definition)</p>
    <p class="hint">A longer time or fewer filters may show more. Test events are left out unless asked for.</p></section>
    """
  }

  private var content: HTML {
    """
    <section class="card chart-card" aria-labelledby="\(id)-title">
    <div class="card-head"><div><h2 class="card-title" id="\(id)-title">\(report.title)</h2>\(period)</div>\
    <div class="card-actions">\(pictureButton)\
    \(csv.map { #"<a class="quiet" href="\#($0)" download>Save as CSV</a>"# as HTML })\(saving)</div></div>
    \(chart)
    \(note)
    \(hidesFirstTable ? toggled : nil)</section>
    \(report.tables.indices.dropFirst(hidesFirstTable ? 1 : 0).map(card))
    """
  }

  /// How the chart is defined.
  var note: HTML {
    """
    \(subject)<p class="definition" id="\(id)-note">\(report.definition)</p>
    """
  }

  /// Saves the chart as a picture; shown where charts are drawn.
  var pictureButton: HTML? {
    guard report.chart != nil else { return nil }
    return """
      <button type="button" class="as-link quiet png" data-png="\(id)-chart" \
      data-title="\(name ?? report.title)" data-subject="\(report.subject)">Save as PNG</button>
      """
  }

  /// What is asked about, without the days, which stand in the head.
  private var subject: HTML? {
    let parts = report.subject.ranges(of: " · ").last.map { report.subject[..<$0.lowerBound] }
    return parts.map { #"<p class="subject">\#($0)</p>"# }
  }

  /// The numbers above the chart.
  var figures: HTML {
    #"<div class="figures">\#(figureItems)</div>"#
  }

  /// The same without what is around them.
  var figureItems: [HTML] { report.figures.filter(\.isHeadline).map(figure) }

  private func figure(_ figure: Report.Figure) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(figure.title)</p>
    <p class="figure-value num">\(ReportNumber.text(figure.value, figure.unit, report.currency))</p>
    \(change(figure))<p class="definition">\(figure.definition)</p></div>

    """
  }

  private func change(_ figure: Report.Figure) -> HTML? {
    guard let previous = figure.previous else { return nil }
    let before = ReportNumber.text(previous, figure.unit, report.currency)
    let text = ReportNumber.change(from: previous, to: figure.value, figure.unit)
    return """
      <p class="figure-before">\(text == "—" ? nil : #"<span class="change">\#(text)</span> "# as HTML)from \(before)</p>

      """
  }

  /// The first table, to be opened.
  var toggled: HTML {
    """
    <details class="table-toggle"><summary>Show as a table</summary>
    <div class="scroll scroll-tall" tabindex="0">\(table(0))</div></details>
    """
  }

  private func card(_ index: Int) -> HTML {
    """
    <section class="card"\(place?.table == index ? place.map { #" id="\#($0.id)" tabindex="-1""# as HTML } : nil)>\
    <h2 class="card-title">\(report.tables[index].title)</h2>\
    <p class="period">\(ReportPeriod(report: report).text)</p>
    <div class="scroll\(" scroll-tall", if: report.tables[index].rows.count > 20)" tabindex="0">\
    \(table(index))</div></section>

    """
  }

  /// One of the tables.
  func table(_ index: Int) -> HTML {
    let table = report.tables[index]
    let heads = table.columns.map { column -> HTML in
      let isNumber = ![.text, .time].contains(column.unit)
      return """
        <th scope="col"\(#" class="end""#, if: isNumber)><span class="cut" title="\(title(column, table))">\
        \(title(column, table))</span></th>
        """
    }
    // The latest first, where rows are moments that only repeat the chart.
    let order =
      index == 0 && hidesFirstTable && table.columns.first?.unit == .time
      ? Array(table.rows.indices.reversed()) : Array(table.rows.indices)
    let rows = order.map { row -> HTML in
      let cells = table.rows[row].enumerated().map { column, cell in
        self.cell(cell, table, link(index, row, column), row, column)
      }
      return "<tr>\(cells)</tr>\n"
    }
    return """
      <table class="table table-tight"><caption class="hidden">\(table.title)</caption>
      <thead><tr>\(heads)</tr></thead><tbody>
      \(rows)</tbody></table>
      """
  }

  /// A column's head, with the currency of its money where all of it has the same.
  private func title(_ column: Report.Column, _ table: Report.Table) -> String {
    guard column.unit == .money, column.currency == nil, let currency = report.currency,
      !Self.isOfCurrencies(table)
    else { return column.title }
    return "\(column.title), \(currency)"
  }

  /// The currency of the money in a cell, whose decimals it is written with.
  private func currency(of table: Report.Table, _ row: Int, _ column: Int) -> String? {
    if let own = table.columns[column].currency { return own }
    guard Self.isOfCurrencies(table), case .text(let code)? = table.rows[row].first else {
      return report.currency
    }
    return code
  }

  /// Whether each row has a currency of its own.
  private static func isOfCurrencies(_ table: Report.Table) -> Bool {
    table.columns.first?.title == "Currency"
  }

  private func cell(
    _ cell: Report.Cell,
    _ table: Report.Table,
    _ address: Address?,
    _ row: Int,
    _ column: Int
  ) -> HTML {
    let text: String
    var style: HTML = "end num"
    // What a table is sorted by.
    var key: HTML?
    switch cell {
    case .text(let words):
      text = words
      style = "name-cell"
      // Days of the week are sorted as they follow each other.
      if column == 0, table.columns[0].title == "Day" { key = #" data-value="\#(row)""# }
    case .time(let ms):
      text = ReportNumber.title(ms, report.interval, report.timeZone)
      key = #" data-value="\#(ms)""#
      style = "num no-wrap"
    case .number(let value):
      let unit = table.columns[column].unit
      text =
        unit == .money
        ? ReportNumber.amount(value, currency(of: table, row, column))
        : value == nil && table.isShaded ? "" : ReportNumber.text(value, unit)
      key = value.map { #" data-value="\#("\($0)")""# }
      if table.isShaded, table.columns[column].unit == .share, let value {
        let step = Int((min(max(value / max(table.fullShade, 1e-9), 0), 1) * 10).rounded())
        style = "end num heat heat-\(step)"
      } else if value == 0 {
        style = "end num zero"
      }
    }
    let content: HTML = address.map { #"<a href="\#($0)">\#(text)</a>"# as HTML } ?? "\(text)"
    return column == 0
      ? #"<th scope="row" class="\#(style)"\#(key)>\#(content)</th>"#
      : #"<td class="\#(style)"\#(key)>\#(content)</td>"#
  }

  // MARK: The chart

  /// The chart with what its axis counts and its legend.
  var chart: HTML? {
    guard let chart = report.chart else { return nil }
    let lines = chart.lines.enumerated().map { index, line -> HTML in
      let slot = slot(of: line, at: index)
      return """
        <li data-series="\(slot)"><span class="legend-item">\
        <i class="swatch\(" swatch-dotted", if: line.isPrevious)\(" swatch-second", if: isSecond(line, at: index))" aria-hidden="true"></i><span class="cut">\(line.name)</span></span></li>
        """
    }
    let words = ChartText(report: report, chart: chart)
    let notes = words.notes.map { note -> HTML in
      """
      <li><span class="legend-item legend-note"><i class="swatch swatch-\(note.style)" aria-hidden="true"></i>\
      \(note.text)</span></li>
      """
    }
    let items = isOfHours ? [] : (chart.lines.count > 1 ? lines : []) + notes
    return """
      \((isOfHours ? "Hour of the day, by day of the week" : words.axis).map { #"<p class="axis-name">\#($0)</p>"# as HTML })
      <div class="chart-scroll"\(#" tabindex="0""#, if: chart.kind == .flow)><div class="report-chart" id="\(id)-chart" role="img" \
      aria-labelledby="\(id)-title \(id)-note" data-chart="\(json(chart))"></div></div>
      \(items.isEmpty ? nil : #"<ul class="legend">\#(items)</ul>"# as HTML)
      """
  }

  /// The colour of a line: what is put together as all others has its own, whatever its place.
  private func slot(of line: Report.Line, at index: Int) -> String {
    if line.name == "All others" { return "other" }
    let isBefore = line.isPrevious && report.chart?.kind == .stack
    return isBefore ? "before" : "\(index % 8 + 1)"
  }

  /// Whether a line has the colour of an earlier one, and looks otherwise for that.
  private func isSecond(_ line: Report.Line, at index: Int) -> Bool {
    index >= 8 && Int(slot(of: line, at: index)) != nil
  }

  private func json(_ chart: Report.Chart) -> String {
    func member(_ name: String, _ value: JSONText) -> JSONText.Member {
      .init(name: name, value: value)
    }
    func place(_ cell: Report.Cell, _ label: (Int64) -> String) -> JSONText {
      switch cell {
      case .time(let ms): .string(label(ms))
      case .text(let text): .string(text)
      case .number(let number): .string(ReportNumber.text(number, .number))
      }
    }
    let lines = chart.lines.enumerated().map { index, line in
      JSONText.object([
        member("name", .string(line.name)), member("slot", .string(slot(of: line, at: index))),
        member("previous", .boolean(line.isPrevious)),
        member("second", .boolean(isSecond(line, at: index))),
        member(
          "values",
          .array(line.values.map { $0.flatMap { $0.isFinite ? .number("\($0)") : nil } ?? .null })
        ),
        member(
          "texts",
          .array(line.values.map { .string(ReportNumber.text($0, chart.unit, report.currency)) })
        ),
      ])
    }
    let words = ChartText(report: report, chart: chart)
    return JSONText.object([
      member("kind", .string(isOfHours ? "heat" : chart.kind.rawValue)),
      member("unit", .string(chart.unit.rawValue)),
      member("axis", .string(words.axis ?? "")),
      member("notes", .array(words.notes.map { .string($0.text) })),
      member("what", .string(report.figures.first?.title.lowercased() ?? "")),
      member("open", .boolean(chart.isLastOpen)), member("cut", .boolean(report.isFirstCut)),
      member("ends", .boolean(report.isLastCut)),
      member(
        "labels",
        .array(
          chart.places.map {
            place($0) { ReportNumber.label($0, report.interval, report.timeZone) }
          }
        )
      ),
      member(
        "titles",
        .array(
          chart.places.map {
            place($0) { ReportNumber.title($0, report.interval, report.timeZone) }
          }
        )
      ), member("lines", .array(lines)),
      member(
        "flows",
        .array(
          chart.flows.map { flow in
            JSONText.object([
              member("from", .string(flow.from)), member("to", .string(flow.to)),
              member("step", .number("\(flow.step)")), member("count", .number("\(flow.count)")),
            ])
          }
        )
      ), member("endName", .string(words.endName)),
      member(
        "ends",
        .array(
          words.ends.map { end in
            JSONText.object([
              member("step", .number("\(end.step)")), member("name", .string(end.name)),
              member("count", .number("\(end.count)")), member("isFirst", .boolean(end.isFirst)),
            ])
          }
        )
      ),
    ]).encoded(indent: nil)
  }
}
