import FootfallCore

// What is seldom said, in the engine's own form: an event that says none of it pays for none of it, and
// handing it to the engine is one copy.
extension EventOptions {
  /// Degrees north.
  public var locationLat: Double? {
    get { fields.number(.latitude) }
    set { fields.set(.latitude, newValue) }
  }
  /// Degrees east.
  public var locationLng: Double? {
    get { fields.number(.longitude) }
    set { fields.set(.longitude, newValue) }
  }
  /// The app's version as the app states it; nothing else sets it.
  public var appVersion: String? {
    get { fields.text(.statedAppVersion) }
    set { fields.set(.statedAppVersion, newValue) }
  }
  /// The app's version; nil for that of the bundle.
  public var versionName: String? {
    get { fields.text(.appVersion) }
    set { fields.set(.appVersion, newValue) }
  }
  /// The family of operating system; nil for the device's own.
  public var platform: String? {
    get { fields.text(.platform) }
    set { fields.set(.platform, newValue) }
  }
  /// The operating system's name; nil for the device's own.
  public var osName: String? {
    get { fields.text(.osName) }
    set { fields.set(.osName, newValue) }
  }
  /// The operating system's version; nil for the device's own.
  public var osVersion: String? {
    get { fields.text(.osVersion) }
    set { fields.set(.osVersion, newValue) }
  }
  /// The device's brand.
  public var deviceBrand: String? {
    get { fields.text(.brand) }
    set { fields.set(.brand, newValue) }
  }
  /// Who made the device; nil for what it says itself.
  public var deviceManufacturer: String? {
    get { fields.text(.manufacturer) }
    set { fields.set(.manufacturer, newValue) }
  }
  /// The device's model; nil for what it says itself.
  public var deviceModel: String? {
    get { fields.text(.model) }
    set { fields.set(.model, newValue) }
  }
  /// The mobile network's name; nil for what the device says.
  public var carrier: String? {
    get { fields.text(.carrier) }
    set { fields.set(.carrier, newValue) }
  }
  /// The country; nil to leave it to the server.
  public var country: String? {
    get { fields.text(.country) }
    set { fields.set(.country, newValue) }
  }
  /// The region within the country.
  public var region: String? {
    get { fields.text(.region) }
    set { fields.set(.region, newValue) }
  }
  /// The city.
  public var city: String? {
    get { fields.text(.city) }
    set { fields.set(.city, newValue) }
  }
  /// The designated market area.
  public var dma: String? {
    get { fields.text(.marketArea) }
    set { fields.set(.marketArea, newValue) }
  }
  /// The system's id for advertisers.
  public var idfa: String? {
    get { fields.text(.advertisingID) }
    set { fields.set(.advertisingID, newValue) }
  }
  /// The system's id for the vendor of the app; nil for what the device says.
  public var idfv: String? {
    get { fields.text(.vendorID) }
    set { fields.set(.vendorID, newValue) }
  }
  /// Google's id for advertisers.
  public var adid: String? {
    get { fields.text(.googleAdvertisingID) }
    set { fields.set(.googleAdvertisingID, newValue) }
  }
  /// The user's language; nil for the device's own.
  public var language: String? {
    get { fields.text(.language) }
    set { fields.set(.language, newValue) }
  }
  /// What made the event, with its version; nil for this library.
  public var library: String? {
    get { fields.text(.library) }
    set { fields.set(.library, newValue) }
  }
  /// The sender's address; nil for the one the server sees.
  public var ip: String? {
    get { fields.text(.ip) }
    set { fields.set(.ip, newValue) }
  }
  /// What it came to, of an event that is no `Revenue`.
  public var revenue: Double? {
    get { fields.number(.revenue) }
    set { fields.set(.revenue, newValue) }
  }
  /// What one piece cost, of an event that is no `Revenue`.
  public var price: Double? {
    get { fields.number(.price) }
    set { fields.set(.price, newValue) }
  }
  /// How many pieces, of an event that is no `Revenue`.
  public var quantity: Int? {
    get { fields.whole(.quantity) }
    set { fields.set(.quantity, newValue) }
  }
  /// Which product, of an event that is no `Revenue`.
  public var productId: String? {
    get { fields.text(.productID) }
    set { fields.set(.productID, newValue) }
  }
  /// What kind of revenue, of an event that is no `Revenue`.
  public var revenueType: String? {
    get { fields.text(.revenueType) }
    set { fields.set(.revenueType, newValue) }
  }
  /// The currency's code, of an event that is no `Revenue`.
  public var currency: String? {
    get { fields.text(.currency) }
    set { fields.set(.currency, newValue) }
  }
  /// A partner's mark; nil for the configuration's.
  public var partnerId: String? {
    get { fields.text(.partnerID) }
    set { fields.set(.partnerID, newValue) }
  }
}
