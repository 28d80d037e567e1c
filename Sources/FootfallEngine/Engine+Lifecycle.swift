import FootfallCore
import FootfallPlatform

// What the app's phases mean for storing and sending.
extension Engine {
  /// Follows the app's phases; each is stamped as it is told.
  func observe(_ setup: Setup) {
    let (settings, sleep) = (setup.settings, setup.environment.sleep)
    setup.environment.lifecycle.start { [weak self] phase, time in
      guard let self else { return time.finish() }
      let now = clocks.moment
      if let presence = phase.presence { inbox.add(.presence(presence), at: now) }
      switch phase {
      case .foreground:
        inbox.post(.refreshConfiguration)
        if !settings.flushesWhenLeft { inbox.post(.returned) }
        time.finish()
      case .inactive: time.finish()
      case .background where !settings.flushesWhenLeft:
        let bounded = time.bounded(by: sleep)
        inbox.post(.left { bounded.finish() })
      case .asleep where !settings.flushesWhenLeft: time.finish()
      case .background where !settings.flushesInBackground: inbox.post(.write { time.finish() })
      case .background, .asleep:
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
