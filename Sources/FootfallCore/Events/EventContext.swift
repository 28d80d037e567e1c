/// What is known about the app, the device and the place of an event, field by field.
///
/// A missing field is left out on the wire.
public struct EventContext: Sendable, Hashable {
  /// The values there are.
  public private(set) var values: [ContextField: PropertyValue]

  /// A context of some values; empty unless told otherwise.
  public init(_ values: [ContextField: PropertyValue] = [:]) {
    self.values = values
  }

  /// The value of a field; nil removes it.
  public subscript(field: ContextField) -> PropertyValue? {
    get { values[field] }
    set { values[field] = newValue }
  }

  /// Whether nothing is known.
  public var isEmpty: Bool { values.isEmpty }

  /// This context, with the other's values where this one has none.
  package func filled(from other: EventContext) -> EventContext {
    if values.isEmpty { return other }
    return EventContext(values.merging(other.values) { own, _ in own })
  }
}

/// A field of an event's context, by its name on the wire.
public struct ContextField: Sendable, Hashable, RawRepresentable {
  /// The name on the wire, such as `os`.
  public let rawValue: String
  /// A field by name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
  /// This library with its version, as in `footfall-swift/1.0.0`.
  public static let library = ContextField(rawValue: "library")
  /// The family of operating system, such as `iOS` or `Linux`.
  public static let platform = ContextField(rawValue: "platform")
  /// The operating system with its version, as in `iOS 19.1`.
  public static let os = ContextField(rawValue: "os")
  /// The operating system's name alone.
  public static let osName = ContextField(rawValue: "os_name")
  /// The operating system's version alone.
  public static let osVersion = ContextField(rawValue: "os_version")
  /// The maker's name of the model, as in `iPhone17,2`.
  public static let model = ContextField(rawValue: "model")
  /// Who made the device, such as `Apple`.
  public static let manufacturer = ContextField(rawValue: "manufacturer")
  /// The device's brand.
  public static let brand = ContextField(rawValue: "brand")
  /// The mobile network's name.
  public static let carrier = ContextField(rawValue: "carrier")
  /// The app's version, as in `4.2.0`.
  public static let appVersion = ContextField(rawValue: "app")
  /// The app's build, as in `881`.
  public static let build = ContextField(rawValue: "build")
  /// The user's locale, as in `en_GB`.
  public static let locale = ContextField(rawValue: "locale")
  /// The user's first preferred language, as in `en`.
  public static let language = ContextField(rawValue: "language")
  /// The time zone's name, as in `Europe/London`.
  public static let timeZone = ContextField(rawValue: "time_zone")
  /// The country, two letters; the locale's region unless the app says otherwise.
  public static let country = ContextField(rawValue: "country")
  /// The region within the country; only if the app gives it.
  public static let region = ContextField(rawValue: "region")
  /// The city; only if the app gives it.
  public static let city = ContextField(rawValue: "city")
  /// The designated market area; only if the app gives it.
  public static let marketArea = ContextField(rawValue: "dma")
  /// Degrees north; only if the app gives it.
  public static let latitude = ContextField(rawValue: "latitude")
  /// Degrees east; only if the app gives it.
  public static let longitude = ContextField(rawValue: "longitude")
  /// The sender's address, or `$remote` for the one the server sees.
  public static let ip = ContextField(rawValue: "ip")
  /// The system's id for the vendor of the app on this device.
  public static let vendorID = ContextField(rawValue: "idfv")
  /// The system's id for advertisers; only if the app gives it.
  public static let advertisingID = ContextField(rawValue: "idfa")
}
