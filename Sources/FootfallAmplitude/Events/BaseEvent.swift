/// Something that happened, with everything the app has to say about it.
///
/// An object: a client reads it during the call it is given to, so changes made later count no more.
/// Plugins see an object of their own, made of what was read, and may change that.
open class BaseEvent: EventOptions, AnalyticsEvent {
  /// What happened; required.
  public var eventType: String
  /// What else there is to say.
  public var eventProperties: [String: Any]? {
    didSet { changed.insert(.eventProperties) }
  }
  /// What is known of the user from here on; of an `$identify`, operations by name.
  public var userProperties: [String: Any]? {
    didSet { changed.insert(.userProperties) }
  }
  /// The groups it belongs to: a name or a list of names by type.
  public var groups: [String: Any]? {
    didSet { changed.insert(.groups) }
  }
  /// Of a `$groupidentify`, operations by name.
  public var groupProperties: [String: Any]? {
    didSet { changed.insert(.groupProperties) }
  }
  /// What was changed since the event was made.
  var changed: Set<Part> = []

  /// The parts of an event whose change plugins are asked about.
  enum Part: CaseIterable {
    case eventProperties
    case userProperties
    case groups
    case groupProperties
  }

  /// An event; what is not given is left to the client.
  public init(
    userId: String? = nil,
    deviceId: String? = nil,
    timestamp: Int64? = nil,
    eventId: Int64? = nil,
    sessionId: Int64? = nil,
    insertId: String? = nil,
    locationLat: Double? = nil,
    locationLng: Double? = nil,
    appVersion: String? = nil,
    versionName: String? = nil,
    platform: String? = nil,
    osName: String? = nil,
    osVersion: String? = nil,
    deviceBrand: String? = nil,
    deviceManufacturer: String? = nil,
    deviceModel: String? = nil,
    carrier: String? = nil,
    country: String? = nil,
    region: String? = nil,
    city: String? = nil,
    dma: String? = nil,
    idfa: String? = nil,
    idfv: String? = nil,
    adid: String? = nil,
    language: String? = nil,
    library: String? = nil,
    ip: String? = nil,
    plan: Plan? = nil,
    ingestionMetadata: IngestionMetadata? = nil,
    revenue: Double? = nil,
    price: Double? = nil,
    quantity: Int? = nil,
    productId: String? = nil,
    revenueType: String? = nil,
    currency: String? = nil,
    extra: [String: Any]? = nil,
    callback: EventCallback? = nil,
    partnerId: String? = nil,
    eventType: String,
    eventProperties: [String: Any]? = nil,
    userProperties: [String: Any]? = nil,
    groups: [String: Any]? = nil,
    groupProperties: [String: Any]? = nil
  ) {
    self.eventType = eventType
    self.eventProperties = eventProperties
    self.userProperties = userProperties
    self.groups = groups
    self.groupProperties = groupProperties
    super.init(
      userId: userId,
      deviceId: deviceId,
      timestamp: timestamp,
      eventId: eventId,
      sessionId: sessionId,
      insertId: insertId,
      locationLat: locationLat,
      locationLng: locationLng,
      appVersion: appVersion,
      versionName: versionName,
      platform: platform,
      osName: osName,
      osVersion: osVersion,
      deviceBrand: deviceBrand,
      deviceManufacturer: deviceManufacturer,
      deviceModel: deviceModel,
      carrier: carrier,
      country: country,
      region: region,
      city: city,
      dma: dma,
      idfa: idfa,
      idfv: idfv,
      adid: adid,
      language: language,
      library: library,
      ip: ip,
      plan: plan,
      ingestionMetadata: ingestionMetadata,
      revenue: revenue,
      price: price,
      quantity: quantity,
      productId: productId,
      revenueType: revenueType,
      currency: currency,
      extra: extra,
      callback: callback,
      partnerId: partnerId
    )
  }

  /// Whether it has someone it belongs to, as far as it says itself.
  open func isValid() -> Bool { userId != nil || deviceId != nil }
}
