import FootfallAmplitude
import FootfallTesting
import Testing

/// Names of earlier versions, which are there for apps that still use them.
@Suite(.timeLimit(.minutes(5))) struct `Amplitude's names: earlier ones` {
  private let earlier: any EarlierNames = CalledByEarlierNames()

  @Test func `AMP-L14: the levels' earlier names are the same levels`() {
    #expect(earlier.levels == [.off, .error, .warn, .log, .debug])
  }

  @Test func `AMP-R10: a call without effect tracks nothing`() async throws {
    let app = AmplitudeApp()
    earlier.logRevenue(app.amplitude)
    #expect(try await app.sent().isEmpty)
  }

  @Test func `AMP-A12: what earlier versions called tracking overwrites what is captured`() {
    #expect(earlier.captured == [.appLifecycles, [.sessions, .appLifecycles], []])
  }

  @Test func `an event by its earlier call`() async throws {
    let app = AmplitudeApp()
    earlier.logEvent(BaseEvent(eventType: "a"), app.amplitude)
    #expect(try await app.names() == ["a"])
  }
}

/// What only deprecated code can call without a warning.
private protocol EarlierNames {
  var levels: [LogLevelEnum] { get }
  var captured: [AutocaptureOptions] { get }
  func logRevenue(_ amplitude: Amplitude)
  func logEvent(_ event: BaseEvent, _ amplitude: Amplitude)
}

private struct CalledByEarlierNames: EarlierNames {
  @available(*, deprecated) var levels: [LogLevelEnum] {
    [.OFF, .ERROR, .WARN, .LOG, .DEBUG]
  }

  @available(*, deprecated) var captured: [AutocaptureOptions] {
    let configuration = Configuration(apiKey: "KEY", autocapture: .all)
    configuration.defaultTracking = DefaultTrackingOptions(
      sessions: false,
      appLifecycles: true,
      screenViews: false
    )
    var captured = [configuration.autocapture]
    configuration.defaultTracking.sessions = true
    captured.append(configuration.autocapture)
    let none = Configuration(apiKey: "KEY", defaultTracking: DefaultTrackingOptions.NONE)
    return captured + [none.autocapture]
  }

  @available(*, deprecated) func logRevenue(_ amplitude: Amplitude) { amplitude.logRevenue() }

  @available(*, deprecated) func logEvent(_ event: BaseEvent, _ amplitude: Amplitude) {
    amplitude.logEvent(event: event)
  }
}
