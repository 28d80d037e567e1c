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

  /// Where it is, by the service's names for it, such as `City`; a number that is none is left out.
  package var location: [String: PropertyValue] = [:] {
    didSet { location = location.filter { $0.value.isText || $0.value.isFiniteNumber } }
  }
  /// What the app says of the device in the place of what it tells itself, such as `Model`.
  package var demographic: [String: String] = [:]

  /// Attributes that were removed and whose removal the service has not taken, by the revision that
  /// did so: left out, they would stay there.
  private(set) var removed: [String: Int] = [:]
  /// Grows with every change of an attribute, and with every update that is asked for.
  private(set) var revision = 0

  /// An endpoint of which nothing is known.
  package init() {}

  private static let mostEntries = 20
  /// No app asks for as many updates.
  private static let largestRevision = 1 << 53
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
      remove(key)
      return true
    }
    guard attributes[key] != nil || hasRoom else { return false }
    revision += 1
    removed[key] = nil
    attributes[key] = values.prefix(Self.mostValues).map { Self.fitting($0, Self.valueLimit) }
    return true
  }

  private mutating func remove(_ key: String) {
    guard attributes.removeValue(forKey: key) != nil else { return }
    revision += 1
    removed[key] = revision
  }

  /// An update is asked for; what it is known by.
  package mutating func askForUpdate() -> Int {
    revision += 1
    return revision
  }

  /// The service has taken what an update of this revision said.
  package mutating func taken(_ revision: Int) {
    removed = removed.filter { $0.value > revision }
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
  /// Reads an endpoint; one that an earlier version stored has no removals, and what cannot be read is
  /// left out, alone.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys) -> Value? {
      do { return try values.decodeIfPresent(Value.self, forKey: key) } catch {
        // Better an endpoint that lacks one thing than none: the app says the rest again.
        return nil
      }
    }
    attributes = read(.attributes) ?? [:]
    metrics = (read(.metrics) ?? [:]).filter { $0.value.isFinite }
    userID = read(.userID)
    userAttributes = read(.userAttributes) ?? [:]
    address = read(.address)
    channelType = read(.channelType)
    isOptedOut = read(.isOptedOut)
    let kept: [String: Kept] = read(.location) ?? [:]
    location = kept.mapValues(\.value)
    demographic = read(.demographic) ?? [:]
    removed = read(.removed) ?? [:]
    // Counted on from here: a number that no run can have come to would stop every later one.
    let counted: Int = read(.revision) ?? 0
    revision = (0...Self.largestRevision).contains(counted) ? counted : 0
  }

  /// Writes all of it, for `init(from:)` of this version or an earlier one.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(attributes, forKey: .attributes)
    try values.encode(metrics, forKey: .metrics)
    try values.encodeIfPresent(userID, forKey: .userID)
    try values.encode(userAttributes, forKey: .userAttributes)
    try values.encodeIfPresent(address, forKey: .address)
    try values.encodeIfPresent(channelType, forKey: .channelType)
    try values.encodeIfPresent(isOptedOut, forKey: .isOptedOut)
    try values.encode(location.mapValues(Kept.init), forKey: .location)
    try values.encode(demographic, forKey: .demographic)
    try values.encode(removed, forKey: .removed)
    try values.encode(revision, forKey: .revision)
  }

  /// A text or a number, as it is stored.
  private struct Kept: Codable {
    var value: PropertyValue

    init(_ value: PropertyValue) { self.value = value }

    init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      do { value = .double(try single.decode(Double.self)) } catch {
        value = .string(try single.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var single = encoder.singleValueContainer()
      switch value {
      case .double(let number): try single.encode(number)
      case .string(let text): try single.encode(text)
      default: try single.encode("")
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case attributes, metrics, userID, userAttributes, address, channelType, isOptedOut, location
    case demographic, removed, revision
  }

  /// Writes the endpoint as it is sent; what is not known is left out.
  ///
  /// In an update, attributes that were removed are empty lists.
  func write(
    device: EventContext,
    effectiveMilliseconds: Int64,
    isUpdate: Bool = false,
    into buffer: inout JSONBuffer
  ) {
    var members: [(String, PropertyValue)] = []
    if let address, !address.isEmpty {
      members.append(("Address", .string(address)))
      if let channelType { members.append(("ChannelType", .string(channelType))) }
    }
    members.append(
      ("EffectiveDate", .string(Timestamp.rfc3339(milliseconds: effectiveMilliseconds)))
    )
    let demographic = Self.demographic(device).merging(
      Properties(self.demographic.mapValues(PropertyValue.string))
    )
    if !demographic.isEmpty { members.append(("Demographic", .object(demographic))) }
    if !location.isEmpty { members.append(("Location", .object(Properties(location)))) }
    if let isOptedOut { members.append(("OptOut", isOptedOut ? "ALL" : "NONE")) }
    let gone = isUpdate ? removed.mapValues { _ in [String]() } : [:]
    let lists = attributes.merging(gone) { kept, _ in kept }
    if !lists.isEmpty { members.append(("Attributes", Self.lists(lists))) }
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

  static func demographic(_ device: EventContext) -> Properties {
    Properties(
      pairs: demographicFields.compactMap { name, field in device[field].map { (name, $0) } }
    )
  }
}

extension PropertyValue {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }

  fileprivate var isFiniteNumber: Bool {
    if case .double(let number) = self { number.isFinite } else { false }
  }
}
