package import FootfallCore

/// What callers and the platform leave for the pipeline, in the order in which it happened.
package enum PipelineInput: Sendable {
  /// An event was tracked; it carries its own moment.
  case event(StampedEvent)
  /// Anything else, with the moment it happened.
  case change(Change, at: Moment)

  /// What can happen besides events.
  package enum Change: Sendable {
    /// The client was started, once.
    ///
    /// Whose the events are, default properties and plugins may be said before; events that were
    /// tracked before wait for it.
    case launch(Launch)
    /// Whose the events are changed; `IdentityCore.Input.launch` is the very first input of all.
    case identity(IdentityCore.Input)
    /// The app goes on as a new device: the session ends, and what waits for the launch or the first
    /// identify is dropped.
    case reset
    /// The app speaks of sessions: start, replace, end, pause, resume.
    case session(SessionCore.Input)
    /// The app came to the front or left it.
    case presence(Presence)
    /// The keyboard or mouse was used so many milliseconds ago.
    case userInput(millisecondsAgo: Int64)
    /// What is known of the device is to be sent.
    case profile
    /// What the app says of itself on every event from here on.
    case appContext(EventContext)
    /// These properties go on every event from here on.
    case defaultProperties(Properties)
    /// A plugin joins; it is set up already.
    case addPlugin(any Plugin)
    /// A plugin leaves, and is torn down.
    case removePlugin(any Plugin)
    /// Collection was switched on or off.
    case collecting(Bool)
    /// What the library does by itself from here on, as the app chose it and the server changed it.
    case features(FeatureSet)
    /// A server took an event of the client's own.
    case delivered
    /// The process is about to end.
    case terminate
    /// Something that waits for time may be due.
    case timePassed
  }

  /// How the client began.
  package struct Launch: Sendable {
    /// Where the app is, and how the process before ended.
    package var session: SessionCore.Launch
    /// Whether the client never ran on this device before.
    package var isFirst: Bool
    /// Which version of the app it is.
    package var app: AppVersion
    /// The report of the crash that ended the process before, if there is one.
    package var crash: CrashRecord?

    /// A launch from its parts.
    package init(
      session: SessionCore.Launch = SessionCore.Launch(),
      isFirst: Bool = false,
      app: AppVersion = AppVersion(),
      crash: CrashRecord? = nil
    ) {
      self.session = session
      self.isFirst = isFirst
      self.app = app
      self.crash = crash
    }
  }
}
