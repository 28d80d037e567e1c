import FootfallCore

/// Hears what a server said of an event: the event, the status and a message.
///
/// Called on the client's own thread, once; never for an event that is still stored when the client
/// ends, and never while it is tried again.
public typealias EventCallback = @Sendable (BaseEvent, Int, String) -> Void

/// What one event says differently from its client; nil keeps the client's own value.
///
/// An object: a client reads it during the call it is given to, and changes made later count no more.
open class EventOptions {
  /// The user the event belongs to; nil for the client's own.
  public var userId: String?
  /// The device the event belongs to; nil for the client's own.
  public var deviceId: String?
  /// When it happened, in milliseconds since 1970; nil for the moment of the call.
  public var timestamp: Int64?
  /// Its number among the events of the device; nil for the client's own count.
  public var eventId: Int64?
  /// The session it belongs to, by its start in milliseconds since 1970, or -1 for none; nil for
  /// the one that is open.
  public var sessionId: Int64?
  /// Tells the event from every other, so that it counts once; nil for a new id.
  public var insertId: String?
  /// The tracking plan it is made after; nil for the configuration's.
  public var plan: Plan?
  /// Where it was taken in; nil for the configuration's.
  public var ingestionMetadata: IngestionMetadata?
  /// What is said of app, device, place and money, by the names of `EventOptions+Fields.swift`.
  final var fields = EventContext()
  /// Anything for the app's own plugins; never sent.
  public var extra: [String: Any]?
  /// Hears what the server said of the event; in memory only.
  public var callback: EventCallback?

  /// Options for one event; what is not given is left to the client.
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
    partnerId: String? = nil
  ) {
    self.userId = userId
    self.deviceId = deviceId
    self.timestamp = timestamp
    self.eventId = eventId
    self.sessionId = sessionId
    self.insertId = insertId
    if let locationLat { self.locationLat = locationLat }
    if let locationLng { self.locationLng = locationLng }
    if let appVersion { self.appVersion = appVersion }
    if let versionName { self.versionName = versionName }
    if let platform { self.platform = platform }
    if let osName { self.osName = osName }
    if let osVersion { self.osVersion = osVersion }
    if let deviceBrand { self.deviceBrand = deviceBrand }
    if let deviceManufacturer { self.deviceManufacturer = deviceManufacturer }
    if let deviceModel { self.deviceModel = deviceModel }
    if let carrier { self.carrier = carrier }
    if let country { self.country = country }
    if let region { self.region = region }
    if let city { self.city = city }
    if let dma { self.dma = dma }
    if let idfa { self.idfa = idfa }
    if let idfv { self.idfv = idfv }
    if let adid { self.adid = adid }
    if let language { self.language = language }
    if let library { self.library = library }
    if let ip { self.ip = ip }
    self.plan = plan
    self.ingestionMetadata = ingestionMetadata
    if let revenue { self.revenue = revenue }
    if let price { self.price = price }
    if let quantity { self.quantity = quantity }
    if let productId { self.productId = productId }
    if let revenueType { self.revenueType = revenueType }
    if let currency { self.currency = currency }
    self.extra = extra
    self.callback = callback
    if let partnerId { self.partnerId = partnerId }
  }

  /// Puts other options on top: each that is not nil wins.
  open func mergeEventOptions(eventOptions: EventOptions) {
    userId = eventOptions.userId ?? userId
    deviceId = eventOptions.deviceId ?? deviceId
    timestamp = eventOptions.timestamp ?? timestamp
    eventId = eventOptions.eventId ?? eventId
    sessionId = eventOptions.sessionId ?? sessionId
    insertId = eventOptions.insertId ?? insertId
    plan = eventOptions.plan ?? plan
    ingestionMetadata = eventOptions.ingestionMetadata ?? ingestionMetadata
    fields = eventOptions.fields.filled(from: fields)
    extra = eventOptions.extra ?? extra
    callback = eventOptions.callback ?? callback
  }
}
