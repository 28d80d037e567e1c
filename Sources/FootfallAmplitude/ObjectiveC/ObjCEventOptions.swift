#if canImport(ObjectiveC)
public import Foundation

/// Hears what a server said of an event.
public typealias ObjCEventCallback = @Sendable (ObjCBaseEvent, Int, String) -> Void

/// What one event says differently: `AMPEventOptions`.
///
/// Numbers that are unset read as -1, and 0 where -1 has no meaning.
@objc(AMPEventOptions)
public class ObjCEventOptions: NSObject {
  let options: EventOptions

  /// Nothing differently yet.
  @objc public override convenience init() { self.init(EventOptions()) }

  init(_ options: EventOptions) { self.options = options }

  /// As `EventOptions.userId`.
  @objc public var userId: String? {
    get { options.userId }
    set { options.userId = newValue }
  }
  /// As `EventOptions.deviceId`.
  @objc public var deviceId: String? {
    get { options.deviceId }
    set { options.deviceId = newValue }
  }
  /// As `EventOptions.timestamp`.
  @objc public var timestamp: Int64 {
    get { options.timestamp ?? -1 }
    set { options.timestamp = newValue }
  }
  /// As `EventOptions.eventId`.
  @objc public var eventId: Int64 {
    get { options.eventId ?? -1 }
    set { options.eventId = newValue }
  }
  /// As `EventOptions.sessionId`.
  @objc public var sessionId: Int64 {
    get { options.sessionId ?? -1 }
    set { options.sessionId = newValue }
  }
  /// As `EventOptions.insertId`.
  @objc public var insertId: String? {
    get { options.insertId }
    set { options.insertId = newValue }
  }
  /// As `EventOptions.locationLat`.
  @objc public var locationLat: Double {
    get { options.locationLat ?? 0 }
    set { options.locationLat = newValue }
  }
  /// As `EventOptions.locationLng`.
  @objc public var locationLng: Double {
    get { options.locationLng ?? 0 }
    set { options.locationLng = newValue }
  }
  /// As `EventOptions.appVersion`.
  @objc public var appVersion: String? {
    get { options.appVersion }
    set { options.appVersion = newValue }
  }
  /// As `EventOptions.versionName`.
  @objc public var versionName: String? {
    get { options.versionName }
    set { options.versionName = newValue }
  }
  /// As `EventOptions.platform`.
  @objc public var platform: String? {
    get { options.platform }
    set { options.platform = newValue }
  }
  /// As `EventOptions.osName`.
  @objc public var osName: String? {
    get { options.osName }
    set { options.osName = newValue }
  }
  /// As `EventOptions.osVersion`.
  @objc public var osVersion: String? {
    get { options.osVersion }
    set { options.osVersion = newValue }
  }
  /// As `EventOptions.deviceBrand`.
  @objc public var deviceBrand: String? {
    get { options.deviceBrand }
    set { options.deviceBrand = newValue }
  }
  /// As `EventOptions.deviceManufacturer`.
  @objc public var deviceManufacturer: String? {
    get { options.deviceManufacturer }
    set { options.deviceManufacturer = newValue }
  }
  /// As `EventOptions.deviceModel`.
  @objc public var deviceModel: String? {
    get { options.deviceModel }
    set { options.deviceModel = newValue }
  }
  /// As `EventOptions.carrier`.
  @objc public var carrier: String? {
    get { options.carrier }
    set { options.carrier = newValue }
  }
  /// As `EventOptions.country`.
  @objc public var country: String? {
    get { options.country }
    set { options.country = newValue }
  }
  /// As `EventOptions.region`.
  @objc public var region: String? {
    get { options.region }
    set { options.region = newValue }
  }
  /// As `EventOptions.city`.
  @objc public var city: String? {
    get { options.city }
    set { options.city = newValue }
  }
  /// As `EventOptions.dma`.
  @objc public var dma: String? {
    get { options.dma }
    set { options.dma = newValue }
  }
  /// As `EventOptions.idfa`.
  @objc public var idfa: String? {
    get { options.idfa }
    set { options.idfa = newValue }
  }
  /// As `EventOptions.idfv`.
  @objc public var idfv: String? {
    get { options.idfv }
    set { options.idfv = newValue }
  }
  /// As `EventOptions.adid`.
  @objc public var adid: String? {
    get { options.adid }
    set { options.adid = newValue }
  }
  /// As `EventOptions.language`.
  @objc public var language: String? {
    get { options.language }
    set { options.language = newValue }
  }
  /// As `EventOptions.library`.
  @objc public var library: String? {
    get { options.library }
    set { options.library = newValue }
  }
  /// As `EventOptions.ip`.
  @objc public var ip: String? {
    get { options.ip }
    set { options.ip = newValue }
  }
  /// As `EventOptions.revenue`.
  @objc public var revenue: Double {
    get { options.revenue ?? 0 }
    set { options.revenue = newValue }
  }
  /// As `EventOptions.price`.
  @objc public var price: Double {
    get { options.price ?? 0 }
    set { options.price = newValue }
  }
  /// As `EventOptions.quantity`.
  @objc public var quantity: Int {
    get { options.quantity ?? 0 }
    set { options.quantity = newValue }
  }
  /// As `EventOptions.productId`.
  @objc public var productId: String? {
    get { options.productId }
    set { options.productId = newValue }
  }
  /// As `EventOptions.revenueType`.
  @objc public var revenueType: String? {
    get { options.revenueType }
    set { options.revenueType = newValue }
  }
  /// As `EventOptions.currency`.
  @objc public var currency: String? {
    get { options.currency }
    set { options.currency = newValue }
  }
  /// As `EventOptions.partnerId`.
  @objc public var partnerId: String? {
    get { options.partnerId }
    set { options.partnerId = newValue }
  }
  /// As `EventOptions.plan`.
  @objc public var plan: ObjCPlan? {
    get { options.plan.map { ObjCPlan($0) } }
    set { options.plan = newValue?.plan }
  }
  /// As `EventOptions.ingestionMetadata`.
  @objc public var ingestionMetadata: ObjCIngestionMetadata? {
    get { options.ingestionMetadata.map { ObjCIngestionMetadata($0) } }
    set { options.ingestionMetadata = newValue?.metadata }
  }
  /// As `EventOptions.extra`.
  @objc public var extra: [String: Any]? {
    get { options.extra }
    set { options.extra = newValue }
  }
  /// As `EventOptions.callback`.
  @objc public var callback: ObjCEventCallback? {
    get { options.callback.forObjectiveC }
    set { options.callback = newValue.forSwift }
  }
}

extension ObjCEventCallback? {
  /// The same callback for Swift's events.
  var forSwift: EventCallback? {
    guard let callback = self else { return nil }
    return { event, code, message in callback(ObjCBaseEvent(event), code, message) }
  }
}

extension EventCallback? {
  /// The same callback for Objective-C's events.
  var forObjectiveC: ObjCEventCallback? {
    guard let callback = self else { return nil }
    return { event, code, message in callback(event.event, code, message) }
  }
}
#endif
