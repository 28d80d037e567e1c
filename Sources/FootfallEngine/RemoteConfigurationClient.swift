import FootfallCore
import FootfallPlatform
import FootfallSystem
import Foundation

/// What is done about the configuration; on the engine's thread.
protocol RemoteConfigurationHost: AnyObject {
  /// This counts from now on; nil for the app's own choices alone.
  func configured(_ document: RemoteDocument?, _ source: RemoteConfiguration.Source)
}

/// Asks the server for the configuration, keeps its answer and says what counts.
///
/// The shell around `RemoteConfigurationCore`. Belongs to the engine's thread. Its questions go
/// beside the uploads and hold none up.
final class RemoteConfigurationClient {
  private let settings: RemoteConfigurationSettings
  private let environment: Environment
  weak var host: (any RemoteConfigurationHost)?
  /// Hands the answer to a question to the engine's thread; any thread.
  private let post: @Sendable (_ question: Int, UploadResponse) -> Void

  private var core: RemoteConfigurationCore
  private var random: RandomBytes
  private var cache: RemoteConfigurationCache?
  private var question = 0
  private var inFlight: Task<Void, Never>?
  /// Whether a question was given up of which some may still be on its way out.
  private var isFading = false
  private var lastBody: [UInt8] = []
  /// When a file that could not be deleted is tried again.
  private var forgetDeadline: Double?

  init(
    _ settings: RemoteConfigurationSettings,
    environment: Environment,
    post: @escaping @Sendable (_ question: Int, UploadResponse) -> Void
  ) {
    self.settings = settings
    self.environment = environment
    self.post = post
    core = RemoteConfigurationCore(rules: settings.rules)
    random = RandomBytes(environment.random)
  }

  /// When something is due; nil while nothing waits for time.
  var deadline: Double? { [core.deadline, forgetDeadline].compactMap { $0 }.min() }

  /// Begins with what lies in the client's folder; without a folder nothing is kept.
  func start(folder: String?, isCollecting: Bool) {
    cache = folder.map { RemoteConfigurationCache(folder: $0, files: environment.files) }
    receive(.start(cached: settings.rules.isEnabled ? kept() : nil, isCollecting: isCollecting))
  }

  /// Takes in what happened, and does what follows.
  func receive(_ input: RemoteConfigurationCore.Input) {
    let now = environment.monotonicSeconds
    for effect in core.receive(input, at: now, using: &random) { perform(effect) }
  }

  /// Takes in the answer to a question; one that was given up means nothing any more.
  func answered(_ number: Int, _ response: UploadResponse) {
    guard number == question, inFlight != nil else { return }
    inFlight = nil
    if case .answered(_, _, let body) = response { lastBody = body }
    receive(.answered(settings.answer(response, now: environment.now().timeIntervalSince1970)))
    lastBody = []
  }

  /// Does what is due.
  func performWhatIsDue() {
    if let due = forgetDeadline, due <= environment.monotonicSeconds { forget() }
    receive(.timePassed)
  }

  private func perform(_ effect: RemoteConfigurationCore.Effect) {
    switch effect {
    case .fetch(let entityTag): ask(entityTag)
    case .cancel: cancel()
    case .apply(let document, let source): host?.configured(document, source)
    case .store(let document): store(document)
    case .forget: forget()
    case .report(let reason): environment.log.warning("Remote configuration: \(reason)")
    }
  }

  // MARK: Questions

  private func ask(_ entityTag: String?) {
    question += 1
    let (request, transport, post) = (
      settings.request(entityTag: entityTag), environment.transport, post
    )
    inFlight = beginUpload { [question] in
      let response = await transport.send(request)
      ForkGate.work { post(question, response) }
    }
  }

  /// Gives the question in flight up; some of it may still be on its way out.
  private func cancel() {
    inFlight?.cancel()
    isFading = inFlight != nil
    inFlight = nil
  }

  /// Makes sure that no more of a question that was given up leaves, nor of anything else.
  func silence() {
    if isFading { environment.transport.cancelAll() }
    isFading = false
  }

  // MARK: What is kept

  private func kept() -> RemoteDocument? {
    do throws(SystemError) { return try cache?.load(member: settings.member) } catch {
      environment.log.warning("The kept configuration cannot be read: \(error)")
      return nil
    }
  }

  private func store(_ document: RemoteDocument) {
    forgetDeadline = nil
    do throws(SystemError) {
      try cache?.save(body: lastBody, entityTag: document.entityTag)
    } catch {
      environment.log.warning("The configuration could not be kept for the next start: \(error)")
    }
  }

  private func forget() {
    forgetDeadline = nil
    do throws(SystemError) { try cache?.remove() } catch {
      forgetDeadline = environment.monotonicSeconds + 1
      environment.log.error("The kept configuration could not be deleted yet: \(error)")
    }
  }
}
