#if canImport(ObjectiveC)
package import FootfallPlatform
import FootfallSystem
public import Foundation

/// The client, as Objective-C sees it: `Amplitude`.
@objc(Amplitude)
public final class ObjCAmplitude: NSObject, @unchecked Sendable {
  // Sendable: the client is, and the rest is behind a lock.
  private let amplitude: Amplitude
  private let own: ObjCConfiguration
  private let plugins = Lock<Wrappers>(Wrappers())

  /// Plugins of blocks, by what the app knows of them.
  private struct Wrappers: @unchecked Sendable {
    // Sendable: the wrappers are the pipeline's to call.
    var byPlugin: [ObjectIdentifier: ObjCPluginWrapper] = [:]
  }

  /// A client for a configuration.
  @objc(initWithConfiguration:)
  public static func initWithConfiguration(_ configuration: ObjCConfiguration) -> ObjCAmplitude {
    ObjCAmplitude(configuration: configuration)
  }

  /// A client for a configuration.
  @objc(initWithConfiguration:)
  public convenience init(configuration: ObjCConfiguration) {
    self.init(configuration: configuration, environment: nil)
  }

  /// A client in a given world, for tests; nil for the real one.
  package init(configuration: ObjCConfiguration, environment: Environment?) {
    own = configuration
    amplitude = Amplitude(configuration: configuration.configuration, environment: environment)
  }

  /// The client as Swift sees it, for tests.
  package var inSwift: Amplitude { amplitude }

  /// How it was set up.
  @objc public var configuration: ObjCConfiguration { own }

  // MARK: Events

  /// Says that something happened.
  @objc(track:) @discardableResult
  public func track(_ event: ObjCBaseEvent) -> ObjCAmplitude {
    amplitude.track(event: event.event)
    return self
  }

  /// Says that something happened, and hears what the server said of it.
  @objc(track:callback:) @discardableResult
  public func track(_ event: ObjCBaseEvent, callback: ObjCEventCallback?) -> ObjCAmplitude {
    track(event, options: nil, callback: callback)
  }

  /// Says that something happened, with what it says differently.
  @objc(track:options:) @discardableResult
  public func track(_ event: ObjCBaseEvent, options: ObjCEventOptions?) -> ObjCAmplitude {
    track(event, options: options, callback: nil)
  }

  /// Says that something happened, with what it says differently, and hears what the server said.
  @objc(track:options:callback:) @discardableResult
  public func track(
    _ event: ObjCBaseEvent,
    options: ObjCEventOptions?,
    callback: ObjCEventCallback?
  ) -> ObjCAmplitude {
    amplitude.track(
      event: event.event,
      options: options?.options,
      callback: callback.forSwift
    )
    return self
  }

  /// Says that something happened, by name.
  @objc(track:eventProperties:) @discardableResult
  public func track(_ eventType: String, eventProperties: [String: Any]?) -> ObjCAmplitude {
    amplitude.track(eventType: eventType, eventProperties: eventProperties, options: nil)
    return self
  }

  /// Says that something happened, by name, with what it says differently.
  @objc(track:eventProperties:options:) @discardableResult
  public func track(
    _ eventType: String,
    eventProperties: [String: Any]?,
    options: ObjCEventOptions?
  ) -> ObjCAmplitude {
    amplitude.track(
      eventType: eventType,
      eventProperties: eventProperties,
      options: options?.options
    )
    return self
  }

  /// Says that money was earned.
  @objc(revenue:) @discardableResult
  public func revenue(_ revenue: ObjCRevenue) -> ObjCAmplitude {
    self.revenue(revenue, options: nil)
  }

  /// Says that money was earned, with what the event says differently.
  @objc(revenue:options:) @discardableResult
  public func revenue(_ revenue: ObjCRevenue, options: ObjCEventOptions?) -> ObjCAmplitude {
    amplitude.revenue(revenue: revenue.content, options: options?.options)
    return self
  }

  // MARK: Who

  /// Changes properties of the user.
  @objc(identify:) @discardableResult
  public func identify(_ identify: ObjCIdentify) -> ObjCAmplitude {
    self.identify(identify, options: nil)
  }

  /// Changes properties of the user, with what the event says differently.
  @objc(identify:options:) @discardableResult
  public func identify(_ identify: ObjCIdentify, options: ObjCEventOptions?) -> ObjCAmplitude {
    amplitude.identify(identify: identify.identify, options: options?.options)
    return self
  }

  /// Changes properties of a group.
  @objc(groupIdentify:groupName:identify:) @discardableResult
  public func groupIdentify(
    _ groupType: String,
    groupName: String,
    identify: ObjCIdentify
  ) -> ObjCAmplitude {
    groupIdentify(groupType, groupName: groupName, identify: identify, options: nil)
  }

