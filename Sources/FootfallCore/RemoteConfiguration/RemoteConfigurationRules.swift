/// When a configuration is asked for and when it counts: everything in which products may differ.
///
/// Source of the numbers: `amplitude.md` section 2.13.
package struct RemoteConfigurationRules: Sendable, Equatable {
  /// What counts until the first answer of a run.
  package enum Delivery: Sendable, Equatable {
    /// What an earlier run was told, at once; the answer when it comes.
    case cachedThenRemote
    /// Nothing for up to so many seconds; then what an earlier run was told.
    case waitForRemote(seconds: Double)
  }

  /// Whether anything is asked, applied or kept at all.
  package var isEnabled: Bool
  /// What counts until the first answer.
  package var delivery = Delivery.cachedThenRemote
  /// How often one question is sent at most.
  package var attempts = 4
  /// The wait after the first failed attempt, in seconds; it doubles with each further one.
  package var firstWaitSeconds = 1.0
  /// The random part of that wait that is waited.
  package var waitFactor = 0.4...1.0
  /// The least time between the beginnings of two questions, in seconds.
  package var refreshSeconds = 300.0
  /// The most of a `Retry-After` that is honoured, in seconds.
  package var retryAfterCapSeconds = 3_600.0

  /// The usual rules, switched on or off.
  package init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Waits for the server for up to 3 s.
  package static let usualWait = Delivery.waitForRemote(seconds: 3)
}
