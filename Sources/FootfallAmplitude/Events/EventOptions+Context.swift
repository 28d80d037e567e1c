import FootfallCore
import Foundation

/// A field that options have and the context of an event, too.
private struct SharedField<Value>: Sendable {
  let field: ContextField
  let path: any ReferenceWritableKeyPath<EventOptions, Value?> & Sendable

  init(_ field: ContextField, _ path: any ReferenceWritableKeyPath<EventOptions, Value?> & Sendable)
  {
    self.field = field
    self.path = path
  }
}

private let texts: [SharedField<String>] = [
  .init(.statedAppVersion, \.appVersion), .init(.appVersion, \.versionName),
  .init(.platform, \.platform), .init(.osName, \.osName), .init(.osVersion, \.osVersion),
  .init(.brand, \.deviceBrand), .init(.manufacturer, \.deviceManufacturer),
  .init(.model, \.deviceModel), .init(.carrier, \.carrier), .init(.country, \.country),
  .init(.region, \.region), .init(.city, \.city), .init(.marketArea, \.dma),
  .init(.advertisingID, \.idfa), .init(.vendorID, \.idfv), .init(.googleAdvertisingID, \.adid),
  .init(.language, \.language), .init(.library, \.library), .init(.ip, \.ip),
  .init(.productID, \.productId), .init(.revenueType, \.revenueType),
  .init(.currency, \.currency), .init(.partnerID, \.partnerId),
]

private let numbers: [SharedField<Double>] = [
  .init(.latitude, \.locationLat), .init(.longitude, \.locationLng), .init(.revenue, \.revenue),
  .init(.price, \.price),
]

extension EventOptions {
  /// What these options say about app, device and place.
  var context: EventContext {
    var context = EventContext()
    for shared in texts {
      if let text = self[keyPath: shared.path] { context[shared.field] = .string(text) }
    }
    for shared in numbers {
      if let number = self[keyPath: shared.path] { context[shared.field] = .double(number) }
    }
    if let quantity { context[.quantity] = .integer(quantity) }
    if let plan { context[.plan] = plan.property }
    if let ingestionMetadata { context[.ingestionMetadata] = ingestionMetadata.property }
    if let eventId { context[.eventNumber] = .integer(eventId) }
    if let extra { context[.extra] = .object(Properties(untyped: extra)) }
    return context
  }

  /// Takes over what is said about app, device and place.
  func read(_ context: EventContext) {
    for shared in texts {
      if case .string(let text) = context[shared.field] { self[keyPath: shared.path] = text }
    }
    for shared in numbers {
      switch context[shared.field] {
      case .double(let number): self[keyPath: shared.path] = number
      case .integer(let number): self[keyPath: shared.path] = Double(number)
      default: break
      }
    }
    if case .integer(let number) = context[.quantity] { quantity = Int(clamping: number) }
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
  /// This context with the fields that options have as they say it, and every other as it was.
  func rewritten(by options: EventOptions) -> EventContext {
    var result = self
    for shared in texts { result[shared.field] = nil }
    for shared in numbers { result[shared.field] = nil }
    for field in [ContextField.quantity, .plan, .ingestionMetadata, .eventNumber, .extra] {
      result[field] = nil
    }
    return options.context.filled(from: result)
  }
}
