/// An endpoint as it is kept: what requests have said of it, one after the other.
public struct PinpointEndpoint: Sendable, Hashable {
  /// Its id, as it was first spelled; case does not count.
  public var id: String
  /// The application it belongs to.
  public var app: String
  /// All that is known of it.
  ///
  /// Empty lists are not kept; the user's attributes are those of all the user's endpoints.
  public var state: PinpointEndpointUpdate
  /// When it was first heard of, in milliseconds since 1970.
  public var createdAtMs: Int64

  /// An endpoint of which nothing is known yet.
  public init(id: String, app: String, createdAtMs: Int64) {
    self.id = id
    self.app = app
    self.createdAtMs = createdAtMs
    state = PinpointEndpointUpdate()
    state.texts["EffectiveDate"] = UTCTime(createdAtMs).extended
  }

  /// Whether it may be sent to.
  public var isActive: Bool { state.texts["EndpointStatus"] != "INACTIVE" }

  /// When it was last effective, in milliseconds since 1970.
  public var effectiveAtMs: Int64 {
    guard var date = state.texts["EffectiveDate"] else { return createdAtMs }
    return date.withUTF8 { Timestamp.read(UnsafeRawBufferPointer($0)) } ?? createdAtMs
  }

  /// Whether its channel pushes to a device, where the oldest gives way when a user has too many.
  ///
  /// Source: Amazon Pinpoint, "Quotas", endpoints per user; the sandbox is in neither of AWS's lists and
  /// counts as APNS here.
  public var isPush: Bool {
    ["ADM", "GCM", "APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "BAIDU"].contains(
      state.texts["ChannelType"]
    )
  }

  /// Takes what a request says: only what it names changes, and a name's whole list at once.
  public mutating func apply(_ update: PinpointEndpointUpdate) {
    func merge<Value>(_ old: inout [String: Value], _ new: [String: Value]) {
      old.merge(new) { $1 }
    }
    merge(&state.texts, update.texts)
    // Whoever is heard of is active, unless the request says otherwise.
    state.texts["EndpointStatus"] = update.texts["EndpointStatus"] ?? "ACTIVE"
    merge(&state.demographic, update.demographic)
    merge(&state.location, update.location)
    merge(&state.metrics, update.metrics)
    state.attributes = Self.merged(state.attributes, update.attributes)
    if !update.userID.isEmpty { state.userID = update.userID }
  }

  /// Lists by name, of which an empty one takes the name away.
  public static func merged(
    _ old: [String: [String]],
    _ new: [String: [String]]
  ) -> [String: [String]] {
    old.merging(new) { $1 }.filter { !$0.value.isEmpty }
  }

  /// Its cohort, one of a hundred equal parts of all endpoints.
  private var cohort: UInt64 {
    (app + "/" + id.lowercased()).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    } % 100
  }

  /// The EndpointResponse.
  public var json: String {
    var state = state
    // Those of an endpoint that was imported are its own.
    let ownCohort = state.texts.removeValue(forKey: "CohortId")
    let ownDate = state.texts.removeValue(forKey: "CreationDate")
    let known = state.json
    let own = JSONText.object([
      "ApplicationId": JSONText.quoted(app), "Id": JSONText.quoted(id),
      "CohortId": JSONText.quoted(ownCohort ?? "\(cohort)"),
      "CreationDate": JSONText.quoted(ownDate ?? UTCTime(createdAtMs).extended),
    ])
    return known == "{}" ? own : own.dropLast() + "," + known.dropFirst()
  }

  /// What charts know of app and device, as members of a JSON object with a comma behind each.
  public var context: [UInt8] {
    let names = [
      "Make": "manufacturer", "Model": "model", "Platform": "platform",
      "PlatformVersion": "os_version", "Locale": "locale", "Timezone": "time_zone",
      "ModelVersion": "ModelVersion",
    ]
    let places = [
      "City": "city", "Country": "country", "Region": "region", "Latitude": "latitude",
      "Longitude": "longitude", "PostalCode": "PostalCode",
    ]
    var members: [String: String] = [:]
    for (name, value) in state.demographic {
      if let name = names[name] { members[name] = JSONText.quoted(value) }
    }
    for (name, value) in state.location { if let name = places[name] { members[name] = value } }
    if let channel = state.texts["ChannelType"] {
      members["ChannelType"] = JSONText.quoted(channel)
    }
    if let platform = state.demographic["Platform"],
      let version = state.demographic["PlatformVersion"]
    {
      members["os"] = JSONText.quoted("\(platform) \(version)")
    }
    guard !members.isEmpty else { return [] }
    return Array(JSONText.object(members).utf8.dropFirst().dropLast()) + [UInt8(ascii: ",")]
  }
}
