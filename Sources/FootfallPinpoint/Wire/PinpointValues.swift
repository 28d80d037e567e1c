package import FootfallCore

/// The attributes and metrics of an event, whose names are apart: both may have the same key.
///
/// Source: `aws.md` sections 2.2 and 3.1.
package struct PinpointValues: Sendable, Hashable {
  /// Texts by key.
  package var attributes = Properties()
  /// Numbers by key.
  package var metrics = Properties()

  private static let attributesKey = "$attributes"
  private static let metricsKey = "$metrics"
  private static let metricPrefix = "$metrics."

  /// None.
  package init() {}

  /// The event's properties that say them: texts and numbers side by side, for every destination to
  /// read, and only the metrics whose keys are attributes' as well under `$metrics.` and the key, as
  /// the server has those of other clients.
  ///
  /// A metric that would be mistaken so is in a list of its own.
  package var properties: Properties {
    var all = attributes
    var others = Properties()
    for (key, value) in metrics {
      let name = attributes[key] == nil ? key : Self.metricPrefix + key
      if attributes[name] == nil, Self.metric(name, attributes) == key {
        all[name] = value
      } else {
        others[key] = value
      }
    }
    if !others.isEmpty { all[Self.metricsKey] = .object(others) }
    return all
  }

  /// Whether there are none.
  package var isEmpty: Bool { attributes.isEmpty && metrics.isEmpty }

  /// Takes others in, over its own of the same key.
  mutating func take(_ others: PinpointValues) {
    attributes = attributes.merging(others.attributes)
    metrics = metrics.merging(others.metrics)
  }

  /// Those that an event's properties say: texts are attributes, numbers and truth values metrics,
  /// nothing is neither; what stands beside a list of its own kind goes over it.
  package init(_ properties: Properties) {
    if case .object(let own)? = properties[Self.attributesKey] { attributes = own }
    if case .object(let own)? = properties[Self.metricsKey] {
      for (key, value) in own { metrics[key] = Self.number(value) }
    }
    for (key, value) in properties where key != Self.attributesKey && key != Self.metricsKey {
      switch value {
      case .string, .array, .object: attributes[key] = value
      case .integer, .double, .boolean, .null: break
      }
    }
    for (key, value) in properties where key != Self.attributesKey && key != Self.metricsKey {
      switch value {
      case .integer, .double, .boolean: metrics[Self.metric(key, attributes)] = Self.number(value)
      case .string, .array, .object, .null: break
      }
    }
  }

  /// The metric that a property is, which may have been told apart from an attribute.
  private static func metric(_ key: String, _ attributes: Properties) -> String {
    guard key.hasPrefix(metricPrefix) else { return key }
    let name = String(key.dropFirst(metricPrefix.count))
    return attributes[name] == nil ? key : name
  }

  /// A truth value is a number here.
  private static func number(_ value: PropertyValue) -> PropertyValue {
    if case .boolean(let isTrue) = value { .integer(isTrue ? 1 : 0) } else { value }
  }

  /// Brings them within limits that count both together; the reason if the event has to be dropped.
  mutating func fit(_ limits: EventLimits, losses: inout DropCounts) -> DropReason? {
    if let reason = limits.fit(&attributes, losses: &losses) { return reason }
    var rest = limits
    rest.properties = max(0, limits.properties - attributes.count)
    return rest.fit(&metrics, losses: &losses)
  }
}

/// What an event says is brought into the engine's form on the client's own thread.
extension PinpointValues: UnreadProperties {
  /// The properties that say it.
  package func read() -> ReadProperties { ReadProperties(properties) }
}

extension EventContent {
  /// A purchase that no store knows of.
  ///
  /// Source: `aws.md` section 3.5.
  package static func pinpointPurchase(
    productID: String,
    itemPrice: Double,
    quantity: Int,
    currency: String
  ) -> EventContent {
    var values = PinpointValues()
    values.attributes = [
      "_product_id": .string(productID), "_store": "Virtual", "_currency": .string(currency),
    ]
    values.metrics = ["_item_price": .double(itemPrice), "_quantity": .integer(Int64(quantity))]
    return EventContent("_monetization.purchase", values.properties)
  }

  /// A purchase in Apple's store.
  ///
  /// Source: `aws.md` section 3.5.
  package static func pinpointStorePurchase(
    productID: String,
    itemPrice: Double,
    formattedPrice: String,
    quantity: Int,
    currency: String,
    transactionID: String?
  ) -> EventContent {
    var values = PinpointValues()
    values.attributes = [
      "_product_id": .string(productID), "_store": "Apple", "_currency": .string(currency),
      "_item_price_formatted": .string(formattedPrice),
    ]
    values.attributes["_transaction_id"] = transactionID.map { .string($0) }
    values.metrics = ["_item_price": .double(itemPrice), "_quantity": .integer(Int64(quantity))]
    return EventContent("_monetization.purchase", values.properties)
  }
}
