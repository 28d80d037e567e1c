/// What makes a session begin and end: everything in which the documented products differ.
package struct SessionRules: Sendable, Equatable {
  /// From when on quiet time counts.
  package enum Quiet: Sendable, Equatable {
    /// From leaving the front; in front a session never ends, and events tracked while away do not
    /// bring the user back.
    case sinceLeavingFront
    /// From leaving the front or a later event; in front a session never ends.
    case sinceLastEventWhileAway
    /// From the last event, in front or not; coming and going do not matter.
    case sinceLastEvent
  }

  /// What quiet time is measured on.
  package enum Clock: Sendable, Equatable {
    /// A clock that nobody can set while the process lives, wall time across launches; a negative
    /// gap counts as none. Back-dated events never touch a session.
    case steady
    /// The events' own times, back-dated ones included; a negative gap continues the session.
    case eventTime
  }

  /// How long it may be quiet, in milliseconds: a gap of exactly this ends the session.
  package var timeoutMilliseconds: Int64 = 30 * 60_000
  /// From when on quiet time counts.
  package var quiet = Quiet.sinceLeavingFront
  /// What quiet time is measured on.
  package var clock = Clock.steady
  /// How long a session may last, quiet or not, in milliseconds; nil for no limit.
  ///
  /// One that is over it ends at its last activity, at the next event or return.
  package var maximumMilliseconds: Int64?
  /// The presence from which on the user counts as away.
  package var awayFrom = Presence.background
  /// How a new session is named.
  package var idFormat = SessionIDFormat.startMilliseconds
  /// Whether starts and ends are told as events.
  ///
  /// Sessions go on either way, and events carry them.
  package var announces = true
  /// Whether coming to the front and events open a session; if not, only the app does.
  package var opensByItself = true
  /// Whether an event tracked while away may open a session.
  package var opensWhileAway = true
  /// Whether a launch opens a session even if the app is not in front.
  package var opensAtLaunch = false
  /// Whether a session of an earlier run ends at launch, however soon that comes.
  package var endsAtLaunch = false
  /// Whether a session ends when the process says that it ends.
  package var endsAtQuit = false
  /// Whether leaving and returning are told as pause and resume, and a session left for too long
  /// ends at once by a timer instead of at the next event or return.
  package var pauses = false
  /// Whether the event of an end carries the time of saying so; if not, that of the last activity.
  package var datesEndWhenSaid = false
  /// Whether a session whose end the wall clock, set meanwhile, cannot tell is as long as was
  /// measured; if not it is as long as from start to end, and no time at all if that is negative.
  package var measuresLength = true
  /// Whether stored events are sent when a session ends.
  package var flushesAtEnd = false
  /// Whether switching collection off forgets the open session; if not, it goes on unsaid.
  package var forgetsWhenOff = true

  /// The native rules; see `native`.
  package init() {}
}

extension SessionRules {
  /// Footfall's own: a session ends after 30 minutes in background, and outlives a relaunch within
  /// that time.
  ///
  /// `maximumMilliseconds` is the one to add for processes that are always in front.
  package static let native = SessionRules()

  /// Those of Amplitude, from `amplitude.md` section 2.8.
  ///
  /// The timeout is `minTimeBetweenSessionsMillis`; `announces` says whether the sessions feature
  /// is on, and `awayFrom` depends on the platform (`Presence.away(on:)`).
  package static func amplitude(
    timeoutMilliseconds: Int64 = 300_000,
    announces: Bool = true,
    awayFrom: Presence = .background
  ) -> SessionRules {
    var rules = SessionRules()
    rules.timeoutMilliseconds = timeoutMilliseconds
    rules.awayFrom = awayFrom
    rules.quiet = .sinceLastEventWhileAway
    rules.clock = .eventTime
    rules.announces = announces
    rules.forgetsWhenOff = false
    return rules
  }

  /// Those of SimpleDataLogs' mode `activation`, from `simpledatalogs.md` section 5.
  package static let activation: SessionRules = {
    var rules = SessionRules()
    rules.idFormat = .uuid
    rules.opensAtLaunch = true
    rules.endsAtLaunch = true
    return rules
  }()

  /// Those of SimpleDataLogs' mode `inactivityTimeout`, from `simpledatalogs.md` section 5.
  ///
  /// Fewer than 1 minute counts as 1.
  package static func inactivity(minutes: Int) -> SessionRules {
    var rules = activation
    rules.quiet = .sinceLastEvent
    rules.timeoutMilliseconds = Int64(min(max(1, minutes), 1_000_000)) * 60_000
    return rules
  }

  /// Those of Phase, from `phase.md` section 5.3.
  ///
  /// A session is opened by `identify`, and a new one after more than 5 minutes in background or
  /// after 2 hours. Exactly 5 minutes still go on, hence the extra millisecond.
  package static let phase: SessionRules = {
    var rules = SessionRules()
    rules.timeoutMilliseconds = 5 * 60_000 + 1
    rules.maximumMilliseconds = 2 * 3_600_000
    rules.idFormat = .ulid
    rules.opensByItself = false
    rules.endsAtLaunch = true
    return rules
  }()

  /// Those of Amazon Pinpoint, from `aws.md` section 3.3.
  ///
  /// The two ids are part of a session's name. The timeout is `sessionTimeout`, and 0 ends a
  /// session as soon as it is left; `announces` says whether sessions are recorded automatically.
  package static func pinpoint(
    appID: String,
    endpointID: String,
    timeoutMilliseconds: Int64 = 5_000,
    announces: Bool = true
  ) -> SessionRules {
    var rules = SessionRules()
    rules.timeoutMilliseconds = timeoutMilliseconds
    rules.idFormat = .pinpoint(appID: appID, endpointID: endpointID)
    rules.announces = announces
    rules.opensWhileAway = false
    rules.endsAtLaunch = true
    rules.endsAtQuit = true
    rules.pauses = true
    rules.datesEndWhenSaid = true
    rules.measuresLength = false
    rules.flushesAtEnd = true
    return rules
  }
}
