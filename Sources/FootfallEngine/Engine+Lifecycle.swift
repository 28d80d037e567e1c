import FootfallCore
import FootfallPlatform

// What the app's phases mean for storing and sending.
extension Engine {
  /// Follows the app's phases; each is stamped as it is told.
  func observe(_ setup: Setup) {
    let (leaving, sleep) = (setup.settings.leaving, setup.environment.sleep)
    let leavesFrom = setup.settings.leavesFrom
    setup.environment.lifecycle.start { [weak self] phase, time in
      guard let self else { return time.finish() }
      let now = clocks.moment
      if let presence = phase.presence { inbox.add(.presence(presence), at: now) }
      switch phase {
      case .foreground:
        inbox.post(.refreshConfiguration)
        inbox.post(.returned)
        time.finish()
      case .inactive where leavesFrom > .inactive: time.finish()
      case .inactive where leaving == .awaitsSessionEnd,
        .background where leaving == .awaitsSessionEnd:
        let bounded = time.bounded(by: sleep)
        inbox.post(.left { bounded.finish() })
      case .asleep where leaving == .awaitsSessionEnd: time.finish()
      case .inactive where leaving == .stores, .background where leaving == .stores:
        inbox.post(.write { time.finish() })
      case .inactive, .background, .asleep:
        let bounded = time.bounded(by: sleep)
        flush { _ in bounded.finish() }
      case .awake:
        // The thread may have slept by a clock that stood still.
        poke()
        time.finish()
      case .memoryWarning:
        inbox.post(.saveMemory)
        time.finish()
      case .terminating:
        Ending(inbox: inbox, waits: waits).run(sendSeconds: Ending.appSeconds, at: now)
        time.finish()
      }
    }
  }
}
