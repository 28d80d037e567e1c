/// The name of a session: a number for protocols that use its start, text for the others.
public enum SessionID: Sendable, Hashable {
  /// The start in milliseconds since 1970.
  case number(Int64)
  /// A text, opaque to everyone but its maker.
  case text(String)
}

/// When a session began and, once it is over, ended: for protocols whose events say so.
package struct SessionTimes: Sendable, Equatable {
  /// When it began, in milliseconds since 1970.
  package var startMilliseconds: Int64
  /// When it ended, in milliseconds since 1970; nil while it goes on.
  package var endMilliseconds: Int64?
  /// How long it was in milliseconds, where its start and end do not tell since the clock was set
  /// between them.
  package var measuredMilliseconds: Int64?

  /// Times from their parts.
  package init(
    startMilliseconds: Int64,
    endMilliseconds: Int64? = nil,
    measuredMilliseconds: Int64? = nil
  ) {
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    self.measuredMilliseconds = measuredMilliseconds
  }

  /// How long it was in milliseconds, never negative; nil while it goes on.
  package var durationMilliseconds: Int64? {
    endMilliseconds.map { end in
      if let measuredMilliseconds { return measuredMilliseconds }
      let (length, overflowed) = end.subtractingReportingOverflow(startMilliseconds)
      return overflowed ? 0 : max(0, length)
    }
  }
}

/// A session that is going on.
package struct OpenSession: Sendable, Equatable {
  /// Its name.
  package var id: SessionID
  /// When it began, in milliseconds since 1970.
  package var startMilliseconds: Int64

  /// A session from its parts.
  package init(id: SessionID, startMilliseconds: Int64) {
    self.id = id
    self.startMilliseconds = startMilliseconds
  }
}

/// A session that is over.
package struct EndedSession: Sendable, Equatable {
  /// Its name.
  package var id: SessionID
  /// When it began, in milliseconds since 1970.
  package var startMilliseconds: Int64
  /// The last activity in it, in milliseconds since 1970; nil if none is known.
  package var endMilliseconds: Int64?
  /// The time of the event that says so; nil if none is known.
  package var eventMilliseconds: Int64?
  /// How long it was in milliseconds, where the clock was set between start and end.
  package var measuredMilliseconds: Int64?

  /// A session from its parts.
  package init(
    id: SessionID,
    startMilliseconds: Int64,
    endMilliseconds: Int64?,
    eventMilliseconds: Int64?,
    measuredMilliseconds: Int64? = nil
  ) {
    self.id = id
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    self.eventMilliseconds = eventMilliseconds
    self.measuredMilliseconds = measuredMilliseconds
  }

  /// When it began and ended.
  package var times: SessionTimes {
    SessionTimes(
      startMilliseconds: startMilliseconds,
      endMilliseconds: endMilliseconds,
      measuredMilliseconds: measuredMilliseconds
    )
  }

  /// How long it was in milliseconds, never negative; 0 if its end is not known.
  package var durationMilliseconds: Int64 { times.durationMilliseconds ?? 0 }

  /// How long it was in whole seconds, rounded down.
  package var durationSeconds: Int64 { durationMilliseconds / 1_000 }
}

/// What a `SessionCore` remembers from run to run.
///
/// Plain values, so that the shell can keep them in whatever form it keeps the rest.
package struct SessionState: Sendable, Equatable {
  /// The open session, if there is one.
  package var session: OpenSession?
  /// Whether the start of the open session was told to anyone; only then is its end.
  package var isAnnounced: Bool
  /// Whether the open session was paused.
  package var isPaused: Bool
  /// The moment the open session would be said to have ended, in milliseconds since 1970.
  ///
  /// May outlive the session; nil before the first one.
  package var lastActivityMilliseconds: Int64?
  /// Whether the process said that it ends; if not it was killed, and `lastActivityMilliseconds`
  /// may be older than the newest stored event.
  package var wasQuit: Bool

  /// A state from its parts; without any, that of a fresh install.
  package init(
    session: OpenSession? = nil,
    isAnnounced: Bool = true,
    isPaused: Bool = false,
    lastActivityMilliseconds: Int64? = nil,
    wasQuit: Bool = false
  ) {
    self.session = session
    self.isAnnounced = isAnnounced
    self.isPaused = isPaused
    self.lastActivityMilliseconds = lastActivityMilliseconds
    self.wasQuit = wasQuit
  }
}
