import FootfallCore
import Foundation

extension EventOptions {
  /// What these options say about app, device, place and money.
  var context: EventContext {
    var context = fields
    if let plan { context[.plan] = plan.property }
    if let ingestionMetadata { context[.ingestionMetadata] = ingestionMetadata.property }
    if let eventId { context[.eventNumber] = .integer(eventId) }
    if let extra { context[.extra] = .object(Properties(untyped: extra)) }
    return context
  }

  /// Takes over what is said about app, device, place and money.
  func read(_ context: EventContext) {
    fields = EventContext(context.values.filter { EventContext.fields.contains($0.key) })
    plan = Plan(context[.plan])
    ingestionMetadata = IngestionMetadata(context[.ingestionMetadata])
    if case .object(let own) = context[.extra] { extra = own.untyped }
  }

  /// The same for the engine; `callback` is not among it.
  var details: FootfallCore.EventOptions {
    FootfallCore.EventOptions(
      id: insertId,
      at: timestamp.map { Date(timeIntervalSince1970: Double($0) / 1_000) },
      deviceID: deviceId,
      userID: userId,
      sessionID: sessionId.map { .number($0) },
      context: context
    )
  }
}

extension EventContext {
  /// The fields that `EventOptions+Fields.swift` has names for.
  fileprivate static let fields: Set<ContextField> = [
    .statedAppVersion, .appVersion, .platform, .osName, .osVersion, .brand, .manufacturer,
    .model, .carrier, .country, .region, .city, .marketArea, .advertisingID, .vendorID,
    .googleAdvertisingID, .language, .library, .ip, .productID, .revenueType, .currency,
    .partnerID, .latitude, .longitude, .revenue, .price, .quantity,
  ]

  /// This context with the fields that options have as they say it, and every other as it was.
  func rewritten(by options: EventOptions) -> EventContext {
    let others = values.filter { !Self.isOfOptions($0.key) }
    return options.context.filled(from: EventContext(others))
  }

  private static func isOfOptions(_ field: ContextField) -> Bool {
    switch field {
    case .plan, .ingestionMetadata, .eventNumber, .extra: true
    default: fields.contains(field)
    }
  }
}

// The values of fields as the documented names have them.
extension EventContext {
  func text(_ field: ContextField) -> String? {
    if case .string(let text) = self[field] { text } else { nil }
  }

  func number(_ field: ContextField) -> Double? {
    switch self[field] {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  func whole(_ field: ContextField) -> Int? {
    if case .integer(let number) = self[field] { Int(clamping: number) } else { nil }
  }

  mutating func set(_ field: ContextField, _ text: String?) {
    self[field] = text.map { .string($0) }
  }

  mutating func set(_ field: ContextField, _ number: Double?) {
    self[field] = number.map { .double($0) }
  }

  mutating func set(_ field: ContextField, _ number: Int?) {
    self[field] = number.map { .integer($0) }
  }
}
