import FootfallAmplitude
import FootfallTesting
import Testing

/// Names of earlier versions, which are there for apps that still use them.
@available(*, deprecated)
@Suite(.timeLimit(.minutes(1))) struct `Amplitude's names: earlier ones` {
  @Test func `AMP-L14: the levels' earlier names are the same levels`() {
    #expect(LogLevelEnum.OFF == .off && LogLevelEnum.ERROR == .error)
    #expect(LogLevelEnum.WARN == .warn && LogLevelEnum.LOG == .log)
    #expect(LogLevelEnum.DEBUG == .debug)
  }

  @Test func `AMP-R10: a call without effect tracks nothing`() async throws {
    let app = AmplitudeApp()
    app.amplitude.logRevenue()
    #expect(try await app.sent().isEmpty)
  }

  @Test func `AMP-A12: what earlier versions called tracking overwrites what is captured`() {
    let configuration = Configuration(apiKey: "KEY", autocapture: .all)
    configuration.defaultTracking = DefaultTrackingOptions(
      sessions: false,
      appLifecycles: true,
      screenViews: false
    )
    #expect(configuration.autocapture == .appLifecycles)
    configuration.defaultTracking.sessions = true
    #expect(configuration.autocapture == [.sessions, .appLifecycles])
    let made = Configuration(apiKey: "KEY", defaultTracking: .NONE)
    #expect(made.autocapture == [] && DefaultTrackingOptions.ALL.screenViews)
  }

  @Test func `an event by its earlier call`() async throws {
    let app = AmplitudeApp()
    app.amplitude.logEvent(event: BaseEvent(eventType: "a"))
    #expect(try await app.names() == ["a"])
  }
}
