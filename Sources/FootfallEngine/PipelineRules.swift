package import FootfallCore

/// How events are completed before they go to the destinations: everything in which the documented
/// products differ, as values.
package struct PipelineRules: Sendable {
  /// When sessions begin and end.
  package var sessions = SessionRules.native
  /// Whether events carry the open session.
  package var stampsSessions = true
  /// How the device id is found.
  package var identity = IdentityRules.native
  /// What the library calls its own events.
  package var vocabulary = EventVocabulary.footfall
  /// Whether events carry `app_state` and `engaged_ms`, and how input counts; nil for neither.
  package var activity: ActivityRules?
  /// Whether a first event of every launch is tracked, under this name, with `is_first_launch`.
  package var appLaunched: EventName?
  /// Fields of the context that are not collected.
  package var withheldContext: Set<ContextField> = []

  /// The native client's rules.
  package init() {}

  /// What counts as the user being active.
  package struct ActivityRules: Sendable, Hashable {
    /// The presence from which on the app is not in front.
    package var awayFrom = Presence.background
    /// How long input counts while the app is not in front, in milliseconds; nil for not at all.
    package var inputMilliseconds: Int64?

    /// The rules of a phone.
    package init() {}
  }
}
