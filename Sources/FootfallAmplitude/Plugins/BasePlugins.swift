import FootfallSystem

/// What plugins that are subclasses have in common: the client, and methods to override.
open class BasePlugin {
  private let host = Lock<WeakAmplitude>(WeakAmplitude())

  /// The client, once the plugin was added; nil when it is gone.
  public var amplitude: Amplitude? { host.withLock { $0.amplitude } }

  /// A plugin that was not added yet.
  public init() {}

  /// The plugin was added; on the thread of that call.
  ///
  /// An override calls `super`, or `amplitude` stays nil.
  open func setup(amplitude: Amplitude) {
    host.withLock { $0.amplitude = amplitude }
  }

  /// An event passes: as it goes on, or nil to drop it.
  open func execute(event: BaseEvent) -> BaseEvent? { event }
  /// The plugin was removed.
  open func teardown() {}
  /// Another user is signed in, or none.
  open func onUserIdChanged(_ userId: String?) {}
  /// The device's id is another one.
  open func onDeviceIdChanged(_ deviceId: String?) {}
  /// Another session is open, by its start in milliseconds since 1970; -1 for none.
  open func onSessionIdChanged(_ sessionId: Int64) {}
  /// Collection was switched off or on.
  open func onOptOutChanged(_ optOut: Bool) {}
}

/// A client that is not kept by who refers to it.
private struct WeakAmplitude: Sendable {
  weak var amplitude: Amplitude?
}

/// Sees events first, before the context is filled in; may change or drop them.
open class BeforePlugin: BasePlugin, Plugin {
  /// `before`.
  public let type = PluginType.before
}

/// Sees events with their context; may change or drop them.
open class EnrichmentPlugin: BasePlugin, Plugin {
  /// `enrichment`.
  public let type = PluginType.enrichment
}

/// Sees no events; runs set-up code with the client at hand.
open class UtilityPlugin: BasePlugin, Plugin {
  /// `utility`.
  public let type = PluginType.utility
}

/// Hears of changes of user, device, session and opting out; sees no events.
open class ObservePlugin: BasePlugin, Plugin {
  /// `observe`.
  public let type = PluginType.observe
}

/// Receives every event that the other plugins left, beside the upload.
///
/// Override the methods for the kinds that are wanted. It may have plugins of its own, which see events
/// before it does; what they change is seen by nobody else.
open class DestinationPlugin: BasePlugin, EventPlugin {
  /// `destination`.
  public let type = PluginType.destination
  private let own = Timeline()

  /// An event of the app's or the library's own, or a change to a group.
  open func track(event: BaseEvent) -> BaseEvent? { event }
  /// A change to the user's properties.
  open func identify(event: IdentifyEvent) -> IdentifyEvent? { event }
  /// A change to a group's properties, for who calls it; a client tells of those by `track(event:)`.
  open func groupIdentify(event: GroupIdentifyEvent) -> GroupIdentifyEvent? { event }
  /// Money was earned.
  open func revenue(event: RevenueEvent) -> RevenueEvent? { event }
  /// Someone called `flush()` of the client.
  open func flush() {}

  /// Lets the plugins of its own see an event, and hands it to the method for its kind.
  open override func execute(event: BaseEvent) -> BaseEvent? {
    own.process(event: event).flatMap { receive($0) }
  }

  /// Adds a plugin of its own, of the type `before` or `enrichment`.
  @discardableResult public func add(plugin: any Plugin) -> any Plugin {
    if let amplitude { plugin.setup(amplitude: amplitude) }
    own.add(plugin: plugin)
    return plugin
  }

  /// Removes a plugin of its own.
  public func remove(plugin: any Plugin) {
    own.remove(plugin: plugin)
  }

  /// Calls a closure with each plugin of its own.
  public func apply(closure: (any Plugin) -> Void) {
    own.apply(closure)
  }
}
