package import FootfallCore

/// What Amplitude's callbacks are told of an event that a server judged.
///
/// Source: `amplitude.md` section 2.12.
package struct AmplitudeResult: Sendable, Hashable {
  /// The status of the server's answer.
  package let status: Int
  /// What is said about it: the server's own words unless it took the event.
  package let message: String

  /// What is said of an event that the server took.
  package static let delivered = "Successfully send event"

  /// What is told of an outcome; nil for an event that ended without a server, of which Amplitude's
  /// client tells nobody.
  package init?(_ outcome: EventResult.Outcome) {
    switch outcome {
    case .delivered(let status): (self.status, message) = (status, Self.delivered)
    case .dropped(_, let status?, let message): (self.status, self.message) = (status, message)
    case .dropped(_, nil, _): return nil
    }
  }
}
