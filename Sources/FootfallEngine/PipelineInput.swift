package import FootfallCore

/// What callers and the platform leave for the pipeline, in the order in which it happened.
package enum PipelineInput: Sendable {
  /// An event was tracked; it carries its own moment.
  case event(StampedEvent)
  /// Anything else, with the moment it happened.
  case change(Change, at: Moment)

  /// What can happen besides events.
  package enum Change: Sendable {
    /// The process began; the first input of a started client.
    case launch(SessionCore.Launch)
    /// Whose the events are changed.
    case identity(IdentityCore.Input)
    /// The app speaks of sessions: start, replace, end, pause, resume.
    case session(SessionCore.Input)
    /// The app came to the front or left it.
    case presence(Presence)
    /// The keyboard or mouse was used so many milliseconds ago.
    case userInput(millisecondsAgo: Int64)
    /// These properties go on every event from here on.
    case defaultProperties(Properties)
    /// A plugin joins; it is set up already.
    case addPlugin(any Plugin)
    /// A plugin leaves.
    case removePlugin(any Plugin)
    /// Collection was switched on or off.
    case collecting(Bool)
    /// The process is about to end.
    case terminate
    /// Something that waits for time may be due.
    case timePassed
  }
}
