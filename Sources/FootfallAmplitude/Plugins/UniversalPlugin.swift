/// Who the events of a client belong to, as plugins see it.
public protocol AnalyticsIdentity {
  /// The signed-in user; nil for none.
  var userId: String? { get }
  /// The device; nil for none.
  var deviceId: String? { get }
  /// What is known of the user on this device.
  var userProperties: [String: Any] { get }
}

/// An event, as a plugin for several products sees it.
public protocol AnalyticsEvent {
  /// What happened.
  var eventType: String { get }
  /// What else there is to say; nil for nothing.
  var eventProperties: [String: Any]? { get set }
}

/// What a plugin for several products can ask of its client.
public protocol AnalyticsClient<Identity>: AnyObject {
  /// Who the events belong to.
  associatedtype Identity: AnalyticsIdentity
  /// Who the events belong to now.
  var identity: Identity { get }
  /// The open session, in milliseconds since 1970; -1 for none.
  var sessionId: Int64 { get }
  /// Whether no event is taken.
  var optOut: Bool { get }
  /// Says that something happened.
  func track(eventType: String, eventProperties: [String: Any]?)
}

/// What belongs to one client and its plugins.
public final class AmplitudeContext: Sendable {
  /// The project's key.
  public let apiKey: String
  /// The instance's name.
  public let instanceName: String
  /// The region.
  public let serverZone: ServerZone

  init(apiKey: String, instanceName: String, serverZone: ServerZone) {
    self.apiKey = apiKey
    self.instanceName = instanceName
    self.serverZone = serverZone
  }
}

/// Code of the app's own that sees a client's events, whichever product the client is.
///
/// `setup` runs on the thread of `add(plugin:)`; everything else on the client's own, one after the
/// other. Every method does nothing unless the plugin has one.
public protocol UniversalPlugin: AnyObject {
  /// Tells plugins apart: a second one of the same name is not added; nil for none.
  var name: String? { get }
  /// The plugin was added.
  func setup(analyticsClient: any AnalyticsClient, amplitudeContext: AmplitudeContext)
  /// An event passes, and may be changed.
  func execute<Event: AnalyticsEvent>(_ event: inout Event)
  /// The plugin was removed.
  func teardown()
  /// The user, the device or the user's properties changed.
  func onIdentityChanged(_ identity: any AnalyticsIdentity)
  /// Another session is open, by its start in milliseconds since 1970; -1 for none.
  func onSessionIdChanged(_ sessionId: Int64)
  /// Collection was switched off or on.
  func onOptOutChanged(_ optOut: Bool)
  /// The identity was reset.
  func onReset()
}

extension UniversalPlugin {
  /// No name unless the plugin has one.
  public var name: String? { nil }
  /// Nothing to set up unless the plugin says otherwise.
  public func setup(analyticsClient: any AnalyticsClient, amplitudeContext: AmplitudeContext) {}
  /// Leaves the event as it is unless the plugin says otherwise.
  public func execute<Event: AnalyticsEvent>(_ event: inout Event) {}
  /// Nothing to take down unless the plugin says otherwise.
  public func teardown() {}
  /// Ignores the change unless the plugin says otherwise.
  public func onIdentityChanged(_ identity: any AnalyticsIdentity) {}
  /// Ignores the change unless the plugin says otherwise.
  public func onSessionIdChanged(_ sessionId: Int64) {}
  /// Ignores the change unless the plugin says otherwise.
  public func onOptOutChanged(_ optOut: Bool) {}
  /// Ignores the reset unless the plugin says otherwise.
  public func onReset() {}
}