  /// Changes properties of a group, with what the event says differently.
  @objc(groupIdentify:groupName:identify:options:) @discardableResult
  public func groupIdentify(
    _ groupType: String,
    groupName: String,
    identify: ObjCIdentify,
    options: ObjCEventOptions?
  ) -> ObjCAmplitude {
    amplitude.groupIdentify(
      groupType: groupType,
      groupName: groupName,
      identify: identify.identify,
      options: options?.options
    )
    return self
  }

  /// Puts the user into a group.
  @objc(setGroup:groupName:) @discardableResult
  public func setGroup(_ groupType: String, groupName: String) -> ObjCAmplitude {
    setGroup(groupType, groupName: groupName, options: nil)
  }

  /// Puts the user into a group, with what the event says differently.
  @objc(setGroup:groupName:options:) @discardableResult
  public func setGroup(
    _ groupType: String,
    groupName: String,
    options: ObjCEventOptions?
  ) -> ObjCAmplitude {
    amplitude.setGroup(groupType: groupType, groupName: groupName, options: options?.options)
    return self
  }

  /// Puts the user into groups of a type.
  @objc(setGroup:groupNames:) @discardableResult
  public func setGroup(_ groupType: String, groupNames: [String]) -> ObjCAmplitude {
    setGroup(groupType, groupNames: groupNames, options: nil)
  }

  /// Puts the user into groups of a type, with what the event says differently.
  @objc(setGroup:groupNames:options:) @discardableResult
  public func setGroup(
    _ groupType: String,
    groupNames: [String],
    options: ObjCEventOptions?
  ) -> ObjCAmplitude {
    amplitude.setGroup(groupType: groupType, groupName: groupNames, options: options?.options)
    return self
  }

  /// Sets the user of every event after this call; nil for nobody.
  @objc(setUserId:) @discardableResult
  public func setUserId(_ userId: String?) -> ObjCAmplitude {
    amplitude.setUserId(userId: userId)
    return self
  }

  /// Sets the device of every event after this call.
  @objc(setDeviceId:) @discardableResult
  public func setDeviceId(_ deviceId: String?) -> ObjCAmplitude {
    amplitude.setDeviceId(deviceId: deviceId)
    return self
  }

  /// The signed-in user.
  @objc public func getUserId() -> String? { amplitude.getUserId() }
  /// The device's id.
  @objc public func getDeviceId() -> String? { amplitude.getDeviceId() }
  /// The open session; -1 for none.
  @objc public func getSessionId() -> Int64 { amplitude.getSessionId() }

  /// Ends the open session and begins the one of this start, in milliseconds since 1970.
  @objc(setSessionId:) @discardableResult
  public func setSessionId(_ timestamp: Int64) -> ObjCAmplitude {
    amplitude.setSessionId(timestamp: timestamp)
    return self
  }

  /// Begins anew, as after signing out.
  @objc @discardableResult public func reset() -> ObjCAmplitude {
    amplitude.reset()
    return self
  }

  /// Sends what is stored.
  @objc @discardableResult public func flush() -> ObjCAmplitude {
    amplitude.flush()
    return self
  }

  // MARK: Plugins

  /// Adds a plugin: an `AMPPlugin`, or one that was written in Swift.
  @objc(add:) @discardableResult
  public func add(_ plugin: NSObject) -> ObjCAmplitude {
    if let plugin = plugin as? ObjCPlugin {
      let wrapper = ObjCPluginWrapper(plugin, of: self)
      plugins.withLock { [box = Wrappers(byPlugin: [ObjectIdentifier(plugin): wrapper])] in
        $0.byPlugin.merge(box.byPlugin) { _, new in new }
      }
      amplitude.add(plugin: wrapper)
    } else if let plugin = plugin as? any UniversalPlugin {
      amplitude.add(plugin: plugin)
    }
    return self
  }

  /// Removes this very plugin.
  @objc(remove:) @discardableResult
  public func remove(_ plugin: NSObject) -> ObjCAmplitude {
    let identity = ObjectIdentifier(plugin)
    let taken = plugins.withLock { kept in
      var taken = Wrappers()
      taken.byPlugin[identity] = kept.byPlugin.removeValue(forKey: identity)
      return taken
    }
    if let wrapper = taken.byPlugin[identity] {
      amplitude.remove(plugin: wrapper)
    } else if let plugin = plugin as? any UniversalPlugin {
      amplitude.remove(plugin: plugin)
    }
    return self
  }
}
#endif
