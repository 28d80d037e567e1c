internal import EventStore

extension QuestionKind {
  /// How well events arrive.
  public static let arrival = QuestionKind(
    "arrival",
    "Arrival",
    "How many events arrived, and how many of them late, by a wrong clock, as tests, or from nobody.",
    [
      Parameter(
        "late",
        .integer(1...8_760),
        "After how many hours an event is late; 24 unless told."
      )
    ],
    as: ArrivalReport.self
  )
}

struct ArrivalReport: ReportQuestion {
  private let arrival: Arrival
  private let hours: Int
  private let nowMs: Int64

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let axis = try form.axis()
    let scope = try form.scope(axis)
    hours = try form.integer("late", in: 1...8_760, default: 24)
    guard scope.conditions.isEmpty else {
      throw QuestionForm.Problem(
        "where",
        "How events arrive is told of all of them: leave “where” out."
      )
    }
    guard scope.segment == nil else {
      throw QuestionForm.Problem(
        "segment",
        "How events arrive is told of all of them: leave “segment” out."
      )
    }
    arrival = Arrival(
      project: scope.project,
      fromMs: scope.fromMs,
      toMs: scope.toMs,
      axis: axis,
      lateMs: Int64(hours) * 3_600_000
    )
    nowMs = form.setting.nowMs
  }

  private static let columns = [
    "Events", "Late", "Wrong clock", "Test events", "Without user and device",
  ]

  private static func numbers(_ count: Arrival.Count) -> [Int] {
    [count.events, count.late, count.skewed, count.test, count.unknown]
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let counts = try arrival.run(on: store, cancellation: cancellation)
    let starts = arrival.bucketStartsMs
    func sums(_ counts: [Arrival.Count]) -> [Int] {
      counts.reduce([0, 0, 0, 0, 0]) { sum, count in zip(sum, Self.numbers(count)).map(+) }
    }
    let all = sums(counts)
    let byBucket = Dictionary(grouping: counts, by: \.bucketMs).mapValues(sums)
    let byLibrary = Dictionary(grouping: counts, by: \.library).mapValues(sums)
    var report = Report(
      title: "Events that arrived",
      definition:
        "Events by the time when the server received them, counted exactly from what is kept. An event can be in several of the lines.",
      fromMs: arrival.fromMs,
      toMs: arrival.toMs,
      interval: arrival.axis.interval
    )
    let definitions = [
      "Events that are kept, test events included.",
      "Received over \(hours) hours after they happened; phones without a network send late.",
      "Sent by a clock that was off by a minute or more; their time was corrected.",
      "Sent by test builds or with a test key; left out of charts.",
      "They name neither a user nor a device, so they count for nobody.",
    ]
    report.figures = zip(zip(Self.columns, definitions), all).map { words, number in
      Report.Figure(words.0, Double(number), .count, words.1)
    }
    report.chart = Report.Chart(
      .lines,
      places: starts.map { .time($0) },
      unit: .count,
      lines: Self.columns.enumerated().map { index, name in
        Report.Line(name, starts.map { Double(byBucket[$0]?[index] ?? 0) })
      },
      isLastOpen: nowMs < arrival.toMs
    )
    let word = arrival.axis.interval.rawValue
    let columns = Self.columns.map { Report.Column($0, .count) }
    report.tables = [
      Report.Table(
        "\(word.capitalizedFirst) by \(word)",
        [Report.Column(word.capitalizedFirst, .time)] + columns,
        starts.map { start in
          [.time(start)] + (byBucket[start] ?? [0, 0, 0, 0, 0]).map { .count($0) }
        }
      ),
      Report.Table(
        "By library",
        [Report.Column("Library", .text)] + columns,
        byLibrary.sorted {
          $0.value[0] == $1.value[0] ? $0.key < $1.key : $0.value[0] > $1.value[0]
        }
        .prefix(200).map { library, sums in
          [.text(library.isEmpty ? "(not told)" : library)] + sums.map { .count($0) }
        }
      ),
    ]
    report.isEmpty = all[0] == 0
    return report
  }
}
