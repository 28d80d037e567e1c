/// Where in an event's way a plugin stands; within a stage, in the order they were added.
#if canImport(ObjectiveC)
@objc(AMPPluginType)
#endif
public enum PluginType: Int, Sendable, Hashable, CaseIterable {
  /// Before the context is filled in.
  case before
  /// After it, before the destinations.
  case enrichment
  /// Receives what is left, beside the upload.
  case destination
  /// Sees no events; runs set-up code with the client at hand.
  case utility
  /// Hears of changes only.
  case observe
}

/// Code of the app's own that sees a client's events, and may change or drop them.
///
/// `setup(amplitude:)` runs on the thread of `add(plugin:)`, before that returns; everything else on the
/// client's own thread, one after the other. Time taken there delays delivery, never the caller of
/// `track`. A plugin that keeps the client keeps it weakly: the client keeps the plugin.
public protocol Plugin: UniversalPlugin {
  /// Where it stands.
  var type: PluginType { get }
  /// The plugin was added to a client.
  func setup(amplitude: Amplitude)
  /// An event passes: as it goes on, or nil to drop it; for the types `before`, `enrichment` and
  /// `destination`.
  func execute(event: BaseEvent) -> BaseEvent?
  /// Another user is signed in, or none.
  func onUserIdChanged(_ userId: String?)
  /// The device's id is another one.
  func onDeviceIdChanged(_ deviceId: String?)
  /// Another session is open, by its start in milliseconds since 1970; -1 for none.
  func onSessionIdChanged(_ sessionId: Int64)
  /// Collection was switched off or on.
  func onOptOutChanged(_ optOut: Bool)
}

extension Plugin {
  /// Nothing to set up unless the plugin says otherwise.
  public func setup(amplitude: Amplitude) {}
  /// Passes the event on unchanged unless the plugin says otherwise.
  public func execute(event: BaseEvent) -> BaseEvent? { event }
  /// Ignores the change unless the plugin says otherwise.
  public func onUserIdChanged(_ userId: String?) {}
  /// Ignores the change unless the plugin says otherwise.
  public func onDeviceIdChanged(_ deviceId: String?) {}
  /// Ignores the change unless the plugin says otherwise.
  public func onSessionIdChanged(_ sessionId: Int64) {}
  /// Ignores the change unless the plugin says otherwise.
  public func onOptOutChanged(_ optOut: Bool) {}
}

/// A plugin with a method for each kind of event, as destinations have.
public protocol EventPlugin: Plugin {
  /// An event of the app's or the library's own, or a change to a group.
  func track(event: BaseEvent) -> BaseEvent?
  /// A change to the user's properties.
  func identify(event: IdentifyEvent) -> IdentifyEvent?
  /// A change to a group's properties, for who calls it; a client tells of those by `track(event:)`.
  func groupIdentify(event: GroupIdentifyEvent) -> GroupIdentifyEvent?
  /// Money was earned.
  func revenue(event: RevenueEvent) -> RevenueEvent?
  /// Someone called `flush()`.
  func flush()
}

extension EventPlugin {
  /// Passes the event on unless the plugin says otherwise.
  public func track(event: BaseEvent) -> BaseEvent? { event }
  /// Passes the event on unless the plugin says otherwise.
  public func identify(event: IdentifyEvent) -> IdentifyEvent? { event }
  /// Passes the event on unless the plugin says otherwise.
  public func groupIdentify(event: GroupIdentifyEvent) -> GroupIdentifyEvent? { event }
  /// Passes the event on unless the plugin says otherwise.
  public func revenue(event: RevenueEvent) -> RevenueEvent? { event }
  /// Nothing to flush unless the plugin says otherwise.
  public func flush() {}

  /// Hands an event to the method for its kind.
  ///
  /// Source: `amplitude.md` section 2.9, "Destination kinds".
  func receive(_ event: BaseEvent) -> BaseEvent? {
    switch event {
    case let event as IdentifyEvent: identify(event: event)
    case let event as RevenueEvent: revenue(event: event)
    default: track(event: event)
    }
  }
}
