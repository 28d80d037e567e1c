import FootfallCore
import FootfallPlatform
import FootfallSystem

/// Tells how the client's own work goes, where the face has a place for it.
///
/// The shell around `SelfReportCore`. Belongs to the engine's thread; its requests go beside the uploads
/// and hold none up. What a kill of the process takes of it is lost.
final class SelfReporter {
  private let settings: SelfReportSettings
  private let environment: Environment
  /// Hands the answer to a report to the engine's thread; any thread.
  private let post: @Sendable (_ report: Int, UploadResponse) -> Void
  private var core: SelfReportCore
  private var report = 0
  private var inFlight: Task<Void, Never>?
  /// Whether a report was given up of which some may still be on its way out.
  private var isFading = false

  init(
    _ settings: SelfReportSettings,
    environment: Environment,
    post: @escaping @Sendable (_ report: Int, UploadResponse) -> Void
  ) {
    self.settings = settings
    self.environment = environment
    self.post = post
    var random = RandomBytes(environment.random)
    core = SelfReportCore(rules: settings.rules, draw: Double.random(in: 0..<1, using: &random))
  }

  /// When something is due; nil while nothing waits for time.
  var deadline: Double? { core.deadline }

  /// Follows what app and server want.
  func follow(_ features: FeatureSet) {
    let choice = settings.choice(features)
    receive(.choice(isOn: choice.isOn, rate: choice.rate))
  }

  /// Takes in the numbers as they are now.
  func count(_ numbers: @autoclosure () -> DestinationDiagnostics) {
    guard core.isReporting else { return }
    let numbers = numbers()
    receive(.counted(.init(delivered: numbers.delivered, dropped: numbers.dropped)))
  }

  /// Takes in the answer to a report; one that was given up means nothing any more.
  func answered(_ number: Int, _ response: UploadResponse) {
    guard number == report, inFlight != nil else { return }
    inFlight = nil
    let isTaken = if case .answered(200...299, _, _) = response { true } else { false }
    receive(.answered(isTaken: isTaken))
  }

  /// Takes in what happened, and does what follows.
  func receive(_ input: SelfReportCore.Input) {
    for effect in core.receive(input, at: environment.monotonicSeconds) {
      switch effect {
      case .send(let numbers, let rate): send(settings.request(numbers, rate))
      case .cancel: cancel()
      }
    }
  }

  /// Makes sure that no more of a report that was given up leaves.
  func silence() {
    if isFading { environment.transport.cancelAll() }
    isFading = false
  }

  private func send(_ request: UploadRequest) {
    report += 1
    let (transport, post) = (environment.transport, post)
    inFlight = beginUpload { [report] in
      let response = await transport.send(request)
      ForkGate.work { post(report, response) }
    }
  }

  private func cancel() {
    inFlight?.cancel()
    isFading = inFlight != nil
    inFlight = nil
  }
}
