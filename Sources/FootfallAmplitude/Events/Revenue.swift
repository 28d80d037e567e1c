import FootfallCore

/// Money earned by one purchase, or with a negative price given back.
///
/// Not for several threads at once.
public final class Revenue {
  private(set) var content = FootfallCore.Revenue()

  /// Revenue of nothing yet.
  public init() {}

  /// What one piece costs, in units of the currency; required, and nil changes nothing.
  public var price: Double? {
    get { content.price }
    set { content.price = newValue }
  }
  /// How many pieces; 1 unless set, and 0 or less change nothing.
  public var quantity: Int {
    get { content.quantity }
    set { content.quantity = newValue }
  }
  /// The total, if it is not price times quantity; nil changes nothing.
  public var revenue: Double? {
    get { content.revenue }
    set { content.revenue = newValue }
  }
  /// The product's identifier, as the App Store has it; an empty text changes nothing.
  public var productId: String? {
    get { content.productID }
    set { content.productID = newValue }
  }
  /// What kind of revenue it is, such as `subscription`.
  public var revenueType: String? {
    get { content.revenueType }
    set { content.revenueType = newValue }
  }
  /// The currency's code, such as `USD`.
  public var currency: String? {
    get { content.currency }
    set { content.currency = newValue }
  }
  /// The store's receipt.
  public var receipt: String? {
    get { content.receipt }
    set { content.receipt = newValue }
  }
  /// The signature of the receipt.
  public var receiptSig: String? {
    get { content.receiptSignature }
    set { content.receiptSignature = newValue }
  }
  /// What else there is to say; a key of the fields above gives way to the field.
  public var properties: [String: Any]? {
    didSet { content.properties = Properties(untyped: properties ?? [:]) }
  }

  /// Sets the receipt and its signature.
  @discardableResult public func setReceipt(
    receipt: String,
    receiptSignature: String
  ) -> Revenue {
    self.receipt = receipt
    receiptSig = receiptSignature
    return self
  }

  /// Whether it has a price, without which nothing is tracked.
  public func isValid() -> Bool { price != nil }
}
