import EventRecord
public import Foundation

extension Report {
  /// The report as one JSON object; times are milliseconds since 1970.
  public var json: String {
    let chart =
      chart.map { chart in
        Self.object([
          ("kind", Self.quoted(chart.kind.rawValue)), ("unit", Self.quoted(chart.unit.rawValue)),
          ("first_is_cut", isFirstCut ? "true" : "false"),
          ("last_is_cut", isLastCut ? "true" : "false"),
          ("last_is_open", chart.isLastOpen ? "true" : "false"),
          ("places", Self.list(chart.places.map(\.json))),
          (
            "lines",
            Self.list(
              chart.lines.map { line in
                Self.object([
                  ("name", Self.quoted(line.name)),
                  ("previous", line.isPrevious ? "true" : "false"),
                  ("values", Self.list(line.values.map { Cell.number($0).json })),
                ])
              }
            )
          ),
          (
            "flows",
            Self.list(
              chart.flows.map { flow in
                Self.object([
                  ("from", Self.quoted(flow.from)), ("to", Self.quoted(flow.to)),
                  ("step", "\(flow.step)"), ("count", "\(flow.count)"),
                ])
              }
            )
          ),
        ])
      } ?? "null"
    return Self.object([
      ("title", Self.quoted(title)), ("definition", Self.quoted(definition)),
      ("subject", Self.quoted(subject)), ("currency", currency.map(Self.quoted) ?? "null"),
      ("from", "\(fromMs)"),
      ("to", "\(toMs)"), ("interval", Self.quoted(interval.rawValue)),
      // Foundation calls it by another name.
      ("time_zone", Self.quoted(timeZone.identifier == "GMT" ? "UTC" : timeZone.identifier)),
      (
        "figures",
        Self.list(
          figures.map { figure in
            Self.object([
              ("title", Self.quoted(figure.title)), ("value", Cell.number(figure.value).json),
              ("unit", Self.quoted(figure.unit.rawValue)),
              ("definition", Self.quoted(figure.definition)),
              ("previous", Cell.number(figure.previous).json),
            ])
          }
        )
      ), ("chart", chart),
      (
        "tables",
        Self.list(
          tables.map { table in
            Self.object([
              ("title", Self.quoted(table.title)),
              (
                "columns",
                Self.list(
                  table.columns.map {
                    Self.object([
                      ("title", Self.quoted($0.title)), ("unit", Self.quoted($0.unit.rawValue)),
                    ])
                  }
                )
              ), ("rows", Self.list(table.rows.map { Self.list($0.map(\.json)) })),
            ])
          }
        )
      ),
    ])
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private static func list(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  fileprivate static func quoted(_ text: String) -> String { JSONQuoting.quoted(text) }

  /// All tables as comma-separated values, an empty line between them.
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe in front.
  public var csv: String {
    tables.map { table in
      ([table.columns.map { CSVField.text($0.title) }]
        + table.rows.map { row in
          zip(row, table.columns).map { cell, column in
            CSVField.text(cell.text(interval, zone: timeZone), isText: column.unit == .text)
          }
        })
        .map { $0.joined(separator: ",") + "\r\n" }.joined()
    }.joined(separator: "\r\n")
  }
}

extension Report.Cell {
  /// The cell as JSON.
  fileprivate var json: String {
    switch self {
    case .text(let text): Report.quoted(text)
    case .time(let ms): "\(ms)"
    case .number(let number): number.flatMap(Self.digits) ?? "null"
    }
  }

  /// The cell as plain text: numbers with a point and no unit, the start of a bucket as date and time.
  public func text(_ interval: TimeAxis.Interval, zone: TimeZone) -> String {
    switch self {
    case .text(let text): return text
    case .number(let number): return number.flatMap(Self.digits) ?? ""
    case .time(let ms):
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute],
        from: Date(timeIntervalSince1970: Double(ms) / 1_000)
      )
      func two(_ number: Int?) -> String {
        (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)"
      }
      let month = "\(parts.year ?? 0)-\(two(parts.month))"
      return switch interval {
      case .hour: "\(month)-\(two(parts.day)) \(two(parts.hour)):\(two(parts.minute))"
      case .day, .week: "\(month)-\(two(parts.day))"
      case .month: month
      }
    }
  }

  private static func digits(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    return Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}
