import EventRecord
public import EventStore

/// What came in over time, by currency and product, and how many paid.
///
/// Amounts of different currencies are never added. Amounts without a currency are of the project's
/// own. A refund is a negative amount and is taken away.
public struct RevenueTrend: Insight {
  /// How an event's money is read.
  public enum Formula: String, Sendable, CaseIterable {
    /// What it comes to: price times quantity, or the total that was said.
    case amount
    /// The price alone, as AWS's own report had it.
    case price

    /// What a row of money comes to in millionths, in SQL; NULL where it does not say it so.
    func sql(of row: String) -> String {
      switch self {
      case .amount: "\(row).amount"
      case .price:
        "CASE WHEN \(row).amount < 0 THEN -1 ELSE 1 END * TRY_CAST(round(abs(\(row).price) * 1000000) AS BIGINT)"
      }
    }

    /// The same by definition.
    func micros(of fact: RevenueFact) -> Int64? {
      guard self == .price else { return fact.amountMicros }
      return fact.price.map {
        (fact.amountMicros < 0 ? -1 : 1) * Int64((abs($0) * RevenueFact.micros).rounded())
      }
    }
  }

  /// What amounts without a currency are taken for where the project does not say.
  ///
  /// Source: Pinpoint's console, which reports dollars.
  static let standardCurrency = "USD"

  /// Some purchases of one currency taken together.
  public struct Sum: Sendable, Hashable {
    /// What they come to, refunds taken away, in millionths of the currency's unit.
    public var micros: Int64 = 0
    /// Purchases that are no refunds.
    public var purchases = 0
    /// Refunds.
    public var refunds = 0
    /// What was refunded, as a negative amount, in millionths.
    public var refundedMicros: Int64 = 0
    /// How many pieces were bought.
    public var units: Double = 0
    /// Who bought: different people.
    public var payers = 0
    /// Purchases that come with all that checking them takes; see `RevenueFact`.
    public var verifiable = 0
  }

  /// The purchases of one product.
  public struct Product: Sendable, Hashable {
    /// Its identifier; empty for none.
    public var name: String
    /// Its purchases.
    public var sum: Sum
  }

  /// What came in one currency.
  public struct Line: Sendable, Hashable {
    /// The currency's code.
    public var currency: String
    /// All of it.
    public var all: Sum
    /// What came in each bucket.
    public var buckets: [Sum]
    /// The products, those that came to most first.
    public var products: [Product]
    /// How many of the payers bought something for the first time ever.
    public var newPayers: Int
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
    public var bucketStartsMs: [Int64]
    /// A line for each currency, in the order of their codes.
    public var lines: [Line]
    /// The currency of most purchases that somebody made, of all times; of equally many the first by its
    /// code, and nil without any.
    public var mostUsed: String?
  }

  /// Which purchases, and whom the question counts.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis
  /// The project's own currency.
  public var currency: String
  /// How an event's money is read.
  public var formula: Formula

