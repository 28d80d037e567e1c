internal import EventStore

extension QuestionKind {
  /// What came in, and from how many.
  public static let revenue = QuestionKind(
    "revenue",
    "Revenue",
    "What came in by currency and product, how many paid, and how much for each of them.",
    [
      Parameter(
        "currency",
        .text,
        "The currency to tell of; the project’s unless told, and where it has none the one that was most used ever. Amounts without one are the project’s."
      ),
      Parameter(
        "formula",
        .choice(RevenueTrend.Formula.allCases.map(\.rawValue)),
        "Whether price times quantity counts, or the price alone, as AWS’s own report had it; as the project has it unless told."
      ),
      compare,
    ],
    as: RevenueReport.self
  )
}

struct RevenueReport: ReportQuestion {
  private let revenue: RevenueTrend
  /// The currency to tell of; nil for the one that was used most ever, so that a chart keeps its currency.
  private let currency: String?
  private let previous: TimeRange?
  private let nowMs: Int64
  /// What one unit of other currencies is worth in the project's.
  private let rates: [String: Double]
  /// Since when a first purchase is known to be one.
  private let ever: String

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    currency = try form.currency("currency") ?? form.setting.currency
    let axis = try form.axis()
    revenue = RevenueTrend(
      try form.scope(axis),
      axis: axis,
      currency: form.setting.currency ?? RevenueTrend.standardCurrency,
      formula: try form.choice("formula", default: form.setting.formula)
    )
    previous = try form.previous()
    nowMs = form.setting.nowMs
    rates = form.setting.currency == nil ? [:] : form.setting.rates
    ever = try form.ever()
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try revenue.run(on: store, cancellation: cancellation)
    let active = try ActivePeople(revenue.scope.whateverDone).run(
      on: store,
      cancellation: cancellation
    )
    let before = try previous.map { range in
      var revenue = revenue
      revenue.scope = revenue.scope.over(fromMs: range.fromMs, toMs: range.toMs)
      return try revenue.run(on: store, cancellation: cancellation)
    }
    let code = currency ?? answer.mostUsed ?? revenue.currency
    let own = answer.lines.first { $0.currency == code }
    let ownBefore = before.map { $0.lines.first { $0.currency == code } }
    let earlier = ownBefore.map { $0?.all ?? .init() }
    var report = Report(
      title: "Revenue in \(code)",
      definition: definition,
      fromMs: revenue.scope.fromMs,
      toMs: revenue.scope.toMs,
      interval: revenue.axis.interval
    )
    report.currency = code
    report.figures = figures(own, earlier, active: active, code)
    if code == revenue.currency, let all = inAll(answer, before) {
      report.figures.insert(all, at: 1)
    }
    let beforeValues = before.map { before in
      before.bucketStartsMs.indices.map {
        Self.units((ownBefore ?? nil)?.buckets[$0].micros ?? 0) as Double?
      }
    }
    report.chart = Report.Chart(
      .stack,
      places: answer.bucketStartsMs.map { .time($0) },
      unit: .money,
      lines: [
        Report.Line(
          code,
          answer.bucketStartsMs.indices.map { Self.units(own?.buckets[$0].micros ?? 0) }
        )
      ]
        + Report.earlier(
          code,
          beforeValues,
          in: previous,
          beside: answer.bucketStartsMs,
          revenue.axis
        ),
      isLastOpen: nowMs < revenue.scope.toMs
    )
    report.tables = tables(answer, own)
    report.isEmpty = answer.lines.isEmpty && (earlier?.purchases ?? 0) == 0
    return report
  }

  private var definition: String {
    let formula =
      revenue.formula == .amount
      ? "Price times quantity, or the total that was said, with refunds taken away."
      : "The price of every purchase that names one, whatever its quantity, with refunds taken away; purchases without a price are left out."
    return formula + " Other currencies are listed apart"
      + (rates.isEmpty ? " and never added." : "; the sum of all is by the project’s rates.")
  }

  private func figures(
    _ own: RevenueTrend.Line?,
    _ before: RevenueTrend.Sum?,
    active: Int,
    _ code: String
  ) -> [Report.Figure] {
    let sum = own?.all ?? .init()
    let noun = revenue.scope.unit.noun
    let whatever =
      revenue.scope.deeds.isEmpty ? "" : ", also those who did nothing of what is asked"
    return [
      Report.Figure(
        "Revenue",
        Self.units(sum.micros),
        .money,
        "What came in, in \(code).",
        previous: before.map { Self.units($0.micros) }
      ),
      Report.Figure(
        "Purchases",
        Double(sum.purchases),
        .count,
        "How many there were in \(code), refunds not among them.",
        previous: before.map { Double($0.purchases) }
      ),
      Report.Figure(
        "Units sold",
        sum.units,
        .number,
        "How many pieces were bought in \(code).",
        previous: before?.units
      ),
      Report.Figure(
        "Paying \(noun)",
        Double(sum.payers),
        .count,
        "Different \(noun) that bought something in \(code); \(own?.newPayers ?? 0) of them for the first time \(ever) in that currency.",
        previous: before.map { Double($0.payers) }
      ),
      Report.Figure(
        "Per paying",
        sum.payers == 0 ? nil : Self.units(sum.micros) / Double(sum.payers),
        .money,
        "Revenue in \(code) divided by those who paid in it."
      ),
      Report.Figure(
        "Purchases each",
        sum.payers == 0 ? nil : Double(sum.purchases) / Double(sum.payers),
        .number,
        "Purchases in \(code) divided by those who made them."
      ),
      Report.Figure(
        "Per active",
        active == 0 ? nil : Self.units(sum.micros) / Double(active),
        .money,
        "Revenue in \(code) divided by all \(noun) active in this time\(whatever)."
      ),
      Report.Figure(
        "Refunded",
        Self.units(-sum.refundedMicros),
        .money,
        "What \(sum.refunds) refunds came to; it is taken away from the revenue."
      ),
      verifiable(sum, code),
    ]
  }

  private func verifiable(_ sum: RevenueTrend.Sum, _ code: String) -> Report.Figure {
    var figure = Report.Figure(
      "Verifiable",
      Double(sum.verifiable),
      .count,
      "Purchases in \(code) that came with a receipt, its signature and their type, as it takes to check them with a store."
    )
    figure.isHeadline = false
    return figure
  }

  /// What all currencies with a rate come to in the project's; nil where no rate is set.
  private func inAll(
    _ answer: RevenueTrend.Output,
    _ before: RevenueTrend.Output?
  ) -> Report.Figure? {
    guard !rates.isEmpty else { return nil }
    let left = answer.lines.filter { converted($0) == nil }.map(\.currency)
    return Report.Figure(
      "All currencies",
      answer.lines.compactMap(converted).reduce(0, +),
      .money,
      "What came in, in \(revenue.currency) by the project’s rates"
        + (left.isEmpty ? "." : ", without \(left.joined(separator: ", ")): no rate is set."),
      previous: before.map { $0.lines.compactMap(converted).reduce(0, +) }
    )
  }

  /// What a currency's line comes to in the project's; nil without a rate.
  private func converted(_ line: RevenueTrend.Line) -> Double? {
    guard line.currency != revenue.currency else { return Self.units(line.all.micros) }
    return rates[line.currency].map {
      (Double(line.all.micros) * $0).rounded() / RevenueFact.micros
    }
  }

  private func tables(_ answer: RevenueTrend.Output, _ own: RevenueTrend.Line?) -> [Report.Table] {
    let word = revenue.axis.interval.rawValue.capitalizedFirst
    let none = answer.bucketStartsMs.map { _ in RevenueTrend.Sum() }
    var tables = [
      Report.Table(
        "\(word) by \(word.lowercased())",
        [Report.Column(word, .time)] + columns,
        zip(answer.bucketStartsMs, own?.buckets ?? none).map { [.time($0)] + cells($1) }
      )
    ]
    if let own, own.products.contains(where: { !$0.name.isEmpty }) {
      tables.append(
        Report.Table(
          "Products in \(own.currency)",
          [Report.Column("Product", .text)] + columns,
          products(own)
        )
      )
    }
    if answer.lines.count > 1 || own == nil {
      tables.append(
        Report.Table(
          "Currencies",
          [Report.Column("Currency", .text)] + columns + convertedColumn,
          answer.lines.map { line in
            [.text(line.currency)] + cells(line.all)
              + convertedColumn.map { _ in .number(converted(line)) }
          }
        )
      )
    }
    return tables
  }

  /// The products that came to most, and all others together.
  private func products(_ line: RevenueTrend.Line) -> [[Report.Cell]] {
    let others = line.products.dropFirst(Self.shownProducts)
    let rows = line.products.prefix(Self.shownProducts).map {
      [.text($0.name.isEmpty ? "(not set)" : $0.name)] + cells($0.sum)
    }
    guard !others.isEmpty else { return rows }
    func sum(_ value: (RevenueTrend.Sum) -> Double) -> Report.Cell {
      .number(others.reduce(0) { $0 + value($1.sum) })
    }
    return rows + [
      [
        .text("All \(others.count) others"), sum { Self.units($0.micros) },
        sum { Double($0.purchases) }, sum(\.units),
        // Who bought several of them would count more than once.
        .number(nil), sum { Self.units(-$0.refundedMicros) },
      ]
    ]
  }

  private static let shownProducts = 50

  private var columns: [Report.Column] {
    [
      Report.Column("Revenue", .money), Report.Column("Purchases", .count),
      Report.Column("Units", .number), Report.Column("Paying \(revenue.scope.unit.noun)", .count),
      Report.Column("Refunded", .money),
    ]
  }

  private var convertedColumn: [Report.Column] {
    guard !rates.isEmpty else { return [] }
    return [Report.Column("In \(revenue.currency)", .money, currency: revenue.currency)]
  }

  private func cells(_ sum: RevenueTrend.Sum) -> [Report.Cell] {
    [
      .number(Self.units(sum.micros)), .count(sum.purchases), .number(sum.units),
      .count(sum.payers), .number(Self.units(-sum.refundedMicros)),
    ]
  }

  private static func units(_ micros: Int64) -> Double { Double(micros) / RevenueFact.micros }
}
