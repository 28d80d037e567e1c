extension EventName {
  /// Money was earned, or with a negative price given back.
  package static let revenue: EventName = "revenue_amount"
}

/// Money earned by one purchase, or with a negative price given back.
///
/// ```swift
/// var revenue = Revenue(price: 3.99, quantity: 3)
/// revenue.productID = "com.example.pro_annual"
/// ```
/// Source of fields and rules: Amplitude's revenue call (`amplitude.md` section 1.11).
public struct Revenue: Sendable, Hashable {
  /// What one piece costs, in units of the currency.
  ///
  /// Required: without a price nothing is tracked. Negative for a refund. Assigning nil, NaN or an
  /// infinity changes nothing.
  public var price: Double? {
    get { checkedPrice }
    set { if let newValue, newValue.isFinite { checkedPrice = newValue } }
  }

  /// How many pieces; default 1.
  ///
  /// Assigning 0 or less changes nothing.
  public var quantity: Int {
    get { checkedQuantity }
    set { if newValue > 0 { checkedQuantity = newValue } }
  }

  /// The total, if it is not price times quantity.
  ///
  /// Default: none. Assigning nil, NaN or an infinity changes nothing.
  public var revenue: Double? {
    get { checkedRevenue }
    set { if let newValue, newValue.isFinite { checkedRevenue = newValue } }
  }

  /// The product's identifier; default: none.
  ///
  /// Assigning nil or an empty text changes nothing.
  public var productID: String? {
    get { checkedProductID }
    set { if let newValue, !newValue.isEmpty { checkedProductID = newValue } }
  }

  /// What kind of revenue it is, such as `subscription`; default: none.
  public var revenueType: String?
  /// The currency's code, such as `USD`; default: none.
  public var currency: String?
  /// The store's receipt, for verification; default: none.
  public var receipt: String?
  /// The signature of the receipt; default: none.
  public var receiptSignature: String?
  /// What else there is to say; a key of the fields above gives way to the field.
  public var properties: Properties = [:]

  private var checkedPrice: Double?
  private var checkedQuantity = 1
  private var checkedRevenue: Double?
  private var checkedProductID: String?

  /// Revenue of a price per piece and a number of pieces, under the rules of these fields.
  public init(price: Double? = nil, quantity: Int = 1) {
    self.price = price
    self.quantity = quantity
  }

  /// What it comes to: `revenue` if there is one, or else price times quantity; nil without a
  /// price.
  public var total: Double? {
    guard let price else { return nil }
    return revenue ?? price * Double(quantity)
  }

  /// The event, or nil without a price: nothing is tracked then, and the caller is warned.
  package var content: EventContent? {
    guard let price else { return nil }
    var fields: Properties = ["$price": .double(price), "$quantity": .integer(quantity)]
    if let revenue { fields["$revenue"] = .double(revenue) }
    let texts = [
      ("$productId", productID), ("$revenueType", revenueType), ("$currency", currency),
      ("$receipt", receipt), ("$receiptSig", receiptSignature),
    ]
    for (key, text) in texts { if let text { fields[key] = .string(text) } }
    let own = Properties(pairs: properties.filter { fields[$0.key] == nil }.map { ($0, $1) })
    return EventContent(.revenue, fields.merging(own))
  }

  /// What is logged when there is no price, in the words of Amplitude's SDK.
  package static let missingPrice = "Invalid revenue object, missing required fields"
}
