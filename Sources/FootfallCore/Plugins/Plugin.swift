/// Code of the app's own that sees the client's events, and may change or drop them.
///
/// All but `setUp` run on the client's own thread, one after the other; time taken there delays
/// delivery, never the caller of `track`. A plugin may call the client back, but must not wait for it.
public protocol Plugin: AnyObject, Sendable {
  /// Tells plugins apart: a second one of the same name is not added; nil for one without a name.
  var name: String? { get }
  /// Where in an event's way it stands.
  var stage: PluginStage { get }

  /// The plugin was added to a client; on the thread of that call, before it returns.
  ///
  /// A plugin that keeps the host keeps it weakly: the client keeps the plugin.
  func setUp(_ host: any PluginHost)
  /// The plugin was removed, and the events tracked before that have passed; called once.
  ///
  /// On the thread of the removal if the client was shut down before.
  func tearDown()
  /// An event passes; the event as it goes on, or nil to drop it.
  ///
  /// For the stages `before` and `enrichment` only. An event dropped here is counted as
  /// `DropReason.plugin`.
  func process(_ event: Event) -> Event?
  /// An event arrives; for the stage `destination` only.
  func receive(_ event: Event)
  /// Someone called `flush()`; for the stage `destination` only.
  func flush()
  /// Another user is signed in, or none.
  func userChanged(_ userID: String?)
  /// The device's id is another one.
  func deviceChanged(_ deviceID: String?)
  /// The user, the device or the person's properties changed; after the two above.
  func identityChanged(_ userID: String?, _ deviceID: String?, _ userProperties: Properties)
  /// Another session is open, or none.
  func sessionChanged(_ sessionID: SessionID?)
  /// Collection was switched on or off.
  func collectionChanged(_ isOn: Bool)
  /// The identity was reset.
  func reset()
}

/// Where in an event's way a plugin stands; within a stage, in the order they were added.
public enum PluginStage: Int, Sendable, Hashable, CaseIterable {
  /// Before the context is filled in.
  case before
  /// After it, before the destinations.
  case enrichment
  /// Receives what is left, beside the client's own destinations.
  case destination
  /// Sees no events; the rest of the app's glue.
  case utility
  /// Hears of changes only.
  case observe
}

/// What a plugin can ask of its client.
public protocol PluginHost: AnyObject, Sendable {
  /// Tracks an event, as the client does.
  func track(_ name: EventName, _ properties: Properties, _ options: EventOptions?)
  /// Changes the person's properties, as the client does.
  func identify(_ operations: IdentifyOperations, _ options: EventOptions?)
  /// The device's id; nil until it is known.
  var deviceID: String? { get }
  /// The signed-in user.
  var userID: String? { get }
  /// The open session.
  var sessionID: SessionID? { get }
}

extension Plugin {
  /// No name unless the plugin has one.
  public var name: String? { nil }
  /// Nothing to set up unless the plugin says otherwise.
  public func setUp(_ host: any PluginHost) {}
  /// Nothing to take down unless the plugin says otherwise.
  public func tearDown() {}
  /// Passes the event on unchanged unless the plugin says otherwise.
  public func process(_ event: Event) -> Event? { event }
  /// Ignores the event unless the plugin says otherwise.
  public func receive(_ event: Event) {}
  /// Nothing to flush unless the plugin says otherwise.
  public func flush() {}
  /// Ignores the change unless the plugin says otherwise.
  public func userChanged(_ userID: String?) {}
  /// Ignores the change unless the plugin says otherwise.
  public func deviceChanged(_ deviceID: String?) {}
  /// Ignores the change unless the plugin says otherwise.
  public func identityChanged(
    _ userID: String?,
    _ deviceID: String?,
    _ userProperties: Properties
  ) {}
  /// Ignores the change unless the plugin says otherwise.
  public func sessionChanged(_ sessionID: SessionID?) {}
  /// Ignores the change unless the plugin says otherwise.
  public func collectionChanged(_ isOn: Bool) {}
  /// Ignores the reset unless the plugin says otherwise.
  public func reset() {}
}
