extension SessionCore {
  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The process began. The first input, after `collection(isOn: false)` if that was said before.
    case launch(Launch)
    /// The app came to the front or left it.
    case presence(Presence)
    /// An event was tracked; a heartbeat counts as one.
    case event(TrackedEvent)
    /// The app asks for a session if there is none; nil for one that starts now.
    case start(atMilliseconds: Int64?)
    /// The app wants the open session over and a new one from this time on, named as the rules say or
    /// by this name; none if it would start before 1970.
    case replace(startMilliseconds: Int64, id: SessionID? = nil)
    /// The app wants the open session over.
    case end
    /// The app pauses the session; `timesOut` says whether it ends by itself if not resumed.
    case pause(timesOut: Bool)
    /// The app resumes the session.
    case resume
    /// Collection was switched on or off.
    case collection(isOn: Bool)
    /// Whether starts and ends are told from here on.
    case announce(Bool)
    /// The process is about to end.
    case terminate
    /// Time went by: `deadline` is due.
    case timePassed
  }

  /// How a process began, and what is known of the end of the one before.
  package struct Launch: Sendable, Equatable {
    /// Where the app is now.
    package var presence: Presence
    /// When the earlier process crashed, in milliseconds since 1970, if a crash was saved.
    package var crashedAtMilliseconds: Int64?
    /// The time of the newest stored event that is not back-dated, in milliseconds since 1970.
    package var newestEventMilliseconds: Int64?

    /// A launch from its parts.
    package init(
      presence: Presence = .active,
      crashedAtMilliseconds: Int64? = nil,
      newestEventMilliseconds: Int64? = nil
    ) {
      self.presence = presence
      self.crashedAtMilliseconds = crashedAtMilliseconds
      self.newestEventMilliseconds = newestEventMilliseconds
    }
  }

  /// What the core needs to know of an event.
  package struct TrackedEvent: Sendable, Equatable {
    /// Which session an event is to belong to.
    package enum Choice: Sendable, Equatable {
      /// The open one.
      case current
      /// None; the event does not touch the open one either.
      case outside
      /// Another one; the open one goes on as if it were the event's.
      case other(SessionID)
    }

    /// What an event's name means to sessions.
    package enum Kind: Sendable, Equatable {
      case ordinary
      /// The caller's own `session_start`; without a session of its own it only asks for one.
      case sessionStart
      /// The caller's own `session_end`, which changes nothing.
      case sessionEnd
    }

    /// When it happened, in milliseconds since 1970.
    package var milliseconds: Int64
    /// Whether that is a time in the past chosen by the caller.
    package var isBackDated: Bool
    /// Which session it is to belong to.
    package var choice: Choice
    /// What its name means.
    package var kind: Kind

    /// An event from its parts.
    package init(
      milliseconds: Int64,
      isBackDated: Bool = false,
      choice: Choice = .current,
      kind: Kind = .ordinary
    ) {
      self.milliseconds = milliseconds
      self.isBackDated = isBackDated
      self.choice = choice
      self.kind = kind
    }
  }

  /// What is to be done, in the order given.
  package enum Effect: Sendable, Equatable {
    /// Report the saved crash as an event of that time and session.
    case crashed(in: SessionID?, atMilliseconds: Int64)
    /// Say that a session is over.
    case ended(EndedSession)
    /// Say that a session began.
    case started(OpenSession)
    /// Say that the session was left.
    case paused(OpenSession, atMilliseconds: Int64)
    /// Say that the session was returned to.
    case resumed(OpenSession, atMilliseconds: Int64)
    /// Tell plugins and readers that this is the current session now.
    case current(SessionID?)
    /// Let the event go on, as part of this session or of none.
    case pass(SessionID?)
    /// The caller's `session_start` is not sent, it only asked for a session. Told once: log it.
    case swallowedStart
    /// Send what is stored.
    case flush
    /// Keep `state`, together with the events told so far: a start or end must not be said twice
    /// after a kill.
    case persist
  }
}
