/// The devices and users of an Amplitude request that send too fast, and where their events stand.
///
/// Clients hold back what is listed for a while and send the rest at once.
public struct AmplitudeThrottled: Sendable {
  /// The places in the request of the events that wait.
  public var events: [Int] = []
  private let limit: Int
  private var devices: [String: Int] = [:]
  private var users: [String: Int] = [:]
  private var dailyDevices: [String: Int] = [:]
  private var dailyUsers: [String: Int] = [:]

  /// Nobody yet; the limit is in events per second.
  public init(limit: Int) {
    self.limit = limit
  }

  /// Adds a device or user with what it has sent, where that is too much.
  ///
  /// - Parameters:
  ///   - id: The device's or user's id.
  ///   - isUser: Which of the two.
  ///   - perSecond: Events per second, when they are over the limit.
  ///   - perDay: Events in 24 hours, when they are over the limit.
  public mutating func add(_ id: String, isUser: Bool, perSecond: Int?, perDay: Int?) {
    if isUser {
      users[id] = perSecond
      dailyUsers[id] = perDay
    } else {
      devices[id] = perSecond
      dailyDevices[id] = perDay
    }
  }

  /// 429, in the shape that tells clients what to hold back.
  public var answer: WireAnswer {
    var json = JSONText()
    json.append("{\"code\":429,\"error\":\"Too many requests for some devices and users\"")
    json.append(",\"eps_threshold\":\(limit)")
    append(devices, as: "throttled_devices", to: &json)
    append(users, as: "throttled_users", to: &json)
    append(dailyUsers, as: "exceeded_daily_quota_users", to: &json)
    append(dailyDevices, as: "exceeded_daily_quota_devices", to: &json)
    json.append(",\"throttled_events\":[\(events.map(String.init).joined(separator: ","))]}")
    return WireAnswer(status: 429, body: json.bytes, retryAfterSeconds: 30)
  }

  private func append(_ map: [String: Int], as name: String, to json: inout JSONText) {
    json.append(",\"\(name)\":{")
    for (place, entry) in map.sorted(by: { $0.key < $1.key }).enumerated() {
      if place > 0 { json.append(",") }
      json.append(quoting: entry.key)
      json.append(":\(entry.value)")
    }
    json.append("}")
  }
}
