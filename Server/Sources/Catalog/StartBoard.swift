/// The board that a new project begins with.
enum StartBoard {
  static let name = "Overview"

  /// Who came, what they did, whether they came back.
  static let cards = [
    chart("Active people, day by day", .full, "active", "range=30d&interval=day"),
    chart("What happens most", .half, "trend", "by=event&range=30d"),
    chart("Platforms", .half, "trend", "measure=people&by=platform&range=30d"),
    chart("Sessions", .half, "sessions", "range=30d"),
    chart("Revenue", .half, "revenue", "range=90d"),
    chart("Who comes back, week by week", .full, "retention", "range=90d&interval=week"),
  ]

  private static func chart(
    _ title: String,
    _ width: BoardCard.Width,
    _ question: String,
    _ parameters: String
  ) -> BoardCard {
    BoardCard(
      title: title,
      width: width,
      content: .chart(question: question, parameters: parameters)
    )
  }
}
