/// How a project's numbers are reckoned unless a question says otherwise.
///
/// Days begin at midnight in `Project.timeZone`.
public struct Reckoning: Sendable, Hashable {
  /// A day of the week, as questions write it.
  public enum Weekday: String, Sendable, CaseIterable {
    /// Monday.
    case monday = "mon"
    /// Tuesday.
    case tuesday = "tue"
    /// Wednesday.
    case wednesday = "wed"
    /// Thursday.
    case thursday = "thu"
    /// Friday.
    case friday = "fri"
    /// Saturday.
    case saturday = "sat"
    /// Sunday.
    case sunday = "sun"

    /// The day as people say it.
    public var title: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }
  }

  /// What a purchase comes to.
  public enum Formula: String, Sendable, CaseIterable {
    /// Price times quantity, or the total that was said.
    case amount
    /// The price alone, as AWS's own report had it.
    case price
  }

  /// Where weeks begin; Monday unless set.
  public var weekStart: Weekday
  /// The currency that revenue is told in, three capital letters; nil for none in particular.
  public var currency: String?
  /// What a purchase comes to.
  public var formula: Formula
  /// What one unit of other currencies is worth in the project's.
  public var rates: ExchangeRates

  /// Weeks from Monday on, in no currency in particular, by price times quantity.
  public init(
    weekStart: Weekday = .monday,
    currency: String? = nil,
    formula: Formula = .amount,
    rates: ExchangeRates = ExchangeRates()
  ) {
    self.weekStart = weekStart
    self.currency = currency
    self.formula = formula
    self.rates = rates
  }

  /// The reckoning in a few words.
  public var summary: String {
    "weeks from \(weekStart.title), revenue in \(currency ?? "whatever comes in")"
      + (formula == .price ? " by the price alone" : "")
      + (rates.isEmpty ? "" : ", others by the rates \(rates)")
  }

  /// The same with a currency and rates that can be used.
  ///
  /// - Throws: `invalid` for a currency that is not three letters, and for rates that make no sense.
  func checked() throws(CatalogError) -> Reckoning {
    var checked = self
    checked.currency = currency.flatMap { $0.isEmpty ? nil : $0.uppercased() }
    guard let code = checked.currency else {
      guard rates.isEmpty else {
        throw .invalid(
          field: "rates",
          reason:
            "Rates say what others are worth in the project’s currency: set one, or leave the rates out."
        )
      }
      return checked
    }
    guard ExchangeRates.isCurrency(code) else {
      throw .invalid(
        field: "currency",
        reason: "“\(code.prefix(100))” is no currency; one is three letters such as EUR."
      )
    }
    checked.rates = try rates.checked(besides: code)
    return checked
  }
}
