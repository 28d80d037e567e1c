internal import EventStore

extension QuestionKind {
  /// What became of the messages that campaigns sent.
  public static let messages = QuestionKind(
    "messages",
    "Messages",
    "How many messages campaigns sent and how many were opened, by campaign and treatment.",
    [],
    hasNumberToWatch: false,
    as: MessagesReport.self
  )
}

struct MessagesReport: ReportQuestion {
  private let messages: CampaignMessages
  private let axis: TimeAxis

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    messages = CampaignMessages(try form.scope())
    axis = try form.axis()
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let treatments = try messages.run(on: store, cancellation: cancellation)
    let sent = treatments.reduce(0) { $0 + $1.sent }
    let opened = treatments.reduce(0) { $0 + $1.opened }
    var report = Report(
      title: "Messages of campaigns",
      definition:
        "What apps and senders tell of messages, by campaign and treatment. A message that is opened twice counts twice.",
      fromMs: messages.scope.fromMs,
      toMs: messages.scope.toMs,
      interval: axis.interval
    )
    report.figures = [
      Report.Figure(
        "Messages sent",
        Double(sent),
        .count,
        "Push messages and mails that were sent."
      ),
      Report.Figure("Opened", Double(opened), .count, "How often one of them was opened."),
      Report.Figure(
        "Open rate",
        sent == 0 ? nil : Double(opened) / Double(sent),
        .share,
        "Opened divided by sent."
      ),
    ]
    let shown = treatments.prefix(TimeAxis.maxBuckets)
    report.chart = Report.Chart(
      .bars,
      places: shown.map { .text(Self.title($0)) },
      unit: .count,
      lines: [
        Report.Line("Sent", shown.map { Double($0.sent) }),
        Report.Line("Opened", shown.map { Double($0.opened) }),
      ]
    )
    report.tables = [
      Report.Table(
        "By treatment",
        [
          Report.Column("Campaign", .text), Report.Column("Treatment", .text),
          Report.Column("Sent", .count), Report.Column("Received", .count),
          Report.Column("Opened", .count), Report.Column("Open rate", .share),
        ],
        shown.map { one in
          [
            .text(one.campaign), .text(one.treatment), .count(one.sent), .count(one.received),
            .count(one.opened), .number(one.openRate),
          ]
        } + others(treatments.dropFirst(shown.count))
      )
    ]
    report.isEmpty = treatments.isEmpty
    return report
  }

  /// What is behind the last row, so that nothing is left out without a word.
  private func others(_ treatments: ArraySlice<CampaignMessages.Treatment>) -> [[Report.Cell]] {
    guard !treatments.isEmpty else { return [] }
    func sum(_ value: (CampaignMessages.Treatment) -> Int) -> Int {
      treatments.reduce(0) { $0 + value($1) }
    }
    let (sent, opened) = (sum(\.sent), sum(\.opened))
    return [
      [
        .text("All \(treatments.count) others"), .text(""), .count(sent), .count(sum(\.received)),
        .count(opened), .number(sent == 0 ? nil : Double(opened) / Double(sent)),
      ]
    ]
  }

  private static func title(_ one: CampaignMessages.Treatment) -> String {
    let campaign = one.campaign.isEmpty ? "(no campaign)" : one.campaign
    return one.treatment.isEmpty ? campaign : "\(campaign) / \(one.treatment)"
  }
}
