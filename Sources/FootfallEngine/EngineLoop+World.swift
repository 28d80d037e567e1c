import FootfallCore
import FootfallPlatform

// What the thread asks of the machine and is told by it.
extension EngineLoop {
  // MARK: The network

  /// Watches the network while something may be sent to elsewhere.
  func watchConnectivity() {
    let isWanted =
      settings.watchesNetwork && isCollecting && !isFinished && !isEnded
      && destinations.contains { $0.needsNetwork }
    guard isWanted != isWatching else { return }
    guard isWanted else { return stopWatching() }
    isWatching = true
    environment.connectivity.start { [inbox] in inbox.post(.connectivity(isOnline: $0)) }
  }

  /// Watches the network no more, and gives what that takes back.
  func stopWatching() {
    guard isWatching else { return }
    isWatching = false
    environment.connectivity.stop()
  }

  // MARK: The user

  /// Asks when the user last touched anything, once for all events of a step.
  func hearActivity(before entries: [PipelineInput]) {
    guard settings.rules.activity?.inputMilliseconds != nil else { return }
    let hasEvent = entries.contains { if case .event = $0 { true } else { false } }
    guard hasEvent, let ago = environment.userActivity.millisecondsSinceInput() else { return }
    receive(.userInput(millisecondsAgo: ago))
  }

  // MARK: App and device

  /// Reads again what may have changed, when the app comes to the foreground.
  func refreshContext(before entries: [PipelineInput]) {
    let comes = entries.contains { entry in
      if case .change(.presence(.active), at: _) = entry { true } else { false }
    }
    if comes { refreshContext() }
  }

  /// Reads again what may have changed; the app's own words stay.
  func refreshContext() {
    let new = environment.refreshDevice(device)
    guard new != device else { return }
    device = new
    pipeline.learn(device.eventContext)
    shareContext()
  }

  /// Tells the codecs what most events have in common.
  func shareContext() {
    for destination in destinations { destination.share(pipeline.commonContext) }
  }

  /// Which version of the app it is, as far as that is to be known.
  var appVersion: AppVersion {
    var context = pipeline.appContext.filled(from: device.eventContext)
    for field in settings.rules.withheldContext { context[field] = nil }
    return AppVersion(context)
  }

  // MARK: Memory

  /// Gives back memory that is only kept to be faster.
  func saveMemory() {
    spare = []
    inbox.saveMemory()
    for destination in destinations {
      destination.writeDeferred()
      destination.sync()
      destination.saveMemory()
    }
  }
}
