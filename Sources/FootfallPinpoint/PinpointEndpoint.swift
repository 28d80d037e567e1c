import FootfallCore

/// What is known of the endpoint that events belong to: its own properties and its user's.
///
/// Source: `aws.md` sections 1.3 and 3.4.
package struct PinpointEndpoint: Sendable, Hashable, Codable {
  /// Values by name, as far as they fit.
  package private(set) var attributes: [String: [String]] = [:]
  /// Numbers by name.
  package private(set) var metrics: [String: Double] = [:]
  /// The user; nil for nobody.
  package var userID: String?
  /// What is known of the user, shared by all of the user's endpoints.
  package var userAttributes: [String: [String]] = [:]
  /// Where messages for it go, such as a device token; nil for nowhere.
  package var address: String?
  /// How messages for it go, such as `APNS`; sent with an address only.
  package var channelType: String?
  /// Whether its user wants no messages; nil if the app never said, which is not sent.
  package var isOptedOut: Bool?

  /// An endpoint of which nothing is known.
  package init() {}

  private static let mostEntries = 20
  private static let mostValues = 50
  private static let keyLimit = TextLimit(50, .scalars, .cut)
  private static let valueLimit = TextLimit(100, .scalars, .cut)

  /// Sets an attribute: 50 values of 100 characters; nil removes it.
  ///
  /// False if there are 20 attributes and metrics already and this is none of them.
  @discardableResult
  package mutating func setAttribute(_ values: [String]?, for key: String) -> Bool {
    let key = Self.fitting(key, Self.keyLimit)
    guard let values else {
      attributes[key] = nil
      return true
    }
    guard attributes[key] != nil || hasRoom else { return false }
    attributes[key] = values.prefix(Self.mostValues).map { Self.fitting($0, Self.valueLimit) }
    return true
  }

  /// Sets a metric; nil removes it, and what is no number is refused.
  ///
  /// False as for attributes.
  @discardableResult
  package mutating func setMetric(_ value: Double?, for key: String) -> Bool {
    let key = Self.fitting(key, Self.keyLimit)
    guard let value else {
      metrics[key] = nil
      return true
    }
    guard value.isFinite, metrics[key] != nil || hasRoom else { return false }
    metrics[key] = value
    return true
  }

  private var hasRoom: Bool { attributes.count + metrics.count < Self.mostEntries }

  private static func fitting(_ text: String, _ limit: TextLimit) -> String {
    limit.allows(text) ? text : limit.prefix(of: text)
  }
}

extension PinpointEndpoint {
  /// Writes the endpoint as it is sent; what is not known is left out.
  func write(device: EventContext, effectiveMilliseconds: Int64, into buffer: inout JSONBuffer) {
    var members: [(String, PropertyValue)] = []
    if let address, !address.isEmpty {
      members.append(("Address", .string(address)))
      if let channelType { members.append(("ChannelType", .string(channelType))) }
    }
    members.append(
      ("EffectiveDate", .string(Timestamp.rfc3339(milliseconds: effectiveMilliseconds)))
    )
    let demographic = Self.demographic(device)
    if !demographic.isEmpty { members.append(("Demographic", .object(demographic))) }
    if let isOptedOut { members.append(("OptOut", isOptedOut ? "ALL" : "NONE")) }
    if !attributes.isEmpty { members.append(("Attributes", Self.lists(attributes))) }
    if !metrics.isEmpty {
      members.append(("Metrics", .object(Properties(metrics.mapValues(PropertyValue.double)))))
    }
    if let userID {
      var user: Properties = ["UserId": .string(userID)]
      if !userAttributes.isEmpty { user["UserAttributes"] = Self.lists(userAttributes) }
      members.append(("User", .object(user)))
    }
    buffer.append(Properties(pairs: members))
  }

  private static func lists(_ lists: [String: [String]]) -> PropertyValue {
    .object(Properties(lists.mapValues { .array($0.map(PropertyValue.string)) }))
  }

  private static let demographicFields: [(String, ContextField)] = [
    ("AppVersion", .appVersion), ("Locale", .locale), ("Make", .manufacturer), ("Model", .model),
    ("Platform", .platform), ("PlatformVersion", .osVersion), ("Timezone", .timeZone),
  ]

  private static func demographic(_ device: EventContext) -> Properties {
    Properties(
      pairs: demographicFields.compactMap { name, field in device[field].map { (name, $0) } }
    )
  }
}
