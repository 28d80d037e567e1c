#if canImport(ObjectiveC)
public import Foundation

/// Something that happened: `AMPBaseEvent`.
@objc(AMPBaseEvent)
public class ObjCBaseEvent: ObjCEventOptions {
  let event: BaseEvent

  /// An event by its name.
  @objc(initWithEventType:)
  public static func initWithEventType(_ eventType: String) -> ObjCBaseEvent {
    ObjCBaseEvent(eventType: eventType)
  }

  /// An event by its name, with what else there is to say.
  @objc(initWithEventType:eventProperties:)
  public static func initWithEventType(
    _ eventType: String,
    eventProperties: [String: Any]?
  ) -> ObjCBaseEvent {
    ObjCBaseEvent(eventType: eventType, eventProperties: eventProperties)
  }

  /// An event by its name.
  @objc(initWithEventType:)
  public convenience init(eventType: String) {
    self.init(BaseEvent(eventType: eventType))
  }

  /// An event by its name, with what else there is to say.
  @objc(initWithEventType:eventProperties:)
  public convenience init(eventType: String, eventProperties: [String: Any]?) {
    self.init(BaseEvent(eventType: eventType, eventProperties: eventProperties))
  }

  init(_ event: BaseEvent) {
    self.event = event
    super.init(event)
  }

  /// What happened.
  @objc public var eventType: String { event.eventType }
  /// What else there is to say; changes count.
  @objc public var eventProperties: ObjCProperties {
    ObjCProperties(event, \.eventProperties)
  }
  /// What is known of the user from here on; changes count.
  @objc public var userProperties: ObjCProperties { ObjCProperties(event, \.userProperties) }
  /// The groups it belongs to; changes count.
  @objc public var groups: ObjCProperties { ObjCProperties(event, \.groups) }
  /// Of a change to a group, operations by name; changes count.
  @objc public var groupProperties: ObjCProperties { ObjCProperties(event, \.groupProperties) }
}

/// Properties of an event, which can be changed one by one: `AMPProperties`.
@objc(AMPProperties)
public final class ObjCProperties: NSObject {
  private let event: BaseEvent
  private let path: ReferenceWritableKeyPath<BaseEvent, [String: Any]?>

  init(_ event: BaseEvent, _ path: ReferenceWritableKeyPath<BaseEvent, [String: Any]?>) {
    self.event = event
    self.path = path
  }

  /// The value of a property; nil if there is none.
  @objc(get:) public func get(_ key: String) -> Any? { event[keyPath: path]?[key] }

  /// Sets a property; nil removes it.
  @objc(set:value:) public func set(_ key: String, value: Any?) {
    var properties = event[keyPath: path] ?? [:]
    properties[key] = value
    event[keyPath: path] = properties
  }

  /// Removes a property.
  @objc(remove:) public func remove(_ key: String) { set(key, value: nil) }
}

/// A link opened the app: `AMPDeepLinkOpenedEvent`.
@objc(AMPDeepLinkOpenedEvent)
public final class ObjCDeepLinkOpenedEvent: ObjCBaseEvent {
  /// A link as text.
  @objc(initWithUrl:)
  public static func initWithUrl(_ url: String) -> ObjCDeepLinkOpenedEvent {
    ObjCDeepLinkOpenedEvent(DeepLinkOpenedEvent(url: url))
  }

  /// A link as text, and where it was followed.
  @objc(initWithUrl:referrer:)
  public static func initWithUrl(_ url: String, referrer: String?) -> ObjCDeepLinkOpenedEvent {
    ObjCDeepLinkOpenedEvent(DeepLinkOpenedEvent(url: url, referrer: referrer))
  }

  /// What the system hands over.
  @objc(initWithActivity:)
  public static func initWithActivity(_ activity: NSUserActivity) -> ObjCDeepLinkOpenedEvent {
    ObjCDeepLinkOpenedEvent(DeepLinkOpenedEvent(activity: activity))
  }
}

/// A screen was shown: `AMPScreenViewedEvent`.
@objc(AMPScreenViewedEvent)
public final class ObjCScreenViewedEvent: ObjCBaseEvent {
  /// A screen by its name.
  @objc(initWithScreenName:)
  public static func initWithScreenName(_ screenName: String) -> ObjCScreenViewedEvent {
    ObjCScreenViewedEvent(ScreenViewedEvent(screenName: screenName))
  }
}
#endif