  /// The question from its parts.
  public init(
    _ scope: Scope,
    axis: TimeAxis,
    currency: String = "USD",
    formula: Formula = .amount
  ) {
    self.scope = scope
    self.axis = axis
    self.currency = currency
    self.formula = formula
  }

  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: scope.toMs)
  }

  /// The statement: sums by currency, and within each by bucket and by product.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let buckets = buckets
    let scope = scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs)
    // Where nothing is asked of the events themselves, what they tell of money is enough.
    let isPlain = scope.conditions.isEmpty && scope.unit == .people
    let money = isPlain ? "e" : "money"
    let source =
      isPlain
      ? """
      (SELECT revenues.* EXCLUDE (person), 0 AS kind, coalesce(owner.person, revenues.person) AS person
        FROM revenues LEFT JOIN device_users AS owner ON owner.device = revenues.person
          AND revenues.corrected_at >= owner.from_at AND revenues.corrected_at < owner.to_at) AS e
      """
      : """
      \(scope.source(needsPerson: scope.needsPerson)) JOIN revenues AS money
        ON money.event_key = e.event_key AND money.project_id = e.project_id
          AND money.corrected_at = e.corrected_at
      """
    return statement.sql(
      """
      WITH paid AS MATERIALIZED (
        SELECT \(scope.key) AS who, e.corrected_at, \(money).amount < 0 AS is_refund,
          \(formula.sql(of: money)) AS amount, \(money).quantity, coalesce(\(money).product, '') AS product,
          coalesce(\(money).currency, \(statement.bind(currency))) AS code, \(money).is_verifiable,
          \(scope.time(&statement)) AS is_in_time, \(buckets.number(of: "e.corrected_at")) AS bucket
        FROM \(source)
        WHERE \(scope.admission(&statement))
          AND \(formula == .price ? "\(money).price IS NOT NULL" : "true")
      ), firsts AS MATERIALIZED (
        SELECT code, who, min(corrected_at) AS corrected_at, count(*) AS purchases, bool_or(is_in_time) AS pays
        FROM paid WHERE NOT is_refund AND who IS NOT NULL GROUP BY code, who
      ), bought AS (
        SELECT * FROM paid WHERE is_in_time AND NOT is_refund AND who IS NOT NULL
      ), payers AS (
        -- Several times as fast as `count(DISTINCT who)` of each grouping set.
        SELECT code, NULL::BIGINT AS bucket, NULL::VARCHAR AS product, count(*) AS payers
        FROM firsts WHERE pays GROUP BY code
        UNION ALL
        SELECT code, bucket, NULL, count(*)
        FROM (SELECT DISTINCT code, bucket, who FROM bought) GROUP BY code, bucket
        UNION ALL
        SELECT code, NULL, product, count(*)
        FROM (SELECT DISTINCT code, product, who FROM bought) GROUP BY code, product
      ), sums AS (
        SELECT grouping(bucket) AS no_bucket, grouping(product) AS no_product, code, bucket, product,
          \(Self.bounded("sum(amount)")), count(*) FILTER (WHERE NOT is_refund), count(*) FILTER (WHERE is_refund),
          \(Self.bounded("coalesce(sum(amount) FILTER (WHERE is_refund), 0)")),
          coalesce(sum(quantity) FILTER (WHERE NOT is_refund), 0)::DOUBLE,
          count(*) FILTER (WHERE is_verifiable AND NOT is_refund)
        FROM paid WHERE is_in_time GROUP BY GROUPING SETS ((code), (code, bucket), (code, product))
      )
      SELECT sums.*, coalesce(payers, 0)
      FROM sums LEFT JOIN payers ON payers.code = sums.code
        AND payers.bucket IS NOT DISTINCT FROM sums.bucket
        AND payers.product IS NOT DISTINCT FROM sums.product
      UNION ALL
      SELECT 2, 2, code, NULL, NULL, sum(purchases)::BIGINT,
        count(*) FILTER (WHERE \(scope.time(&statement))), 0, 0, 0, 0, 0
      FROM firsts AS e GROUP BY code
      """
    )
  }

  /// A sum that fits, so that no amounts whatever keep the question from being answered.
  static func bounded(_ sum: String) -> String {
    "greatest(least(\(sum), \(Int64.max)), -\(Int64.max))::BIGINT"
  }

  /// The lines.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = buckets
    var lines: [ExactText: Line] = [:]
    var ever: [ExactText: Int] = [:]
    for row in rows {
      let code = ExactText(try row.text(2))
      var line = lines[code] ?? self.line(code.text, buckets)
      var sum = Sum(
        micros: try row.integer(5),
        purchases: Int(try row.integer(6)),
        refunds: Int(try row.integer(7)),
        refundedMicros: try row.integer(8),
        payers: Int(try row.integer(11)),
        verifiable: Int(try row.integer(10))
      )
      if case .double(let units) = row.values[9] { sum.units = units }
      switch (try row.integer(0), try row.integer(1)) {
      case (2, _):
        line.newPayers = sum.purchases
        ever[code] = Int(sum.micros)
      case (0, _):
        if let index = buckets.index(ofNumber: try row.integer(3)) { line.buckets[index] = sum }
      case (_, 0): line.products.append(Product(name: try row.text(4), sum: sum))
      default: line.all = sum
      }
      lines[code] = line
    }
    return output(lines.values, ever: ever)
  }

  private func line(_ code: String, _ buckets: CalendarBuckets) -> Line {
    Line(
      currency: code,
      all: Sum(),
      buckets: buckets.starts.map { _ in Sum() },
      products: [],
      newPayers: 0
    )
  }

  private func output(_ lines: some Sequence<Line>, ever: [ExactText: Int]) -> Output {
    let mostUsed = ever.min { a, b in
      a.value == b.value ? bytesAscend(a.key.text, b.key.text) : a.value > b.value
    }
    let sorted = lines.map { line in
      var line = line
      line.products.sort { a, b in
        a.sum.micros == b.sum.micros ? bytesAscend(a.name, b.name) : a.sum.micros > b.sum.micros
      }
      return line
    }
    return Output(
      bucketStartsMs: buckets.starts,
      // A currency in which nothing came in this time has no line.
      lines: sorted.filter { $0.all.purchases + $0.all.refunds > 0 }
        .sorted { bytesAscend($0.currency, $1.currency) },
      mostUsed: mostUsed?.key.text
    )
  }

  /// One purchase, by definition.
  private struct Paid {
    var event: StoredEvent
    var fact: RevenueFact
    var micros: Int64
    var key: String?
    var isRefund: Bool { fact.amountMicros < 0 }
  }

  /// The lines by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let buckets = buckets
    let reading = ScopeReading(scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs), events)
    var paid: [ExactText: [Paid]] = [:]
    for event in events where reading.admits(event) {
      guard let fact = RevenueFact(event), let micros = formula.micros(of: fact) else { continue }
      let code = fact.currency.isEmpty ? currency : fact.currency
      paid[ExactText(code), default: []].append(
        Paid(event: event, fact: fact, micros: micros, key: reading.key(of: event))
      )
    }
    return output(
      paid.map { code, all in
        let now = all.filter { reading.isInTime($0.event) }
        let earlier = all.filter { $0.event.correctedMs < buckets.fromMs && !$0.isRefund }
        var line = self.line(code.text, buckets)
        line.all = sum(now)
        for index in buckets.starts.indices {
          line.buckets[index] = sum(now.filter { buckets.index(of: $0.event.correctedMs) == index })
        }
        line.products = Dictionary(grouping: now) { ExactText($0.fact.product) }
          .map { Product(name: $0.key.text, sum: sum($0.value)) }
        line.newPayers =
          Set(now.filter { !$0.isRefund }.compactMap(\.key))
          .subtracting(earlier.compactMap(\.key)).count
        return line
      },
      ever: paid.mapValues { all in all.count { !$0.isRefund && $0.key != nil } }
        .filter { $0.value > 0 }
    )
  }

  private func sum(_ paid: [Paid]) -> Sum {
    let bought = paid.filter { !$0.isRefund }
    let returned = paid.filter(\.isRefund)
    return Sum(
      micros: paid.reduce(0) { $0 + $1.micros },
      purchases: bought.count,
      refunds: returned.count,
      refundedMicros: returned.reduce(0) { $0 + $1.micros },
      units: bought.reduce(0) { $0 + $1.fact.quantity },
      payers: Set(bought.compactMap(\.key)).count,
      verifiable: bought.count(where: \.fact.isVerifiable)
    )
  }
}
