import FootfallCore
import Foundation

// Field by field instead of by a table of key paths: on the caller's thread, most fields being unset,
// that is several times as fast.
extension EventOptions {
  /// What these options say about app, device and place.
  var context: EventContext {
    var context = EventContext()
    func add(_ field: ContextField, _ text: String?) {
      if let text { context[field] = .string(text) }
    }
    func add(_ field: ContextField, _ number: Double?) {
      if let number { context[field] = .double(number) }
    }
    add(.statedAppVersion, appVersion)
    add(.appVersion, versionName)
    add(.platform, platform)
    add(.osName, osName)
    add(.osVersion, osVersion)
    add(.brand, deviceBrand)
    add(.manufacturer, deviceManufacturer)
    add(.model, deviceModel)
    add(.carrier, carrier)
    add(.country, country)
    add(.region, region)
    add(.city, city)
    add(.marketArea, dma)
    add(.advertisingID, idfa)
    add(.vendorID, idfv)
    add(.googleAdvertisingID, adid)
    add(.language, language)
    add(.library, library)
    add(.ip, ip)
    add(.productID, productId)
    add(.revenueType, revenueType)
    add(.currency, currency)
    add(.partnerID, partnerId)
    add(.latitude, locationLat)
    add(.longitude, locationLng)
    add(.revenue, revenue)
    add(.price, price)
    if let quantity { context[.quantity] = .integer(quantity) }
    if let plan { context[.plan] = plan.property }
    if let ingestionMetadata { context[.ingestionMetadata] = ingestionMetadata.property }
    if let eventId { context[.eventNumber] = .integer(eventId) }
    if let extra { context[.extra] = .object(Properties(untyped: extra)) }
    return context
  }

  /// Takes over what is said about app, device and place.
  func read(_ context: EventContext) {
    appVersion = context.text(.statedAppVersion)
    versionName = context.text(.appVersion)
    platform = context.text(.platform)
    osName = context.text(.osName)
    osVersion = context.text(.osVersion)
    deviceBrand = context.text(.brand)
    deviceManufacturer = context.text(.manufacturer)
    deviceModel = context.text(.model)
    carrier = context.text(.carrier)
    country = context.text(.country)
    region = context.text(.region)
    city = context.text(.city)
    dma = context.text(.marketArea)
    idfa = context.text(.advertisingID)
    idfv = context.text(.vendorID)
    adid = context.text(.googleAdvertisingID)
    language = context.text(.language)
    library = context.text(.library)
    ip = context.text(.ip)
    productId = context.text(.productID)
    revenueType = context.text(.revenueType)
    currency = context.text(.currency)
    partnerId = context.text(.partnerID)
    locationLat = context.number(.latitude)
    locationLng = context.number(.longitude)
    revenue = context.number(.revenue)
    price = context.number(.price)
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
  /// The fields that options have too.
  private static let shared: [ContextField] = [
    .statedAppVersion, .appVersion, .platform, .osName, .osVersion, .brand, .manufacturer,
    .model, .carrier, .country, .region, .city, .marketArea, .advertisingID, .vendorID,
    .googleAdvertisingID, .language, .library, .ip, .productID, .revenueType, .currency,
    .partnerID, .latitude, .longitude, .revenue, .price, .quantity, .plan, .ingestionMetadata,
    .eventNumber, .extra,
  ]

  fileprivate func text(_ field: ContextField) -> String? {
    if case .string(let text) = self[field] { text } else { nil }
  }

  fileprivate func number(_ field: ContextField) -> Double? {
    switch self[field] {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// This context with the fields that options have as they say it, and every other as it was.
  func rewritten(by options: EventOptions) -> EventContext {
    var others = self
    for field in Self.shared { others[field] = nil }
    return options.context.filled(from: others)
  }
}
