public import Foundation

/// What is known of an endpoint, to be looked at, changed and handed to
/// `AWSPinpointTargetingClient.update(_:)`.
///
/// A copy: nothing changes before it is handed over. Belongs to one thread at a time.
public final class AWSPinpointEndpointProfile: NSObject {
  /// The application's id.
  public let applicationId: String
  /// The endpoint's id.
  public let endpointId: String
  /// How messages for it go: `APNS`, or `APNS_SANDBOX` for a debug build.
  public internal(set) var channelType = "APNS"
  /// Where messages for it go, such as a device token; nil for nowhere.
  public var address: String?
  /// `ALL` for no messages, `NONE` for any; nil to say nothing, which is the default.
  public var optOut: String?
  /// When the profile was made, in milliseconds since 1970.
  public internal(set) var effectiveDate: UInt64
  /// Where it is; nil unless set.
  public var location: AWSPinpointEndpointProfileLocation?
  /// What is known of the device; nil for what it tells itself.
  public var demographic: AWSPinpointEndpointProfileDemographic?
  /// Who uses it; nil for nobody.
  public var user: AWSPinpointEndpointProfileUser?
  private var attributes: [String: [String]] = [:]
  private var metrics: [String: NSNumber] = [:]

  /// A profile of which nothing is known.
  public init(applicationId: String, endpointId: String) {
    self.applicationId = applicationId
    self.endpointId = endpointId
    effectiveDate = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
  }

  /// Sets an attribute, as texts; nil removes it.
  ///
  /// 20 attributes and metrics together are kept, keys of 50 characters, 50 values of 100.
  public func addAttribute(_ values: [Any]?, forKey key: String) {
    attributes[key] = values?.map { "\($0)" }
  }

  /// The values of an attribute; nil if there is none.
  public func attribute(forKey key: String) -> [Any]? { attributes[key] }

  /// Whether there is an attribute of a key.
  public func hasAttribute(forKey key: String) -> Bool { attributes[key] != nil }

  /// All attributes.
  public func allAttributes() -> [String: [Any]] { attributes }

  /// Sets a metric; nil removes it.
  public func addMetric(_ value: NSNumber?, forKey key: String) {
    metrics[key] = value
  }

  /// The metric of a key; nil if there is none.
  public func metric(forKey key: String) -> NSNumber? { metrics[key] }

  /// Whether there is a metric of a key.
  public func hasMetric(forKey key: String) -> Bool { metrics[key] != nil }

  /// All metrics.
  public func allMetrics() -> [String: NSNumber] { metrics }
}

/// Who uses an endpoint.
///
/// Belongs to one thread at a time.
public final class AWSPinpointEndpointProfileUser: NSObject {
  /// The user's id; nil for nobody.
  public var userId: String?
  private var attributes: [String: [String]] = [:]

  /// Nobody yet.
  public override init() {}

  /// Sets an attribute of the user, shared by all of the user's endpoints.
  public func addUserAttribute(_ values: [String], forKey key: String) {
    attributes[key] = values
  }

  /// The values of an attribute; nil if there is none.
  public func userAttribute(forKey key: String) -> [String]? { attributes[key] }

  /// Whether there is an attribute of a key.
  public func hasUserAttribute(forKey key: String) -> Bool { attributes[key] != nil }

  /// All attributes.
  public func allUserAttributes() -> [String: [String]] { attributes }

  /// Sets all attributes anew.
  public func setUserAttributes(_ attributes: [String: [String]]) {
    self.attributes = attributes
  }
}

/// Where an endpoint is.
///
/// Belongs to one thread at a time.
public final class AWSPinpointEndpointProfileLocation: NSObject {
  /// Degrees north.
  public var latitude: NSNumber?
  /// Degrees east.
  public var longitude: NSNumber?
  /// The postal code.
  public var postalCode: String?
  /// The city.
  public var city: String?
  /// The state or region.
  public var region: String?
  /// The country, by its code of two or three letters.
  public var country: String?

  /// Nowhere yet.
  public override init() {}
}

/// What is known of an endpoint's device.
///
/// Belongs to one thread at a time.
public final class AWSPinpointEndpointProfileDemographic: NSObject {
  /// Who made the device: `apple`.
  public let make = "apple"
  /// The model, such as `iPhone17,2`.
  public var model: String?
  /// The time zone, such as `Europe/London`.
  public var timezone: String?
  /// The user's locale, such as `en_GB`.
  public var locale: String?
  /// The app's version.
  public var appVersion: String?
  /// The operating system.
  public var platform: String?
  /// The operating system's version.
  public var platformVersion: String?

  /// Nothing known yet.
  public override init() {}

  /// What this device tells of itself.
  public static func defaultAWSPinpointEndpointProfileDemographic()
    -> AWSPinpointEndpointProfileDemographic
  { .current }
}
