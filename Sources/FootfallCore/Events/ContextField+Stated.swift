/// Fields that only the app itself states, with an event or by a plugin.
extension ContextField {
  /// The app's version as the app states it, beside `appVersion`, which is read from the bundle.
  ///
  /// Source of this and the fields below: `amplitude.md` section 1.4.
  public static let statedAppVersion = ContextField(rawValue: "app_version")
  /// Google's id for advertisers.
  public static let googleAdvertisingID = ContextField(rawValue: "adid")
  /// The tracking plan the event is made after: `branch`, `source`, `version`, `versionId`.
  public static let plan = ContextField(rawValue: "plan")
  /// Where the event was taken in: `source_name`, `source_version`.
  public static let ingestionMetadata = ContextField(rawValue: "ingestion_metadata")
  /// A partner's mark.
  public static let partnerID = ContextField(rawValue: "partner_id")
  /// Anything for the app's own plugins; never sent.
  public static let extra = ContextField(rawValue: "extra")

  /// What one piece cost, of an event that is no `Revenue`.
  public static let price = ContextField(rawValue: "price")
  /// How many pieces, of an event that is no `Revenue`.
  public static let quantity = ContextField(rawValue: "quantity")
  /// What it came to, of an event that is no `Revenue`.
  public static let revenue = ContextField(rawValue: "revenue")
  /// Which product, of an event that is no `Revenue`.
  public static let productID = ContextField(rawValue: "productId")
  /// What kind of revenue, of an event that is no `Revenue`.
  public static let revenueType = ContextField(rawValue: "revenueType")
  /// The currency's code, of an event that is no `Revenue`.
  public static let currency = ContextField(rawValue: "currency")
}

extension ContextField: ExpressibleByStringLiteral {
  /// A field by name, for those that have no member here.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}

extension EventContext: ExpressibleByDictionaryLiteral {
  /// A context from a literal; of a field given twice the last value counts.
  public init(dictionaryLiteral elements: (ContextField, PropertyValue)...) {
    self.init(Dictionary(elements) { _, last in last })
  }
}
