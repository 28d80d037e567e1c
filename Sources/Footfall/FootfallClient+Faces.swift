import FootfallApple
package import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import FootfallSystem

// What the faces of other documents need beside the public calls.
extension FootfallClient {
  /// Hears what became of an event, on the client's own thread: with the event as the codec stored it,
  /// where that is at hand.
  package typealias OnResult = @Sendable (EventResult, _ stored: ArraySlice<UInt8>?) -> Void

  /// What has to be known of a face's client before its settings are made.
  package struct FaceStart: Sendable {
    /// Whether events are taken from the start.
    package var isEnabled = true
    /// Whether nothing is sent until the app says otherwise.
    package var isOffline = false
    /// What becomes of stored events when collection is switched off.
    package var consent = ConsentCore.Rule.deletesStored
    /// What events that the client makes of calls are named.
    package var vocabulary = EventVocabulary.footfall
    /// How far back events may be dated.
    package var limits = EventLimits()
    /// What is done when a program without an interface ends.
    package var exit = ProcessEndRules()

    /// The native client's start.
    package init() {}
  }

  /// Where a face's client works.
  package enum World: Sendable {
    /// In the real world, with this log.
    case system(Logger)
    /// In a given one, for tests.
    case given(Environment)

    var clocks: Clocks { if case .given(let given) = self { given.clocks } else { .system } }
    var random: RandomSource { if case .given(let given) = self { given.random } else { .system } }

    var processEnd: any ProcessEnd {
      switch self {
      case .system(let log): Environment.liveProcessEnd(log: log)
      case .given(let given): given.processEnd
      }
    }

    var environment: Environment {
      switch self {
      case .system(let log): .system(log: log)
      case .given(let given): given
      }
    }
  }

  /// A client that works by the values of another document.
  ///
  /// Takes well under a millisecond: the world is looked at, and the settings are made, on the
  /// client's own thread.
  ///
  /// - Parameters:
  ///   - start: What has to be known at once.
  ///   - world: Where it works.
  ///   - settings: The values, for that world.
  ///   - onResult: Hears of every event, those of earlier runs included; nobody unless given.
  package convenience init(
    _ start: FaceStart,
    in world: World,
    settings: @escaping @Sendable (Environment) -> EngineSettings,
    onResult: OnResult? = nil
  ) {
    self.init(
      clocks: world.clocks,
      random: world.random,
      limits: start.limits,
      vocabulary: start.vocabulary,
      onResult: onResult
    )
    if start.isOffline { engine.setOffline(true) }
    let watch = ProcessEndWatch(world.processEnd, start.exit)
    _ = engine.start(isEnabled: start.isEnabled, consent: start.consent, end: watch) {
      let environment = world.environment
      return Engine.Setup(settings: settings(environment), environment: environment)
    }
  }

  /// Makes requests of the client's own destination by this codec from here on.
  package func use(_ codec: @escaping @Sendable (Environment) -> any WireCodec) {
    engine.setCodec(codec)
  }

  /// Says this of the app on every event tracked after this call.
  package func setAppContext(_ context: EventContext) {
    engine.setAppContext(context)
  }

  /// How a client stops taking and sending events.
  package enum Stop: Sendable {
    /// Collection was switched off, and what was unsent is gone or about to be.
    case switchedOff
    /// The client was shut down.
    case shutDown
  }

  /// Tells when the client stops, each time and on the thread of whoever stops it; the last who asked
  /// is told.
  package func onStop(_ tell: @escaping @Sendable (Stop) -> Void) {
    stopped.withLock { $0 = tell }
  }

  func tell(_ stop: Stop) { stopped.withLock { $0 }?(stop) }

  /// Takes a change for everything tracked after this call; false if the client was shut down.
  package func take(_ change: PipelineInput.Change) -> Bool { engine.change(change) }

  /// Hears of every step of every event, on the client's own thread, until cancelled or let go; see
  /// `steps` for what that costs.
  package func observeSteps(
    _ onStep: @escaping @Sendable (DeliveryStep) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> Subscription {
    engine.observeSteps(onStep, onEnd: onEnd)
  }

  /// Hears of every event from here on, until cancelled or let go.
  package func observeResults(_ onResult: @escaping OnResult) -> Subscription {
    engine.observeResults(withStored: onResult)
  }
}
