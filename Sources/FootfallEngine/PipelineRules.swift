package import FootfallCore
package import FootfallPlatform

/// How events are completed before they go to the destinations: everything in which the documented
/// products differ, as values.
package struct PipelineRules: Sendable {
  /// When sessions begin and end; nil for none: then only events that say so belong to one.
  package var sessions: SessionRules? = .native
  /// How the device id is found.
  package var identity = IdentityRules.native
  /// Whether the user and device in the options of an identify become the client's own.
  ///
  /// If not, they are those of that one event.
  package var identifyOptionsStay = false
  /// Whether an event needs a user or a device; one with neither is dropped as `invalid`.
  package var needsOwner = false
  /// What is kept back until the first identify; nil if events go on at once.
  package var waitsForIdentify: IdentifyWait?
  /// What the library calls its own events.
  package var vocabulary = EventVocabulary.footfall
  /// Whether events carry `app_state` and `engaged_ms`, and how input counts; nil for neither.
  package var activity: ActivityRules?
  /// Whether a first event of every launch is tracked, under this name, with `is_first_launch`.
  package var appLaunched: EventName?
  /// Whether installs, updates, openings of the app and leaving it are told.
  package var tellsAppLifecycle = false
  /// What an open session says now and then; nil for nothing.
  package var heartbeat: EventName?
  /// The name under which destinations are told that what is known of the device is to be sent, at
  /// each start of a session and whenever the app wants it; nil for never.
  package var profile: EventName?
  /// Whether what is stored is sent after each identify.
  package var sendsAfterIdentify = false
  /// Whether events carry the address `$remote`, by which the server puts in the sender's own.
  ///
  /// Events that do carry no country of the locale: the server knows better.
  package var fillsRemoteAddress = false
  /// How what the machine tells of itself is written.
  package var contextForm = ContextForm()
  /// Fields of the context that are not collected; what an event says itself stays.
  package var withheldContext: Set<ContextField> = []
  /// Whether events are marked as tests unless they say otherwise.
  package var isTest = false
  /// What the log says of events that are not taken since collection is off.
  package var optedOutLine = LogLine(
    level: .info,
    message: "Events were not taken: collection is off."
  )

  /// The native client's rules.
  package init() {}

  /// What counts as the user being active.
  package struct ActivityRules: Sendable, Equatable {
    /// The presence from which on the app is not in front.
    package var awayFrom = Presence.background
    /// How long input counts while the app is not in front, in milliseconds; nil for not at all.
    package var inputMilliseconds: Int64?

    /// The rules of a phone.
    package init() {}

    /// The rules of a platform, as `DeviceContext.platform` names it.
    package static func usual(on platform: String) -> ActivityRules {
      platform == "macOS" ? .mac : ActivityRules()
    }

    /// The rules of a Mac, from `simpledatalogs.md` section 5.6.
    package static let mac: ActivityRules = {
      var rules = ActivityRules()
      rules.awayFrom = .inactive
      rules.inputMilliseconds = ActivityCore.macInputMilliseconds
      return rules
    }()
  }

  /// How events wait in memory until it is known who the user is.
  package struct IdentifyWait: Sendable, Equatable {
    /// So many at most; later ones are refused as `inboxFull`.
    package var events = 200
    /// So long at most, in milliseconds; older ones are dropped as `tooOld` when the wait is over.
    package var milliseconds: Int64 = 3_600_000

    /// The wait of Phase, from `phase.md` section 5.2.
    package init() {}
  }
}
