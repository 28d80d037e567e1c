import EventRecord
public import EventStore

/// The money a project's events tell of in a stretch of time, by currency.
///
/// Amounts without a currency are of the project's own. Different currencies are never added; what
/// can be converted by the given rates is, and only that is in the total.
public struct Revenue: Insight {
  /// What came in one currency.
  public struct Line: Sendable, Hashable {
    /// The currency's code.
    public var currency: String
    /// Purchases and refunds.
    public var count = 0
    /// Of those, the refunds.
    public var refunds = 0
    /// What it comes to, refunds taken away, in millionths of the currency's unit.
    public var micros: Int64 = 0
    /// The refunds alone, as a negative amount.
    public var refundedMicros: Int64 = 0
    /// Purchases that come with all that checking them takes; see `RevenueFact`.
    public var verifiable = 0
    /// Different people who paid or were refunded.
    public var payers = 0
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// A line for each currency, in the order of their codes.
    public var lines: [Line]
    /// The sum in the project's currency of all lines that could be converted, in millionths.
    public var totalMicros: Int64
    /// Currencies for which there is no rate; their amounts are in no sum.
    public var unconverted: [String]
  }

  /// Which purchases count; only its project, its time and whether test events count play a part.
  public var scope: Scope
  /// The project's own currency.
  public var currency: String
  /// What one unit of another currency is worth in the project's own.
  public var rates: [String: Double]

  /// The money of this scope.
  public init(_ scope: Scope, currency: String, rates: [String: Double] = [:]) {
    self.scope = scope
    self.currency = currency
    self.rates = rates
  }

  /// The statement: a row for each currency.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT coalesce(revenues.currency, $5) AS code, count(*),
        count(*) FILTER (WHERE amount < 0), sum(amount)::BIGINT,
        coalesce(sum(amount) FILTER (WHERE amount < 0), 0)::BIGINT,
        count(*) FILTER (WHERE is_verifiable),
        count(DISTINCT coalesce(owner.person, revenues.person))
      FROM revenues LEFT JOIN device_users AS owner
        ON owner.device = revenues.person
          AND corrected_at >= owner.from_at AND corrected_at < owner.to_at
      WHERE revenues.project_id = $1 AND corrected_at >= $2 AND corrected_at < $3
        AND ($4 OR NOT is_test)
      GROUP BY code ORDER BY code
      """,
      binding: [
        .integer(Int64(scope.project)), .time(scope.fromMs), .time(scope.toMs),
        .boolean(scope.includesTest),
        .text(currency),
      ]
    )
  }

  /// The lines and their sum.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    output(
      try rows.map { row in
        Line(
          currency: try row.text(0),
          count: Int(try row.integer(1)),
          refunds: Int(try row.integer(2)),
          micros: try row.integer(3),
          refundedMicros: try row.integer(4),
          verifiable: Int(try row.integer(5)),
          payers: Int(try row.integer(6))
        )
      }
    )
  }

  /// The lines and their sum by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let people = PeopleMap(events)
    var lines: [String: Line] = [:]
    var payers: [String: Set<Int64>] = [:]
    for event in events {
      guard event.project == scope.project, event.correctedMs >= scope.fromMs,
        event.correctedMs < scope.toMs, scope.includesTest || !event.isTest,
        let fact = RevenueFact(event)
      else { continue }
      let code = fact.currency.isEmpty ? currency : fact.currency
      var line = lines[code] ?? Line(currency: code)
      line.count += 1
      line.micros += fact.amountMicros
      if fact.isVerifiable { line.verifiable += 1 }
      if fact.amountMicros < 0 {
        line.refunds += 1
        line.refundedMicros += fact.amountMicros
      }
      if let person = people.person(of: event) { payers[code, default: []].insert(person) }
      line.payers = payers[code]?.count ?? 0
      lines[code] = line
    }
    return output(lines.values.sorted { bytesAscend($0.currency, $1.currency) })
  }

  private func output(_ lines: [Line]) -> Output {
    var output = Output(lines: lines, totalMicros: 0, unconverted: [])
    for line in lines {
      guard let rate = line.currency == currency ? 1 : rates[line.currency],
        let micros = Int64(exactly: (Double(line.micros) * rate).rounded())
      else {
        output.unconverted.append(line.currency)
        continue
      }
      output.totalMicros += micros
    }
    return output
  }
}
