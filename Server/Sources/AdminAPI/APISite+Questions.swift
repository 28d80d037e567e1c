import EventStore
import Catalog
import Foundation
import HTTPServing
import Insights

extension APISite {
  /// A call for each kind of question, made from what it can be asked with.
  var questionRoutes: [APIRoute] {
    QuestionKind.all.map { kind in
      APIRoute(
        .get,
        "/projects/{project}/questions/\(kind.word)",
        "ask\(kind.word.prefix(1).uppercased() + kind.word.dropFirst())",
        kind.about,
        needs: .viewEvents,
        parameters: [.project] + kind.parameters.map(\.ofAPI),
        answer: .report
      ) { call in
        let project = try self.project(call)
        let setting = self.setting(of: project)
        let request = call.request
        let values = call.values.reduce(into: [String: String]()) { values, value in
          if value.key != "project" { values[value.key] = value.value.asAsked }
        }
        do {
          return .raw(
            try kind.report(
              QuestionForm(values, setting),
              on: self.store,
              cancellation: Cancellation(while: { !request.isAbandoned })
            ).json
          )
        } catch let problem as QuestionForm.Problem {
          throw APIProblem.invalid(problem.name, problem.description)
        }
      }
    }
  }
}

extension QuestionKind.Parameter {
  /// The parameter as the API's document has it.
  fileprivate var ofAPI: APIRoute.Parameter {
    let schema: APISchema =
      switch kind {
      case .choice(let words): .choice(Set(words).sorted())
      case .text: .text(1...2_000)
      case .date: .text(10...10)
      case .integer(let range): .integer(Int64(range.lowerBound)...Int64(range.upperBound))
      case .flag: .boolean
      }
    return .query(name, schema, about)
  }
}

extension PropertyValue {
  /// The value as it stood in the address.
  fileprivate var asAsked: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .boolean(let truth): truth ? "true" : "false"
    default: ""
    }
  }
}

extension APISchema {
  private static let unit = choice(Report.Unit.allCases.map(\.rawValue))
  private static let line = object([
    APIField("name", .text(0...2_000)),
    APIField("previous", .boolean, "Whether it is of the period before."),
    APIField("values", .list(.scalar, max: TimeAxis.maxBuckets)),
  ])

  private static let flow = object([
    APIField("from", .text(0...2_000)), APIField("to", .text(0...2_000)),
    APIField("step", .integer(0...100), "The column it leaves, from 0 on."),
    APIField("count", .count),
  ])

  /// An answer as every question has it.
  static let report = object([
    APIField("title", .text(0...2_000)),
    APIField("definition", .text(0...10_000), "How it is counted."),
    APIField("currency", .nullable(.text(3...3)), "The currency of its money, if it has one."),
    APIField("subject", .text(0...100_000), "Which events of whom are counted, and when."),
    APIField("from", .time, "The first day begins."),
    APIField("to", .time, "The last day is over."),
    APIField("interval", .choice(TimeAxis.Interval.allCases.map(\.rawValue))),
    APIField("time_zone", .text(1...100), "Where its days begin."),
    APIField(
      "figures",
      .list(
        .object([
          APIField("title", .text(0...2_000)), APIField("value", .scalar), APIField("unit", unit),
          APIField("definition", .text(0...2_000)),
          APIField("previous", .scalar, "The same of the period before, if that was asked for."),
        ]),
        max: 100
      )
    ),
    APIField(
      "chart",
      .nullable(
        .object([
          APIField("kind", .choice(["lines", "stack", "bars", "flow"])), APIField("unit", unit),
          APIField(
            "first_is_cut",
            .boolean,
            "The first bucket began before the time; a part of it is counted."
          ),
          APIField(
            "last_is_cut",
            .boolean,
            "The last bucket goes on after the time; a part of it is counted."
          ),
          APIField("last_is_open", .boolean, "The last bucket is not over yet."),
          APIField(
            "places",
            .list(.scalar, max: TimeAxis.maxBuckets),
            "Texts, or starts of buckets."
          ),
          APIField("lines", .list(line, max: 100)),
          APIField("flows", .list(flow, max: 5_000), "Of a chart of flows."),
        ])
      )
    ),
    APIField(
      "tables",
      .list(
        .object([
          APIField("title", .text(0...2_000)),
          APIField(
            "columns",
            .list(.object([APIField("title", .text(0...2_000)), APIField("unit", unit)]), max: 200)
          ), APIField("rows", .list(.list(.scalar, max: 200), max: 2_000)),
        ]),
        max: 20
      )
    ),
  ])
}
