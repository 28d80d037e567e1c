/// Launch, coming and going, quit: what the platform tells.
extension SessionCore {
  mutating func begin(
    _ launch: Launch,
    at now: Moment,
    _ random: inout some RandomNumberGenerator
  ) {
    guard mayMove else {
      isAway = launch.presence >= rules.awayFrom
      return
    }
    if state.session != nil {
      let seen = state.wasQuit ? nil : launch.newestEventMilliseconds
      let times = [state.lastActivityMilliseconds, seen, launch.crashedAtMilliseconds]
      state.lastActivityMilliseconds = times.compactMap(\.self).max()
      anchor(at: now)
    }
    if let crash = launch.crashedAtMilliseconds, isCollecting {
      effects.append(.crashed(in: state.session?.id, atMilliseconds: crash))
    }
    state.wasQuit = false
    if rules.endsAtLaunch { close(at: now) }
    if launch.presence < rules.awayFrom {
      enter(at: now, &random)
    } else if rules.opensAtLaunch, state.session == nil {
      open(at: now.wallMilliseconds, now, &random)
    }
  }

  mutating func move(
    to presence: Presence,
    at now: Moment,
    _ random: inout some RandomNumberGenerator
  ) {
    let willBeAway = presence >= rules.awayFrom
    guard willBeAway != isAway else { return }
    guard mayMove else {
      isAway = willBeAway
      return
    }
    if willBeAway { leave(at: now) } else { enter(at: now, &random) }
  }

  private mutating func enter(at now: Moment, _ random: inout some RandomNumberGenerator) {
    let time = now.wallMilliseconds
    guard state.session != nil else {
      isAway = false
      if rules.opensByItself { open(at: time, now, &random) }
      return
    }
    // Quiet time counted up to now, so this is asked before the user is back.
    let isOver = rules.quiet != .sinceLastEvent && isOver(at: time, now)
    isAway = false
    if isOver { return rotate(mayOpen: true, at: time, now, &random) }
    if rules.quiet != .sinceLastEvent { touch(time, now) }
    endPause(at: now)
  }

  private mutating func leave(at now: Moment) {
    if rules.pauses {
      pause(timesOut: true, at: now)
    } else if rules.quiet != .sinceLastEvent, state.session != nil {
      touch(now.wallMilliseconds, now)
    }
    isAway = true
  }

  mutating func pause(timesOut: Bool, at now: Moment) {
    guard mayMove, let session = state.session, !state.isPaused else { return }
    touch(now.wallMilliseconds, now)
    if timesOut, rules.timeoutMilliseconds <= 0 { return close(at: now) }
    self.timesOut = timesOut
    state.isPaused = true
    if mayTell { effects.append(.paused(session, atMilliseconds: now.wallMilliseconds)) }
  }

  mutating func resume(at now: Moment, _ random: inout some RandomNumberGenerator) {
    guard mayMove else { return }
    let time = now.wallMilliseconds
    if state.session == nil { return open(at: time, now, &random) }
    guard state.isPaused else { return }
    if isOver(at: time, now) { return rotate(mayOpen: true, at: time, now, &random) }
    touch(time, now)
    endPause(at: now)
  }

  private mutating func endPause(at now: Moment) {
    guard let session = state.session, state.isPaused else { return }
    state.isPaused = false
    if mayTell { effects.append(.resumed(session, atMilliseconds: now.wallMilliseconds)) }
  }

  mutating func terminate(at now: Moment) {
    guard state.session != nil else { return }
    if rules.quiet != .sinceLastEvent, !isResting { touch(now.wallMilliseconds, now) }
    if rules.endsAtQuit { close(at: now) } else { state.wasQuit = true }
  }
}
