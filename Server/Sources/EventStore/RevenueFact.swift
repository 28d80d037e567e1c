import EventRecord

/// The money an event tells of, whatever protocol it came in by.
///
/// Amounts are millionths of the currency's unit, so that sums are exact. Amounts of different
/// currencies are never added. Negative amounts are refunds.
///
/// Source of the spellings: Amplitude's revenue call and HTTP V2 fields; Pinpoint's purchase events.
public struct RevenueFact: Sendable, Hashable {
  /// What it comes to, in millionths; negative for a refund.
  public var amountMicros: Int64
  /// What one piece costs, if that was said.
  public var price: Double?
  /// How many pieces; 1 unless said.
  public var quantity: Double
  /// The currency's code in capitals; empty when none was said, which means the project's own.
  public var currency: String
  /// The product's identifier; empty for none.
  public var product: String
  /// What kind of revenue it is; empty for none.
  public var type: String
  /// Whether it comes with all that checking the purchase with its store takes: receipt, signature and
  /// type of revenue.
  ///
  /// Nothing is checked there, so this is no proof.
  public var isVerifiable: Bool

  /// Amounts and prices of more units than this, of either sign, are no money: an event with one tells of
  /// none, since a sum with it would not be right to the last unit.
  public static let largestUnits: Double = 1_000_000_000_000

  /// One unit of a currency.
  public static let micros: Double = 1_000_000

  /// Where a protocol puts what.
  private struct Spelling {
    var price: String
    var quantity: String
    var total: String
    var currency: String
    var product: String
    var type: String
    var receipt: String
    var signature: String
    /// Whether price and quantity, where both are there, go before the total.
    var prefersPieces: Bool
  }

  private static let inProperties = Spelling(
    price: "$price",
    quantity: "$quantity",
    total: "$revenue",
    currency: "$currency",
    product: "$productId",
    type: "$revenueType",
    receipt: "$receipt",
    signature: "$receiptSig",
    prefersPieces: false
  )
  private static let inContext = Spelling(
    price: "price",
    quantity: "quantity",
    total: "revenue",
    currency: "currency",
    product: "productId",
    type: "revenueType",
    receipt: "receipt",
    signature: "receiptSig",
    prefersPieces: true
  )
  private static let inPurchase = Spelling(
    price: "_item_price",
    quantity: "_quantity",
    total: "",
    currency: "_currency",
    product: "_product_id",
    type: "_store",
    receipt: "",
    signature: "",
    prefersPieces: false
  )

  /// Reads an event; nil when it tells of no money.
  public init?(_ event: StoredEvent) {
    guard event.kind == .event else { return nil }
    self.init(properties: event.properties, context: event.context)
  }

  /// Reads an event's properties and context, both JSON objects or empty.
  public init?(properties: String, context: String) {
    if let members = PropertyValue.members(of: properties) {
      if let fact = RevenueFact(members, Self.inProperties) {
        self = fact
        return
      }
      if let fact = RevenueFact(members, Self.inPurchase) {
        self = fact
        return
      }
    }
    guard let members = PropertyValue.members(of: context),
      let fact = RevenueFact(members, Self.inContext)
    else { return nil }
    self = fact
  }

  private init?(_ members: Members<PropertyValue>, _ spelling: Spelling) {
    func money(_ name: String) -> Double? {
      members[name]?.double.flatMap { abs($0) <= Self.largestUnits ? $0 : nil }
    }
    let price = money(spelling.price)
    let total = money(spelling.total)
    let pieces = members[spelling.quantity]?.double
    quantity = pieces ?? 1
    self.price = price
    let byPieces = price.map { $0 * (pieces ?? 1) }
    let amount =
      spelling.prefersPieces && pieces != nil ? byPieces ?? total : total ?? byPieces
    guard let amount, abs(amount) <= Self.largestUnits,
      let micros = Int64(exactly: (amount * Self.micros).rounded())
    else { return nil }
    amountMicros = micros
    currency = members[spelling.currency]?.word.uppercased() ?? ""
    product = members[spelling.product]?.word ?? ""
    type = members[spelling.type]?.word ?? ""
    isVerifiable =
      members[spelling.receipt].map { $0.word != "" } ?? false
      && members[spelling.signature].map { $0.word != "" } ?? false && type != ""
  }

  /// Texts of which every event that tells of money has at least one, among its properties or in its
  /// context; a quick look that saves reading the rest.
  public static let hintsInProperties = ["\"$price\"", "\"$revenue\"", "\"_item_price\""]
  /// See `hintsInProperties`.
  public static let hintsInContext = ["\"price\"", "\"revenue\""]
}

extension PropertyValue {
  /// A text as it is, a whole number's digits, nothing else.
  fileprivate var word: String {
    switch self {
    case .text(let text): text
    case .integer(let value): String(value)
    default: ""
    }
  }
}
