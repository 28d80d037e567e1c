package import FootfallCore
package import FootfallPlatform

/// What is to be done after the pipeline took in some inputs.
///
/// Reused from step to step: `removeAll()` keeps the memory.
package struct PipelineOutput: Sendable {
  /// An event that goes nowhere.
  package struct Dropped: Sendable {
    /// What became of it.
    package var result: EventResult
    /// Whoever wants to know.
    package var onResult: (@Sendable (EventResult) -> Void)?
  }

  /// What was queued under another key is to be deleted; before anything else.
  package var discardsQueue = false
  /// Devices that the client was before a reset.
  package var leftDevices: [String] = []
  /// The events for the destinations, in order.
  package var events: [Event] = []
  /// The client's state changed in a way that must be stored with these events, in one step.
  package var isStateChanged = false
  /// Only the time of the last activity moved on: to be stored with the events at little cost.
  package var isActivityMoved = false
  /// What is stored is to be sent, these events included.
  package var wantsFlush = false
  /// Events that were dropped; already counted in `losses`.
  package var dropped: [Dropped] = []
  /// How much was lost, by reason.
  package var losses = DropCounts()
  /// Lines for the log.
  package var lines: [LogLine] = []

  /// Nothing to do.
  package init() {}

  /// Forgets what was done.
  package mutating func removeAll() {
    discardsQueue = false
    if !leftDevices.isEmpty { leftDevices = [] }
    events.removeAll(keepingCapacity: true)
    isStateChanged = false
    isActivityMoved = false
    wantsFlush = false
    if !dropped.isEmpty { dropped = [] }
    if !losses.isEmpty { losses = DropCounts() }
    if !lines.isEmpty { lines = [] }
  }

  mutating func log(_ level: LogLevel, _ message: String) {
    lines.append(LogLine(level: level, message: message))
  }
}
