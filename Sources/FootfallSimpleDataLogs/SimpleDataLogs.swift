public import Foundation

/// The calls of SimpleDataLogs' Swift SDK, on Footfall's engine.
///
/// An app that was written for it changes `import SimpleDataLogs` to `import FootfallSimpleDataLogs`.
/// Events go to SimpleDataLogs' service, or by `endpoint` to a Footfall server. Every call may come from any
/// thread or actor, returns at once unless it is `async`, and neither throws nor crashes the app.
///
/// ```swift
/// import FootfallSimpleDataLogs
///
/// SimpleDataLogs.setEnabled(true)
/// SimpleDataLogs.configure(ingestKey: "sdl_pub_…", autocapture: .all)
/// SimpleDataLogs.track("order_paid", properties: ["amount": 12.5])
/// ```
public enum SimpleDataLogs {
  private static let client = SimpleDataLogsClient()

  /// Starts the SDK; only the first call counts, later ones are ignored with a line in the log.
  ///
  /// What was tracked before is kept, up to 5,000 events. An empty key leaves the SDK unstarted.
  ///
  /// - Parameters:
  ///   - ingestKey: The project's public key, `sdl_pub_…`; another one is used with a warning.
  ///   - endpoint: The server's address, to which `/v1/events` is added; SimpleDataLogs' own unless
  ///     given. A Footfall server that knows the key takes the same requests.
  ///   - autocapture: What is told without a call; nothing unless given.
  ///   - sessionMode: When a session ends; `.activation` unless given.
  ///   - crashReasonRedaction: What is taken out of the reasons of crashes; nothing unless given.
  ///   - activity: Whether events say that the user was active; they do unless given.
  public static func configure(
    ingestKey: String,
    endpoint: URL = SimpleDataLogs.defaultEndpoint,
    autocapture: Autocapture = [],
    sessionMode: SessionMode = .activation,
    crashReasonRedaction: CrashReasonRedaction? = nil,
    activity: Activity = .automatic
  ) {
    client.configure(
      ingestKey: ingestKey,
      endpoint: endpoint,
      autocapture: autocapture,
      sessionMode: sessionMode,
      crashReasonRedaction: crashReasonRedaction,
      activity: activity
    )
  }

  /// Sends every event to another server too, with a queue of its own; to be called before `configure`.
  ///
  /// Not a call of SimpleDataLogs' own SDK: for an app that moves, and compares both for a while. What
  /// one server refuses or delays, the other gets all the same.
  ///
  /// - Parameters:
  ///   - endpoint: The other server's address, to which `/v1/events` is added.
  ///   - ingestKey: The key that it knows the project by.
  public static func mirror(to endpoint: URL, ingestKey: String) {
    client.mirror(to: endpoint, ingestKey: ingestKey)
  }

  /// The address of SimpleDataLogs' service, `https://edge.simpledatalogs.com`.
  public static var defaultEndpoint: URL { SimpleDataLogsClient.defaultEndpoint }

  // MARK: Events

  /// Records one event; its id and time are those of the call.
  ///
  /// - Parameters:
  ///   - name: What happened; not empty, and cut at 256 characters.
  ///   - properties: What else there is to say; NaN and infinities are left out.
  public static func track(_ name: String, properties: [String: PropertyValue] = [:]) {
    client.track(name, properties: properties)
  }

  /// Records an event that happened earlier, such as one kept until the user agreed.
  ///
  /// It moves no session, and says nothing of activity.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - properties: What else there is to say.
  ///   - time: When; up to 3,650 days back. Older is dropped with a line in the log, and a time in the
  ///     future makes it an event of now.
  ///   - eventID: An id of the app's own, by which a resend counts once; a new one unless given.
  public static func track(
    _ name: String,
    properties: [String: PropertyValue] = [:],
    at time: Date,
    eventID: UUID? = nil
  ) {
    client.track(name, properties: properties, at: time, eventID: eventID)
  }

  /// Records an event of now with an id of the app's own, by which a resend counts once.
  public static func track(
    _ name: String,
    properties: [String: PropertyValue] = [:],
    eventID: UUID
  ) {
    client.track(name, properties: properties, eventID: eventID)
  }

  /// Records that a screen was shown: `screen_view` with a property `screen`, unless the caller has
  /// one of that name.
  public static func trackScreen(_ name: String, properties: [String: PropertyValue] = [:]) {
    client.trackScreen(name, properties: properties)
  }

  /// Sets the device of every later event, or with `nil` or an empty text takes it away.
  ///
  /// Not kept over launches. Use an opaque id, never an e-mail address.
  public static func setDeviceID(_ id: String?) {
    client.setDeviceID(id)
  }

  /// Puts properties on every later event, in the place of those set before; an event's own wins.
  public static func setDefaultProperties(_ properties: [String: PropertyValue]) {
    client.setDefaultProperties(properties)
  }

  // MARK: The opt-out

  /// Switches collection off or on; on unless said.
  ///
  /// Off ignores new events and deletes every unsent one and a saved crash, within a second at most.
  /// The choice is not stored: pass it at every launch, before `configure`.
  public static func setEnabled(_ isEnabled: Bool) {
    client.setEnabled(isEnabled)
  }

  /// The same as `setEnabled(false)`.
  public static func disable() {
    client.setEnabled(false)
  }

  /// Ignores new events at once, sends what was tracked before once more, then switches collection off
  /// and deletes the rest.
  ///
  /// - Parameter timeLimit: The longest to try to send, in seconds; 10 unless given, 0 for not at all.
  public static func flushAndDisable(timeLimit: TimeInterval = 10) async {
    await client.flushAndDisable(timeLimit: timeLimit)
  }

  /// As the `async` form; `completion` is called once when it is over, on a thread of the SDK's own.
  public static func flushAndDisable(
    timeLimit: TimeInterval = 10,
    completion: @escaping @Sendable () -> Void
  ) {
    client.flushAndDisable(timeLimit: timeLimit, completion: completion)
  }

  // MARK: Sending

  /// Sends everything tracked so far, and returns when that attempt ends.
  ///
  /// What is not delivered stays on disk. While the key is refused, or the server asked for a rest,
  /// it returns without a request.
  public static func flush() async {
    await client.flush()
  }
}
