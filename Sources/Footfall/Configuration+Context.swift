public import FootfallCore

extension FootfallClient {
  /// What events say about app, device and place without being told.
  public struct Context: Sendable, Hashable {
    /// Fields that are not collected; none unless changed.
    ///
    /// What an event or a plugin says itself stays. The library's own name, `.library`, and the
    /// family of system, `.platform`, are always sent: without them no batch could be read.
    public var withheld: Set<ContextField> = []
    /// The app's version, such as `4.2.0`; nil for that of the bundle, which a Linux process has not.
    public var appVersion: String?
    /// The app's build, such as `881`; nil for that of the bundle, which a Linux process has not.
    public var build: String?
    /// Whether the app is for children; false unless changed.
    ///
    /// Then neither ids of vendor and advertisers nor the sender's address, city and coordinates
    /// are collected, whatever else is said here.
    public var isForChildren = false

    /// Everything that is known.
    public init() {}
  }

  /// Whether events say that the user was active.
  ///
  /// If so, they carry `app_state`, which is `active` or `background`, and `engaged_ms`: how long
  /// the app was in front since the event before, in milliseconds. Back-dated events carry neither.
  public struct Activity: Sendable, Hashable {
    private let isOn: Bool

    /// Events say nothing of it.
    public static let off = Activity(isOn: false)
    /// Found by what the system tells: the app's window in front, on a Mac also keyboard and mouse.
    public static let automatic = Activity(isOn: true)
  }

  /// What becomes of people's wish not to be counted.
  public struct Consent: Sendable, Hashable {
    /// What becomes of stored events when collection is switched off; deleted unless changed.
    public var unsentEvents = UnsentEvents.deleted

    /// Off means off: what was stored goes.
    public init() {}

    /// What becomes of stored events when collection is switched off.
    public struct UnsentEvents: Sendable, Hashable {
      let areSent: Bool

      /// They are deleted, and nothing leaves the device any more.
      public static let deleted = UnsentEvents(areSent: false)
      /// They are still sent; only new events are not taken.
      public static let sent = UnsentEvents(areSent: true)
    }
  }
}
