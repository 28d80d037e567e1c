import EventStore

/// Something that can be said of an event: what questions are narrowed down and broken down by.
public enum Field: Sendable, Hashable {
  /// The event's name.
  case name
  /// The user's id, or the device's where there is no user.
  case person
  /// The platform, such as `iOS`.
  case platform
  /// The app's version.
  case version
  /// The system with its version, such as `iOS 19.1`.
  case system
  /// The device's model.
  case model
  /// Who made the device.
  case make
  /// The country.
  case country
  /// The language.
  case language
  /// The label of the key that the event came with.
  case deployment
  /// The channel by which messages reach the endpoint, such as `APNS`.
  case channel
  /// The IANA name of the time zone that the device is in.
  case timeZone
  /// A property of the event.
  case property(String)
  /// A property of the person, as it is now.
  case user(String)
  /// The event's group of a type, or the groups the person is in now where the event names none.
  case group(String)

  private static let plain: [(word: String, field: Field)] = [
    ("event", .name), ("person", .person), ("platform", .platform), ("version", .version),
    ("system", .system), ("model", .model), ("make", .make), ("country", .country),
    ("language", .language),
    ("deployment", .deployment), ("channel", .channel), ("zone", .timeZone),
  ]

  /// The words of all fields that are no property.
  public static let words = plain.map(\.word)

  /// Reads a field: one of `words`, `props.NAME`, `user.NAME` or `group.TYPE`.
  public init?(_ text: String) {
    if let known = Self.plain.first(where: { $0.word == text }) {
      self = known.field
    } else if text.hasPrefix("props."), text.utf8.count > 6 {
      self = .property(String(text.dropFirst(6)))
    } else if text.hasPrefix("user."), text.utf8.count > 5 {
      self = .user(String(text.dropFirst(5)))
    } else if text.hasPrefix("group."), text.utf8.count > 6 {
      self = .group(String(text.dropFirst(6)))
    } else {
      return nil
    }
  }

  /// The field as text, as `init` reads it.
  public var text: String {
    switch self {
    case .property(let name): "props." + name
    case .user(let name): "user." + name
    case .group(let type): "group." + type
    default: Self.plain.first { $0.field == self }?.word ?? ""
    }
  }

  /// The field in the middle of a sentence; a property's name stays as it is.
  public var noun: String {
    switch self {
    case .property, .user, .group: title
    default: title.lowercased()
    }
  }

  /// The field as people say it.
  public var title: String {
    switch self {
    case .name: "Event"
    case .person: "Person"
    case .platform: "Platform"
    case .version: "App version"
    case .system: "System"
    case .model: "Device model"
    case .make: "Device maker"
    case .country: "Country"
    case .language: "Language"
    case .deployment: "Deployment"
    case .channel: "Channel"
    case .timeZone: "Time zone"
    case .property(let name): name
    case .user(let name): "\(name) of the person"
    case .group(let type): type
    }
  }

  /// Whether the person of an event must be known for it.
  var isOfPerson: Bool {
    switch self {
    case .person, .user, .group: true
    default: false
    }
  }

  /// Whether it tells one person from another.
  var namesPeople: Bool {
    switch self {
    case .person, .user: true
    default: false
    }
  }

  /// Whether it tells what was done, not by whom and with which app or device.
  var isOfDeed: Bool {
    switch self {
    case .name, .property: true
    default: false
    }
  }

  /// Whether what holds of the person now must be known for it.
  var isOfState: Bool {
    switch self {
    case .user, .group: true
    default: false
    }
  }

  /// A column that holds JSON objects.
  enum Column: String {
    case props
    case context
    case client
    case groups
    case state
    case membership
  }

  /// A member of a column's object.
  struct Place {
    let column: Column
    let member: String
    /// A member whose text goes behind that of the first, if both have one.
    let suffix: String?

    init(_ column: Column, _ member: String, suffix: String? = nil) {
      self.column = column
      self.member = member
      self.suffix = suffix
    }
  }

  /// Where the value lies: the first place that holds one; nowhere for what is a column of its own.
  ///
  /// Source of the spellings: the native client object; Amplitude's event fields; Pinpoint's endpoint.
  var places: [Place] {
    func anywhere(_ member: String, or others: String...) -> [Place] {
      ([member] + others).map { Place(.context, $0) } + [Place(.client, member)]
    }
    return switch self {
    case .name, .person: []
    case .platform: anywhere("platform")
    case .version:
      [Place(.context, "version_name"), Place(.context, "app_version")] + anywhere("app")
    case .system:
      [
        Place(.context, "os"), Place(.context, "os_name", suffix: "os_version"),
        Place(.client, "os"),
      ]
    case .model: anywhere("model", or: "device_model")
    case .make: anywhere("manufacturer", or: "device_manufacturer")
    case .country: anywhere("country")
    case .language: anywhere("language", or: "locale") + [Place(.client, "locale")]
    case .deployment: [Place(.client, "deployment")]
    case .channel: [Place(.context, "ChannelType")]
    case .timeZone: anywhere("time_zone")
    case .property(let name): [Place(.props, name)]
    case .user(let name): [Place(.state, name)]
    case .group(let type): [Place(.groups, type), Place(.membership, type)]
    }
  }
}
