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
  /// Degrees north.
  public var locationLat: Double?
  /// Degrees east.
  public var locationLng: Double?
  /// The app's version as the app states it; nothing else sets it.
  public var appVersion: String?
  /// The app's version; nil for that of the bundle.
  public var versionName: String?
  /// The family of operating system; nil for the device's own.
  public var platform: String?
  /// The operating system's name; nil for the device's own.
  public var osName: String?
  /// The operating system's version; nil for the device's own.
  public var osVersion: String?
  /// The device's brand.
  public var deviceBrand: String?
  /// Who made the device; nil for what it says itself.
  public var deviceManufacturer: String?
  /// The device's model; nil for what it says itself.
  public var deviceModel: String?
  /// The mobile network's name; nil for what the device says.
  public var carrier: String?
  /// The country; nil to leave it to the server.
  public var country: String?
  /// The region within the country.
  public var region: String?
  /// The city.
  public var city: String?
  /// The designated market area.
  public var dma: String?
  /// The system's id for advertisers.
  public var idfa: String?
  /// The system's id for the vendor of the app; nil for what the device says.
  public var idfv: String?
  /// Google's id for advertisers.
  public var adid: String?
  /// The user's language; nil for the device's own.
  public var language: String?
  /// What made the event, with its version; nil for this library.
  public var library: String?
  /// The sender's address; nil for the one the server sees.
  public var ip: String?
  /// The tracking plan it is made after; nil for the configuration's.
  public var plan: Plan?
  /// Where it was taken in; nil for the configuration's.
  public var ingestionMetadata: IngestionMetadata?
  /// What it came to, of an event that is no `Revenue`.
  public var revenue: Double?
  /// What one piece cost, of an event that is no `Revenue`.
  public var price: Double?
  /// How many pieces, of an event that is no `Revenue`.
  public var quantity: Int?
  /// Which product, of an event that is no `Revenue`.
  public var productId: String?
  /// What kind of revenue, of an event that is no `Revenue`.
  public var revenueType: String?
  /// The currency's code, of an event that is no `Revenue`.
  public var currency: String?
  /// Anything for the app's own plugins; never sent.
  public var extra: [String: Any]?
  /// Hears what the server said of the event; in memory only.
  public var callback: EventCallback?
  /// A partner's mark; nil for the configuration's.
  public var partnerId: String?

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
    self.locationLat = locationLat
    self.locationLng = locationLng
    self.appVersion = appVersion
    self.versionName = versionName
    self.platform = platform
    self.osName = osName
    self.osVersion = osVersion
    self.deviceBrand = deviceBrand
    self.deviceManufacturer = deviceManufacturer
    self.deviceModel = deviceModel
    self.carrier = carrier
    self.country = country
    self.region = region
    self.city = city
    self.dma = dma
    self.idfa = idfa
    self.idfv = idfv
    self.adid = adid
    self.language = language
    self.library = library
    self.ip = ip
    self.plan = plan
    self.ingestionMetadata = ingestionMetadata
    self.revenue = revenue
    self.price = price
    self.quantity = quantity
    self.productId = productId
    self.revenueType = revenueType
    self.currency = currency
    self.extra = extra
    self.callback = callback
    self.partnerId = partnerId
  }

  /// Puts other options on top: each that is not nil wins.
  open func mergeEventOptions(eventOptions: EventOptions) {
    userId = eventOptions.userId ?? userId
    deviceId = eventOptions.deviceId ?? deviceId
    timestamp = eventOptions.timestamp ?? timestamp
    eventId = eventOptions.eventId ?? eventId
    sessionId = eventOptions.sessionId ?? sessionId
    insertId = eventOptions.insertId ?? insertId
    locationLat = eventOptions.locationLat ?? locationLat
    locationLng = eventOptions.locationLng ?? locationLng
    appVersion = eventOptions.appVersion ?? appVersion
    versionName = eventOptions.versionName ?? versionName
    platform = eventOptions.platform ?? platform
    osName = eventOptions.osName ?? osName
    osVersion = eventOptions.osVersion ?? osVersion
    deviceBrand = eventOptions.deviceBrand ?? deviceBrand
    deviceManufacturer = eventOptions.deviceManufacturer ?? deviceManufacturer
    deviceModel = eventOptions.deviceModel ?? deviceModel
    carrier = eventOptions.carrier ?? carrier
    country = eventOptions.country ?? country
    region = eventOptions.region ?? region
    city = eventOptions.city ?? city
    dma = eventOptions.dma ?? dma
    idfa = eventOptions.idfa ?? idfa
    idfv = eventOptions.idfv ?? idfv
    adid = eventOptions.adid ?? adid
    language = eventOptions.language ?? language
    library = eventOptions.library ?? library
    ip = eventOptions.ip ?? ip
    plan = eventOptions.plan ?? plan
    ingestionMetadata = eventOptions.ingestionMetadata ?? ingestionMetadata
    revenue = eventOptions.revenue ?? revenue
    price = eventOptions.price ?? price
    quantity = eventOptions.quantity ?? quantity
    productId = eventOptions.productId ?? productId
    revenueType = eventOptions.revenueType ?? revenueType
    currency = eventOptions.currency ?? currency
    extra = eventOptions.extra ?? extra
    callback = eventOptions.callback ?? callback
    partnerId = eventOptions.partnerId ?? partnerId
  }
}
