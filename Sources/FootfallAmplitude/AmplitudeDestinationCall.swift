package import FootfallCore

/// Which of its methods a destination plugin of Amplitude's gets an event by.
///
/// Source: `amplitude.md` section 2.9, "Destination kinds".
package enum AmplitudeDestinationCall: Sendable, Hashable {
  /// `track(event:)`, which a change to a group comes by too.
  case track
  /// `identify(event:)`.
  case identify
  /// `revenue(event:)`.
  case revenue

  /// The method for an event.
  package init(_ event: Event) {
    self =
      switch event.name {
      case .identify: .identify
      case .revenue: .revenue
      default: .track
      }
  }
}
