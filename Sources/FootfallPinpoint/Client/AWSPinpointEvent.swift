import FootfallCore
import FootfallSystem
public import Foundation

/// Something that happened, as it is put together before it is recorded.
///
/// 40 attributes and metrics together, keys of 50 characters and values of 200 are sent; what is over is
/// left out or cut, and counted. Any thread.
public final class AWSPinpointEvent: NSObject, Sendable {
  /// What happened.
  public let eventType: String
  /// When the event was made, in milliseconds since 1970.
  public let eventTimestamp: UInt64
  /// The session it was made in; one that has not started has the id `00000000-00000000`.
  ///
  /// An event of the client's own belongs to the session that is open when it is recorded.
  public let session: AWSPinpointSession
  private let content: Lock<PinpointValues>

  /// An event of a session of the app's choice.
  public init(eventType: String, timestamp: UInt64, session: AWSPinpointSession) {
    self.eventType = eventType
    eventTimestamp = timestamp
    self.session = session
    content = Lock(PinpointValues())
  }

  init(
    _ eventType: String,
    timestamp: UInt64,
    session: AWSPinpointSession,
    _ values: PinpointValues
  ) {
    self.eventType = eventType
    eventTimestamp = timestamp
    self.session = session
    content = Lock(values)
  }

  /// Its attributes and metrics.
  var values: PinpointValues { content.withLock { $0 } }

  /// Sets an attribute.
  public func addAttribute(_ value: String, forKey key: String) {
    content.withLock { $0.attributes[key] = .string(value) }
  }

  /// Sets a metric; a truth value is 1 or 0, and what is no number is left out.
  public func addMetric(_ value: NSNumber, forKey key: String) {
    let metric = PropertyValue(bridging: value)
    content.withLock { $0.metrics[key] = metric }
  }

  /// The attribute of a key; nil if there is none.
  public func attribute(forKey key: String) -> String? {
    guard case .string(let text)? = values.attributes[key] else { return nil }
    return text
  }

  /// The metric of a key; nil if there is none.
  public func metric(forKey key: String) -> NSNumber? { values.metrics[key]?.metric }

  /// Whether there is an attribute of a key.
  public func hasAttribute(forKey key: String) -> Bool { attribute(forKey: key) != nil }

  /// Whether there is a metric of a key.
  public func hasMetric(forKey key: String) -> Bool { metric(forKey: key) != nil }

  /// All attributes.
  public func allAttributes() -> [String: String] {
    var all: [String: String] = [:]
    for (key, value) in values.attributes {
      if case .string(let text) = value { all[key] = text }
    }
    return all
  }

  /// All metrics.
  public func allMetrics() -> [String: NSNumber] {
    var all: [String: NSNumber] = [:]
    for (key, value) in values.metrics { all[key] = value.metric }
    return all
  }

  /// The event as a dictionary of `event_type`, `timestamp`, `attributes` and `metrics`.
  public func toDictionary() -> [AnyHashable: Any] {
    [
      "event_type": eventType, "timestamp": NSNumber(value: eventTimestamp),
      "attributes": allAttributes(), "metrics": allMetrics(),
    ]
  }
}

extension PropertyValue {
  fileprivate var metric: NSNumber? {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .boolean(let isTrue): NSNumber(value: isTrue)
    default: nil
    }
  }
}
