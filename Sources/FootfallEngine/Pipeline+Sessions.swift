import FootfallCore
import FootfallPlatform

/// Sessions and heartbeats: what they do becomes events.
extension Pipeline {
  /// Where an event belongs; `id` is nil for one outside of sessions.
  struct FoundSession {
    let id: SessionID?
  }

  /// The session of an event, after what the event makes of sessions was told; nil if it does not
  /// go on.
  mutating func findSession(
    of stamped: StampedEvent,
    _ output: inout PipelineOutput
  ) -> FoundSession? {
    let tracked = SessionCore.TrackedEvent(
      milliseconds: stamped.milliseconds,
      isBackDated: stamped.isBackDated,
      choice: choice(of: stamped),
      kind: kind(of: stamped.name)
    )
    var found: FoundSession?
    for effect in sessions.receive(.event(tracked), at: stamped.moment, using: &random) {
      if case .pass(let id) = effect {
        found = FoundSession(id: id)
      } else {
        perform(effect, at: stamped.moment, &output)
      }
    }
    if found == nil { drop(stamped, .toldByLibrary, &output) }
    return found
  }

  /// Tells the session core of anything but an event.
  mutating func feed(
    _ input: SessionCore.Input,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard hasSessions else { return }
    for effect in sessions.receive(input, at: now, using: &random) {
      perform(effect, at: now, &output)
    }
  }

  private mutating func perform(
    _ effect: SessionCore.Effect,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    switch effect {
    case .pass: break
    case .persist: output.isActivityMoved = true
    case .current(let id):
      output.isStateChanged = true
      plugins.forEach { $0.sessionChanged(id) }
    case .flush: output.wantsFlush = true
    case .swallowedStart:
      output.log(
        .warning,
        "Events named \(rules.vocabulary.sessionStart) are not sent: sessions are told by themselves."
      )
    case .crashed(let session, _): tellCrash(in: session, at: now, &output)
    case .started, .ended, .paused, .resumed:
      output.isStateChanged = true
      if let event = rules.vocabulary.sessionEvent(effect) {
        let time = event.milliseconds ?? now.wallMilliseconds
        tell(
          event.content,
          in: event.session,
          milliseconds: time,
          times: event.times,
          at: now,
          &output
        )
      }
      if case .started = effect { tellProfile(at: now, &output) }
      followSession(effect, at: now, &output)
    }
  }

  /// When a session began, if it is the open one.
  func times(of session: SessionID?) -> SessionTimes? {
    guard let open = sessions.state.session, open.id == session else { return nil }
    return SessionTimes(startMilliseconds: open.startMilliseconds)
  }

  private func choice(of stamped: StampedEvent) -> SessionCore.TrackedEvent.Choice {
    guard let id = stamped.details?.options.sessionID else { return .current }
    return id == .outside ? .outside : .other(id)
  }

  private func kind(of name: EventName) -> SessionCore.TrackedEvent.Kind {
    if name == rules.vocabulary.sessionStart { return .sessionStart }
    return name == rules.vocabulary.sessionEnd ? .sessionEnd : .ordinary
  }
}

// MARK: - Heartbeats

extension Pipeline {
  private mutating func followSession(
    _ effect: SessionCore.Effect,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard let name = rules.heartbeat else { return }
    switch effect {
    case .started: _ = heartbeat.receive(.started, at: now.steadySeconds)
    case .ended(let session):
      // A last one tells how long the session was.
      guard !heartbeat.receive(.ended, at: now.steadySeconds).isEmpty else { return }
      let time = session.endMilliseconds ?? now.wallMilliseconds
      tell(EventContent(name), in: session.id, milliseconds: time, at: now, &output)
    default: break
    }
  }

  /// Tells the heartbeat what happened; a beat is an event of now, which may begin a new session.
  mutating func beat(
    _ input: HeartbeatCore.Input,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard let name = rules.heartbeat else { return }
    for _ in heartbeat.receive(input, at: now.steadySeconds) where isCollecting {
      pass(stamp(EventContent(name), at: now), &output)
    }
  }
}

extension Moment {
  fileprivate var steadySeconds: Double { Double(steadyMilliseconds) / 1_000 }
}
